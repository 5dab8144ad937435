import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Command } from "commander";
import { ratePercent } from "../resources/invoices/invoice.ts";
import { addTaxRate, endTaxRate, listTaxRates, type TaxRate } from "../resources/invoices/tax-rates.ts";
import { reading, readWholeNumber } from "./terminal/arguments.ts";
import { tableText } from "./terminal/output.ts";
import { printResult, withDatabase } from "./terminal/run.ts";

/** `taxes list`, `add` and `end`: the taxes that prices include. */
export function taxesCommand(taxes: Command): void {
  taxes.addHelpText(
    "after",
    `
Examples:
  beatmarket taxes add DE --name VAT --basis-points 1900 --from 2026-01-01
  beatmarket taxes end DE --from 2026-01-01 --to 2026-12-31
  beatmarket taxes list

Without a rate, invoices have no tax. The tax for a buyer without a country is that of the seller's country. A rate does not change
prices, because they include the tax. Issued invoices keep their tax. docs/invoices.md explains more.`,
  );

  taxes
    .command("list")
    .description("List the rates, by country and day.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const rates = await listTaxRates(query);
        printResult(options.json, rates, ratesText(rates));
      }),
    );

  taxes
    .command("add")
    .description("Add a rate for sales from a day on.")
    .argument("<country>", "the country of the buyer: two capital letters (ISO 3166-1)")
    .requiredOption("--basis-points <number>", "the rate; 1900 are 19 %", reading(readWholeNumber))
    .requiredOption("--from <day>", "the first day (UTC), such as 2026-01-01")
    .option("--to <day>", "the last day (default: none)")
    .option("--name <name>", "the name of the tax on invoices", "VAT")
    .option("--json", "print JSON")
    .action((country: string, options: { basisPoints: number; from: string; to?: string; name: string; json?: true }) =>
      withDatabase(async ({ query }, { seller }) => {
        if (seller === null || (seller.vatId === null && seller.taxNumber === null))
          throw new OperatorError(
            "A seller who charges a tax has a tax number. Set INVOICE_SELLER_VAT_ID or INVOICE_SELLER_TAX_NUMBER first, with name, address and country of the seller.",
          );
        const { basisPoints, from, to = null, name } = options;
        const rate: TaxRate = { country, name, basisPoints, from, to };
        await addTaxRate(query, rate);
        printResult(options.json, rate, `${country}: ${name} ${ratePercent(basisPoints)} % from ${from}.`);
      }),
    );

  taxes
    .command("end")
    .description("Set the last day of a rate.")
    .argument("<country>", "the country of the rate")
    .requiredOption("--from <day>", "the first day of the rate")
    .requiredOption("--to <day>", "the last day of the rate")
    .option("--json", "print JSON")
    .action((country: string, options: { from: string; to: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const { from, to } = options;
        await endTaxRate(query, { country, from, to });
        printResult(options.json, { country, from, to }, `${country}: the rate from ${from} ends with ${to}.`);
      }),
    );
}

const ratesText = (rates: readonly TaxRate[]): string =>
  rates.length === 0
    ? "There is no rate, so invoices have no tax."
    : tableText([
        ["COUNTRY", "NAME", "RATE", "FROM", "TO"],
        ...rates.map(({ country, name, basisPoints, from, to }) => [
          country,
          name,
          `${ratePercent(basisPoints)} %`,
          from,
          to ?? "",
        ]),
      ]);
