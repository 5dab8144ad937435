import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { beancountText, readBalances } from "./journal.ts";
import { saleShares } from "./order-money.ts";
import {
  recordDispute,
  recordDisputeReversal,
  recordProducerMerged,
  recordRefund,
  recordRefundReversal,
  recordSales,
  recordUnfulfilled,
  SalesBackfill,
} from "./record.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const time = new Date("2026-11-20T12:00:00.000Z");
let producerId = 0;
let buyerId = 0;
let beatId = 0;

beforeEach(async () => {
  await driver`truncate users, beats, orders, ledger_transactions, ledger_entries restart identity cascade`;
  [beatId = 0] = await insertBeats(database, [{ title: 'Say "Hi" \\ 🎵', producer: 'DJ "Quote" 이' }]);
  [{ producerId }] = (await driver`select user_id::int as "producerId" from beats`) as [{ producerId: number }];
  [{ buyerId }] = (await driver`
    insert into users (username, display_name) values ('b', 'B') returning id::int as "buyerId"`) as [
    { buyerId: number },
  ];
});

const makeOrder = async (
  fields: { amountCents?: number; status?: string; provider?: string } = {},
): Promise<number> => {
  const { amountCents = 2_990, status = "completed", provider = "stripe" } = fields;
  const [row] = await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      failure_reason, completed_at, payment_method, payment_provider, payment_key, created_at)
    select ${buyerId}, id, title, user_id, 'P', 'basic', ${amountCents}, 'USD', ${status},
      case ${status} when 'failed' then 'declined' end, case ${status} when 'completed' then ${time}::timestamptz end,
      'pm', ${provider}, gen_random_uuid()::text, ${time} from beats where id = ${beatId} returning id::int`;
  return Number(row?.id);
};
const movement = (orderId: number, amountCents = 2_990) => ({
  orderId,
  provider: "stripe",
  producerId,
  amountCents,
  currency: "USD",
  at: time,
});
const balances = async () => {
  const balanceOf: Record<string, number> = {};
  for await (const page of readBalances(db, null))
    for (const { account, amount_cents } of page) balanceOf[account] = amount_cents;
  return balanceOf;
};
const owed = (cents: number, producer = producerId) => ({ [`liabilities:producers:${producer}`]: -cents });

describe("the balances", () => {
  test("change once for every kind of movement, and sum to zero", async () => {
    const [sold, failed] = [await makeOrder(), await makeOrder({ status: "failed" })];
    const steps: [work: () => Promise<void>, expected: Record<string, number>][] = [
      [() => recordSales(db, [movement(sold)]), { "assets:stripe": 2_990, ...owed(2_990) }],
      [() => recordRefund(db, { ...movement(sold, 990), refundId: 1 }), { "assets:stripe": 2_000, ...owed(2_000) }],
      [
        () => recordRefundReversal(db, { ...movement(sold, 990), refundId: 1 }),
        { "assets:stripe": 2_990, ...owed(2_990) },
      ],
      [() => recordDispute(db, { ...movement(sold), reference: "dp_1" }), {}],
      [
        () => recordDisputeReversal(db, { ...movement(sold), reference: "dp_1" }),
        { "assets:stripe": 2_990, ...owed(2_990) },
      ],
      [
        () => recordUnfulfilled(db, movement(failed, 500)),
        { "assets:stripe": 3_490, "liabilities:buyers": -500, ...owed(2_990) },
      ],
      [
        () => recordRefund(db, { ...movement(failed, 500), producerId: null, refundId: 2 }),
        { "assets:stripe": 2_990, ...owed(2_990) },
      ],
      [() => recordSales(db, [movement(sold, 0)]), { "assets:stripe": 2_990, ...owed(2_990) }],
      [
        () => recordProducerMerged(db, { producerId, intoUserId: buyerId, at: time }),
        { "assets:stripe": 2_990, ...owed(2_990, buyerId) },
      ],
    ];
    for (const [record, expected] of steps)
      for (const _ of ["recorded", "recorded again"]) {
        await record();
        expect(await balances()).toEqual(expected);
      }
    const kinds = await driver`select kind from ledger_transactions order by id`;
    expect(kinds.map(({ kind }) => kind)).toEqual([
      "sale",
      "refund",
      "refund_reversal",
      "dispute",
      "dispute_reversal",
      "unfulfilled",
      "refund",
      "producer_merged",
    ]);
  });

  test("stay empty if the fact is rolled back", async () => {
    const sold = await makeOrder();
    const rolledBack = transact(db, async (transaction) => {
      await recordSales(transaction, [movement(sold)]);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await balances()).toEqual({});
  });

  test("of the claiming account include later sales of the claimed producer", async () => {
    const sold = await makeOrder();
    await driver`update users set joined_user_id = ${buyerId} where id = ${producerId}`;
    await recordSales(db, [movement(sold)]);
    expect(await balances()).toEqual({ "assets:stripe": 2_990, ...owed(2_990, buyerId) });
  });

  test("move completely to the claiming account if a sale and the claim are concurrent", async () => {
    const sold = await makeOrder();
    let recorded = Promise.resolve();
    await transact(db, async (claim) => {
      await claim.selectFrom("users").select("id").where("id", "=", producerId).forNoKeyUpdate().execute();
      recorded = transact(db, (sale) => recordSales(sale, [movement(sold)]));
      await untilLockIsAwaited();
      await claim.updateTable("users").set({ joined_user_id: buyerId }).where("id", "=", producerId).execute();
      await recordProducerMerged(claim, { producerId, intoUserId: buyerId, at: time });
    });
    await recorded;
    expect(await balances()).toEqual({ "assets:stripe": 2_990, ...owed(2_990, buyerId) });
  });
});

describe("a sale with a commission and a split", () => {
  const setTerms = async (orderId: number, commission: number, shares: Record<number, number>) => {
    await driver`update orders set commission_basis_points = ${commission} where id = ${orderId}`;
    for (const [userId, basisPoints] of Object.entries(shares))
      await driver`insert into order_shares values (${orderId}, ${userId}, ${basisPoints})`;
  };

  test("gives each party its share of the rest after refunds, a returned refund and a dispute", async () => {
    const refunds = fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 4 });
    const shareTerms = fc.record({
      commission: fc.integer({ min: 0, max: 10_000 }),
      buyerBasisPoints: fc.integer({ min: 1, max: 9_999 }),
    });
    await fc.assert(
      fc.asyncProperty(shareTerms, refunds, fc.boolean(), async ({ commission, buyerBasisPoints }, parts, isUndone) => {
        await driver`truncate order_shares, orders, ledger_transactions, ledger_entries cascade`;
        const sold = await makeOrder();
        await setTerms(sold, commission, { [buyerId]: buyerBasisPoints, [producerId]: 10_000 - buyerBasisPoints });
        await recordSales(db, [movement(sold)]);
        let remainingCents = 2_990;
        const expectShares = async () => {
          const { commissionCents, parties } = saleShares(remainingCents, {
            commissionBasisPoints: commission,
            parties: [
              { userId: producerId, basisPoints: 10_000 - buyerBasisPoints },
              { userId: buyerId, basisPoints: buyerBasisPoints },
            ],
          });
          const expected = Object.fromEntries(
            [
              ["assets:stripe", remainingCents] as const,
              ["income:commission", -commissionCents] as const,
              ...parties.map(({ userId, cents }) => [`liabilities:producers:${userId}`, -cents] as const),
            ].filter(([, cents]) => cents !== 0),
          );
          expect(await balances()).toEqual(expected);
        };
        await expectShares();
        for (const [index, part] of parts.entries()) {
          remainingCents -= part;
          await recordRefund(db, { ...movement(sold, part), refundId: index + 1 });
          await expectShares();
        }
        if (isUndone && parts[0] !== undefined) {
          remainingCents += parts[0];
          await recordRefundReversal(db, { ...movement(sold, parts[0]), refundId: 1 });
          await expectShares();
        }
        await recordDispute(db, { ...movement(sold, remainingCents), reference: "dp_rest" });
        expect(await balances()).toEqual({});
      }),
      { numRuns: 25 },
    );
  });

  test("that an instance of an earlier release recorded is corrected by the next movement", async () => {
    const sold = await makeOrder();
    await recordSales(db, [movement(sold)]);
    await setTerms(sold, 1_000, {});
    await recordRefund(db, { ...movement(sold, 990), refundId: 1 });
    expect(await balances()).toEqual({ "assets:stripe": 2_000, "income:commission": -200, ...owed(1_800) });
  });

  test("belongs to the account that claimed its producer, also after later movements", async () => {
    const sold = await makeOrder();
    await setTerms(sold, 1_000, {});
    await recordSales(db, [movement(sold)]);
    await driver`update users set joined_user_id = ${buyerId} where id = ${producerId}`;
    await recordProducerMerged(db, { producerId, intoUserId: buyerId, at: time });
    await recordRefund(db, { ...movement(sold, 990), refundId: 1 });
    expect(await balances()).toEqual({ "assets:stripe": 2_000, "income:commission": -200, ...owed(1_800, buyerId) });
  });
});

/** Resolves when a statement waits for a lock. */
async function untilLockIsAwaited(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from pg_locks where not granted) as waits`.execute(db);
    if (rows[0]?.waits === true) return;
  }
}

