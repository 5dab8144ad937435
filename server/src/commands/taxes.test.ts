import { expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { testDatabaseUrl } from "../../test/harness/database/database.ts";
import { taxesCommand } from "./taxes.ts";

const url = await testDatabaseUrl();
const seller = {
  INVOICE_SELLER_NAME: "Beats GmbH",
  INVOICE_SELLER_ADDRESS: "Example Street 1; 10115 Berlin",
  INVOICE_SELLER_COUNTRY: "DE",
};
const taxes = (
  args: string[],
  environment: Record<string, string> = { ...seller, INVOICE_SELLER_VAT_ID: "DE123456789" },
) => runHere(taxesCommand, ["taxes", ...args], { DATABASE_URL: url, DEMO: "off", ...environment });
const germany = ["add", "DE", "--basis-points", "1900", "--from", "2026-01-01"];

test("a rate is added, ends and is listed; overlaps are refused", async () => {
  expect((await taxes(["list"])).out).toContain("There is no rate, so invoices have no tax.");
  expect((await taxes(germany)).out).toContain("DE: VAT 19 % from 2026-01-01.");
  expect((await taxes(germany)).errors).toContain("DE has a rate from 2026-01-01 that includes days of this one.");
  await taxes(["end", "DE", "--from", "2026-01-01", "--to", "2026-12-31"]);
  expect(JSON.parse((await taxes(["list", "--json"])).out)).toEqual([
    { country: "DE", name: "VAT", basisPoints: 1_900, from: "2026-01-01", to: "2026-12-31" },
  ]);
});

test("a rate cannot be added without a VAT ID or tax number; the error for an incomplete or invalid seller names the setting", async () => {
  expect((await taxes(germany, seller)).errors).toContain(
    "Set INVOICE_SELLER_VAT_ID or INVOICE_SELLER_TAX_NUMBER first",
  );
  expect((await taxes(germany, {})).errors).toContain("Set INVOICE_SELLER_VAT_ID or INVOICE_SELLER_TAX_NUMBER first");
  const { INVOICE_SELLER_COUNTRY: _, ...half } = seller;
  expect((await taxes(["list"], half)).errors).toContain("INVOICE_SELLER_COUNTRY belong together");
  expect((await taxes(["list"], { ...seller, INVOICE_SELLER_COUNTRY: "Germany" })).errors).toContain('is "Germany"');
  expect((await taxes(["list"], { ...seller, INVOICE_SELLER_ADDRESS: ";" })).errors).toContain("has 0 lines");
  expect((await taxes(["list"], { ...seller, INVOICE_SELLER_VAT_ID: "123" })).errors).toContain(
    "begins with the country",
  );
});
