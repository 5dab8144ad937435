import { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { textOfPdf } from "@beatmarket/documents/testing/text-of-pdf.ts";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { producerAccount } from "../ledger/order-money.ts";
import { recordDispute, recordDisputeReversal, recordRefund, recordSales } from "../ledger/record.ts";
import { recordPayouts } from "../ledger/record-payouts.ts";
import { printStatement } from "./pdf/statement-document.ts";
import { readStatement, type Statement, statementCsv } from "./statement.ts";

const database = await testDatabase();
const { query: db, driver } = database;
/** The timeout is long, because five thousand lines need much time on a busy machine. */
const printer = new DocumentPrinter({ timeoutMs: 300_000 });
const pdfium = await PDFiumLibrary.init();
afterAll(async () => {
  await printer.close();
  pdfium.destroy();
});
const [beat = 0] = await insertBeats(database, [{ title: "Midnight" }]);
const [{ producer = 0 } = {}] = await driver`select user_id::int as producer from beats where id = ${beat}`;
const [{ other = 0 } = {}] =
  await driver`insert into users (username, display_name) values ('o', 'O') returning id::int as other`;
const months = ["2026-01", "2026-02", "2026-03"] as const;
const currency = "EUR";

async function sell(
  time: Date,
  { amountCents, commission, part }: { amountCents: number; commission: number; part: number },
) {
  const [{ id = 0 } = {}] = await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status, completed_at,
      payment_method, payment_provider, payment_key, created_at, commission_basis_points)
    values (${other}, ${beat}, 'Midnight', ${producer}, 'P', 'basic', ${amountCents}, ${currency}, 'completed', ${time}, 'pm', 'stripe',
      gen_random_uuid()::text, ${time}, ${commission}) returning id::int`;
  if (part > 0)
    await driver`insert into order_shares (order_id, user_id, basis_points)
      values (${id}, ${producer}, ${10_000 - part}), (${id}, ${other}, ${part})`;
  const sale = { orderId: id, provider: "stripe", producerId: producer, amountCents, currency, at: time };
  await recordSales(db, [sale]);
  return sale;
}

const readStatements = (userId: number) =>
  Promise.all(months.map((month) => readStatement(db, userId, { month, currency })));

const balanceOf = async (userId: number): Promise<number> => {
  const [{ cents = 0 } = {}] = await driver`
    select -coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where account = ${producerAccount(userId)}`;
  return cents;
};

/** Returns the sum of the lines between the two balances of a CSV, in cents. */
const sumOfCsv = (csv: string): number =>
  csv
    .trim()
    .split("\r\n")
    .slice(2, -1)
    .reduce((sum, line) => sum + Math.round(Number(line.split(",").at(-2)) * 100), 0);

const sale = fc.record({
  month: fc.integer({ min: 0, max: 2 }),
  amountCents: fc.integer({ min: 1, max: 99_999 }),
  commission: fc.integer({ min: 0, max: 3_000 }),
  part: fc.constantFrom(0, 1, 2_500, 3_333),
  refund: fc.double({ min: 0, max: 1, noNaN: true }),
  fate: fc.constantFrom("kept", "refunded", "disputed", "won"),
  paid: fc.boolean(),
});

test("statements of several months equal the ledger to the cent, for producer and collaborator", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sale, { minLength: 1, maxLength: 6 }), async (sales) => {
      await driver`truncate ledger_entries, ledger_transactions, orders cascade`;
      let soldCount = 0;
      let gross = 0;
      for (const { month, refund, fate, paid, ...terms } of sales) {
        const time = new Date(`${months[month]}-0${1 + (soldCount % 9)}T00:00:00Z`);
        const sold = await sell(time, terms);
        gross += terms.amountCents;
        soldCount++;
        const later = { ...sold, at: new Date(time.getTime() + 20 * 86_400_000) };
        const amountCents = Math.floor(refund * terms.amountCents);
        if (fate === "refunded") await recordRefund(db, { ...later, amountCents, refundId: soldCount });
        if (fate === "disputed" || fate === "won") await recordDispute(db, { ...later, reference: `dp_${soldCount}` });
        if (fate === "won") await recordDisputeReversal(db, { ...later, reference: `dp_${soldCount}` });
        const payout = {
          payoutId: soldCount,
          userId: producer,
          amountCents: 1 + soldCount,
          currency,
          assets: "assets:bank",
        };
        if (paid) await recordPayouts(db, "payout", [payout], later.at);
      }
      for (const userId of [producer, other]) {
        const statements = await readStatements(userId);
        let balance = 0;
        for (const statement of statements) {
          expect(statement.openingCents).toBe(balance);
          balance = statement.closingCents;
          expect(statement.openingCents + sumOfCsv(statementCsv(statement))).toBe(statement.closingCents);
        }
        expect(balance).toBe(await balanceOf(userId));
        const lines = statements.flatMap((each) => each.lines);
        const kinds = new Set(lines.map(({ kind }) => kind));
        if (userId === other) expect([...kinds].every((kind) => kind.startsWith("split_of_"))).toBe(true);
        else expect(lines.filter(({ kind }) => kind === "sale").reduce((sum, { cents }) => sum + cents, 0)).toBe(gross);
      }
    }),
    { numRuns: 25 },
  );
});

const textOf = (pdf: Uint8Array): Promise<string> => textOfPdf(pdfium, pdf);

test("a statement names sale, commission and splits, and its PDF has the same lines", async () => {
  await driver`truncate ledger_entries, ledger_transactions, orders cascade`;
  await sell(new Date("2026-02-03T10:00:00Z"), { amountCents: 10_000, commission: 1_500, part: 2_500 });
  const [, statement] = await readStatements(producer);
  expect(statement?.lines.map(({ kind, cents }) => [kind, cents])).toEqual([
    ["sale", 10_000],
    ["commission", -1_500],
    ["splits_with_others", -2_125],
  ]);
  const text = await textOf(
    await printStatement(printer, { statement: statement as Statement, holder: "Nightowl نور" }),
  );
  for (const part of [
    "Statement of 2026-02",
    "Nightowl",
    "Opening balance",
    "0.00 EUR",
    "Sale",
    "100.00",
    "Commission",
    "-15.00",
    "Splits with others",
    "-21.25",
    "Closing balance",
    "63.75 EUR",
  ])
    expect(text).toContain(part);
  expect((await readStatements(other))[1]?.lines.map(({ kind, cents }) => [kind, cents])).toEqual([
    ["split_of_sale", 2_125],
  ]);
});

test("a PDF with too many lines is rejected with the alternative", async () => {
  const line = { at: new Date(0), kind: "sale", orderId: 1, title: "T", cents: 1 };
  const statement = { month: "2026-01", currency, openingCents: 0, closingCents: 0, lines: Array(5_001).fill(line) };
  await expect(printStatement(printer, { statement, holder: "P" })).rejects.toMatchObject({
    status: 409,
    details: "The statement of 2026-01 has more than 5000 lines. Take it as CSV.",
  });
  const longestStatement = { ...statement, lines: statement.lines.slice(1) };
  expect((await printStatement(printer, { statement: longestStatement, holder: "P" })).length).toBeGreaterThan(10_000);
});