describe("the database refuses", () => {
  const insert = (cents: number) =>
    driver`with t as (insert into ledger_transactions (kind, source, at) values ('sale', 'order 1', now()) returning id)
      insert into ledger_entries select id, 'assets:stripe', ${cents}, 'USD' from t`;

  test("entries that do not sum to zero in each currency", async () => {
    await expect(insert(5)).rejects.toThrow(/do not sum to zero/);
    await expect(driver`
      with t as (insert into ledger_transactions (kind, source, at) values ('sale', 'order 1', now()) returning id)
      insert into ledger_entries select id, account, cents, currency from t,
        (values ('assets:stripe', 5, 'USD'), ('liabilities:buyers', -5, 'EUR')) as entry (account, cents, currency)`).rejects.toThrow(
      /do not sum to zero/,
    );
    expect(await driver`select from ledger_transactions`).toEqual([]);
  });

  test("a later statement that does not sum to zero, also in a transaction that a further statement would balance", async () => {
    await recordSales(db, [movement(await makeOrder())]);
    const add = (on: typeof driver, account: string, cents: number) =>
      on`insert into ledger_entries select max(id), ${account}::text, ${cents}, 'USD' from ledger_transactions`;
    await expect(add(driver, "assets:bank", 5)).rejects.toThrow(/do not sum to zero/);
    const twoStatements = driver.begin(async (transaction) => {
      await add(transaction as unknown as typeof driver, "assets:bank", 5);
      await add(transaction as unknown as typeof driver, "liabilities:buyers", -5);
    });
    await expect(twoStatements).rejects.toThrow(/do not sum to zero/);
  });

  test("changes and deletions of entries and transactions", async () => {
    await recordSales(db, [movement(await makeOrder())]);
    for (const statement of [
      "update ledger_entries set amount_cents = -amount_cents",
      "delete from ledger_entries",
      "update ledger_transactions set at = now()",
      "delete from ledger_transactions",
    ])
      await expect(sql.raw(statement).execute(db)).rejects.toThrow("the ledger is append-only");
  });
});

