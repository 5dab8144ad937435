import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { recordSales } from "../resources/ledger/record.ts";
import { saveBankAccount } from "../resources/payouts/payout-accounts.ts";
import { payoutsCommand } from "./payouts.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { query: db, driver } = database;
const folder = await mkdtemp(join(tmpdir(), "beatmarket-payouts-"));
afterTestFile(() => rm(folder, { recursive: true }));
const file = join(folder, "payouts.xml");

const payouts = (...args: string[]) =>
  runHere(payoutsCommand, ["payouts", ...args], {
    DATABASE_URL: url,
    CURRENCY: "EUR",
    PAYOUT_DEBTOR_NAME: "Beats GmbH",
    PAYOUT_DEBTOR_IBAN: "DE89 3704 0044 0532 0130 00",
  });

test("a run is written for the bank and listed; a payout that failed is tried again", async () => {
  const [beatId = 0] = await insertBeats(database, [{ title: "Midnight", producer: "Nightowl" }]);
  const time = new Date("2026-01-01T00:00:00Z");
  const [order] = await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      completed_at, payment_method, payment_provider, payment_key, created_at)
    select user_id, id, title, user_id, 'P', 'basic', 2990, 'EUR', 'completed', ${time}, 'pm', 'stripe', 'key', ${time}
    from beats where id = ${beatId} returning id::int, producer_id::int`;
  const orderId = Number(order?.id);
  const producerId = Number(order?.producer_id);
  await recordSales(db, [{ orderId, provider: "stripe", producerId, amountCents: 2_990, currency: "EUR", at: time }]);
  expect((await payouts("held")).out).toContain("no details");
  await saveBankAccount(
    db,
    producerId,
    { holder: "Nightowl", iban: "NL91ABNA0417164300" },
    { author: "operator", now: time },
  );
  expect((await payouts("held")).out).toBe("Nothing is held.\n");
  expect((await payouts("resume")).errors).toContain("No run is open");
  expect((await payouts("run", "--method", "sepa")).errors).toContain("--output payouts.xml");
  expect(await payouts("run", "--method", "sepa", "--output", file)).toMatchObject({
    status: 0,
    out: `Run 1: 1 payout, 29.90 EUR. The file for the bank is ${file}.\n`,
  });
  const text = await readFile(file, "utf8");
  expect(text).toContain("<IBAN>NL91ABNA0417164300</IBAN>");
  expect((await payouts("file", "1")).out).toBe(text);
  expect((await payouts("failed", "1", "--reason", "Account closed")).out).toContain("in the balance of user");
  expect(JSON.parse((await payouts("list", "--status", "failed", "--json")).out)).toMatchObject({
    payouts: [{ id: 1, amount: "29.90", failure_reason: "Account closed" }],
  });
  expect((await payouts("retry", "1", "--output", file)).out).toContain("Run 2: 1 payout,");
  expect((await payouts("paid", "--run", "2")).out).toBe("1 payout is paid now.\n");
  expect((await payouts("paid")).errors).toContain("Name the payouts, or --run.");
  expect((await payouts("list")).out).toMatch(/^ID +RUN/);
  expect((await payouts("run", "--method", "csv", "--output", file)).out).toContain("Nothing is due");
  expect((await payouts("file", "9")).errors).toContain("There is no payout run 9");
});

test("a SEPA file needs EUR and an account that pays", async () => {
  const run = (settings: Record<string, string>) =>
    runHere(payoutsCommand, ["payouts", "run", "--method", "sepa", "--output", file], {
      DATABASE_URL: url,
      ...settings,
    });
  expect((await run({ CURRENCY: "USD" })).errors).toContain("SEPA pays in EUR");
  expect((await run({ CURRENCY: "EUR" })).errors).toContain("PAYOUT_DEBTOR_NAME");
  expect((await run({ PAYOUT_DEBTOR_NAME: "B", PAYOUT_DEBTOR_IBAN: "DE88370400440532013000" })).errors).toContain(
    "PAYOUT_DEBTOR_IBAN",
  );
});
