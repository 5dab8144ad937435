import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { counted, thousands } from "@beatmarket/foundation/text/counted.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Command } from "commander";
import type { Queryable } from "../database/connect.ts";
import {
  beancountText,
  countTransactions,
  type JournalPeriod,
  readAccounts,
  readBalances,
  readTransactions,
} from "../resources/ledger/journal.ts";
import { compareDay, inWords, newestSettledDay } from "../resources/orders/comparison.ts";
import { openProviders } from "../resources/orders/payments/open-providers.ts";
import { reading } from "./terminal/arguments.ts";
import { tableText, writeOutputFile } from "./terminal/output.ts";
import { progressBar } from "./terminal/progress-bar.ts";
import { printResult, printStream, withDatabase } from "./terminal/run.ts";

interface ExportOptions {
  from?: Date;
  to?: Date;
  output?: string;
  json?: true;
}

/** `ledger export`, `balances` and `compare`: payments, refunds and debts. */
export function ledgerCommand(ledger: Command): void {
  ledger.addHelpText(
    "after",
    `
Examples:
  beatmarket ledger balances
  beatmarket ledger compare --day 2026-11-20
  beatmarket ledger export --from 2026-11-01 --to 2026-12-01 --output november.beancount
  bean-check november.beancount

docs/ledger.md explains accounts and movements.`,
  );

  ledger
    .command("export")
    .description("Write the movements of money in the format of beancount.")
    .option("--from <date>", "the first day (UTC); earlier movements become one opening transaction", reading(readDay))
    .option("--to <date>", "the day after the last (UTC)", reading(readDay))
    .option("--output <file>", "write to this file, which appears when it is complete")
    .option("--json", "write a line of JSON for each movement instead")
    .action((options: ExportOptions) =>
      withDatabase(async ({ query }, config) => {
        const period = { from: options.from ?? null, to: options.to ?? null };
        if (period.from !== null && period.to !== null && period.from >= period.to)
          throw new OperatorError("--from is not before --to; exchange them.");
        // One snapshot, so that accounts and movements agree.
        await transact(
          query,
          (snapshot) => exportLedger(snapshot, { ...period, siteName: config.site.name }, options),
          {
            isolation: "repeatable read",
            readOnly: true,
            attempts: 1,
          },
        );
      }),
    );

  ledger
    .command("balances")
    .description("Show the balance of each account. Assets are positive, debts are negative.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const balances = await transact(query, balancesOf, { isolation: "repeatable read", readOnly: true });
        const rows = balances.map(({ account, name, amount, currency }) => [account, name ?? "", amount, currency]);
        printResult(
          options.json,
          { balances },
          rows.length === 0
            ? "All balances are zero."
            : tableText([["ACCOUNT", "NAME", "BALANCE", "CURRENCY"], ...rows]),
        );
      }),
    );

  ledger
    .command("compare")
    .description("Compare the ledger with the payment provider on one day, as the server does each day.")
    .option("--day <date>", "the day (UTC; default: the newest that the provider has settled)", reading(readDay))
    .option("--json", "print JSON")
    .addHelpText("after", "\nExit status: 0 without a difference, 1 with one, or when the provider does not respond.")
    .action((options: { day?: Date; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const day = options.day ?? newestSettledDay(systemClock.nowMs());
        const compared = [];
        const { payments } = await openProviders(query, config.stripe, systemClock);
        for (const provider of payments)
          compared.push({ provider: provider.name, differences: await compareDay(query, provider, day) });
        const lines = compared.map(({ provider, differences }) =>
          differences.length === 0
            ? `${provider}: no difference on ${dayText(day)}.`
            : [
                `${provider}: ${counted(differences.length, "difference")} on ${dayText(day)}:`,
                ...differences.map((difference) => `- ${inWords(difference, provider)}`),
              ].join("\n"),
        );
        printResult(options.json, { day: dayText(day), compared }, lines.join("\n"));
        if (compared.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
      }),
    );
}

async function exportLedger(
  db: Queryable,
  period: JournalPeriod & { siteName: string },
  { output, json }: ExportOptions,
): Promise<void> {
  const total = await countTransactions(db, period);
  const bar = progressBar("{bar} {percentage}% | {movements} movements | {eta_formatted} left", total, {
    movements: "0",
  });
  const onProgress = (completed: number) => bar.show(completed, { movements: thousands(completed) });
  const text = json === true ? jsonLines(db, period, onProgress) : beancountText(db, period, onProgress);
  try {
    if (output === undefined) await printStream(text);
    else await writeOutputFile(output, text, { option: "--output" });
  } finally {
    bar.end();
  }
  if (output !== undefined) process.stderr.write(`${thousands(total)} movements are in ${output}.\n`);
}

async function* jsonLines(
  db: Queryable,
  period: JournalPeriod,
  onProgress: (completed: number) => void,
): AsyncGenerator<string> {
  let writtenCount = 0;
  for await (const transactions of readTransactions(db, period)) {
    yield transactions
      .map(({ entries, ...columns }) => {
        const amounts = entries.map(({ amount_cents, ...entry }) => ({ ...entry, amount: formatCents(amount_cents) }));
        return `${JSON.stringify({ ...columns, entries: amounts })}\n`;
      })
      .join("");
    writtenCount += transactions.length;
    onProgress(writtenCount);
  }
}

async function balancesOf(db: Queryable) {
  const names = new Map<string, string | null>();
  for await (const accounts of readAccounts(db)) for (const { account, name } of accounts) names.set(account, name);
  const balances: { account: string; name: string | null; amount: string; currency: string }[] = [];
  for await (const page of readBalances(db, null))
    for (const { account, amount_cents, currency } of page)
      balances.push({ account, name: names.get(account) ?? null, amount: formatCents(amount_cents), currency });
  return balances;
}

const dayText = (day: Date): string => day.toISOString().slice(0, 10);

function readDay(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || dayText(day) !== text)
    throw new OperatorError("It takes a date such as 2026-11-30.");
  return day;
}