test("the backfill records missing sales of completed orders once, and checks the newest orders again", async () => {
  const before = await makeOrder();
  await recordSales(db, [movement(before)]);
  await makeOrder();
  await makeOrder({ amountCents: 0 });
  await makeOrder({ status: "failed" });
  const pending = await makeOrder({ status: "pending" });
  const backfill = new SalesBackfill(db);
  expect(await backfill.run()).toBe(1);
  await driver`update orders set status = 'completed', completed_at = ${time} where id = ${pending}`;
  await makeOrder({ provider: "sandbox" });
  expect([await backfill.run(), await backfill.run()]).toEqual([2, 0]);
  expect(await balances()).toEqual({ "assets:sandbox": 2_990, "assets:stripe": 3 * 2_990, ...owed(4 * 2_990) });
});

describe("an export for beancount", () => {
  const beancountOf = async (from: string | null = null, to: string | null = null) => {
    let exportText = "";
    const period = {
      siteName: "Beat Marketplace",
      from: from === null ? null : new Date(from),
      to: to === null ? null : new Date(to),
    };
    for await (const part of beancountText(db, period)) exportText += part;
    return exportText;
  };

  test("opens the accounts, and escapes names and titles", async () => {
    const sold = await makeOrder();
    await recordSales(db, [movement(sold)]);
    expect(await beancountOf()).toBe(`; The ledger of Beat Marketplace. Times are UTC.
option "title" "Beat Marketplace"

2026-11-20 open Assets:Stripe
2026-11-20 open Liabilities:Producers:${producerId}
  name: "DJ \\"Quote\\" 이"

2026-11-20 * "Sale" "Say \\"Hi\\" \\\\ 🎵, basic" #sale ^order-${sold}
  source: "order ${sold}"
  at: "2026-11-20T12:00:00.000Z"
  transaction: 1
  Assets:Stripe  29.90 USD
  Liabilities:Producers:${producerId}  -29.90 USD

`);
  });

  test("of a period begins with the opening balances, and excludes the end of the period", async () => {
    const [first, second, third] = [await makeOrder(), await makeOrder(), await makeOrder()];
    await recordSales(db, [movement(first, 100)]);
    await recordSales(db, [{ ...movement(second, 20), at: new Date("2026-11-21T00:00:00Z") }]);
    await recordSales(db, [{ ...movement(third, 3), at: new Date("2026-11-22T00:00:00Z") }]);
    const journal = await beancountOf("2026-11-21", "2026-11-22");
    expect(journal).toContain(
      `2026-11-21 * "Opening balances"\n  Assets:Stripe  1.00 USD\n  Liabilities:Producers:${producerId}  -1.00 USD\n`,
    );
    expect(journal.match(/ USD$/gm)).toHaveLength(4);
    expect(journal).toContain("Assets:Stripe  0.20 USD");
  });

  test("of an empty ledger has only the header", async () => {
    expect(await beancountOf()).toBe(
      '; The ledger of Beat Marketplace. Times are UTC.\noption "title" "Beat Marketplace"\n\n',
    );
  });
});
