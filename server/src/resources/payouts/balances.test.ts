import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { sandboxCheckout } from "../../../test/harness/sandbox-checkout.ts";
import { recordProducerMerged } from "../ledger/record.ts";
import { placeOrders } from "../orders/checkout/place-order.ts";
import { requestRefund } from "../orders/refunds/request-refund.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { readBalance, selectDue } from "./balances.ts";

const dayMs = 86_400_000;

test("a run of payouts reads the same due amount that the balance of each producer shows, on every day", async () => {
  const database = await testDatabase();
  const { query: db, driver } = database;
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const checkout = sandboxCheckout(db, clock);
  const beats = await insertBeats(database, [
    { producer: "Nightowl", priceCents: 1999 },
    { producer: "Dawn", priceCents: 2999 },
    { producer: "Dusk", priceCents: 999 },
  ]);
  const { id: userId } = await findOrCreateAccount(db, { email: "ada@example.com" });
  const orderIds: number[] = [];
  for (let day = 0; day < 20; day++) {
    clock.advance(dayMs);
    const [order] = await placeOrders(checkout, [
      {
        userId,
        beatId: beats[day % 3] ?? 0,
        licenseType: "basic",
        paymentMethod: "pm_card_visa",
        run: null,
        requestId: "balances",
        at: clock.now(),
      },
    ]);
    if (order === undefined || order instanceof Error) throw order;
    orderIds.push(order.id);
    if (day % 4 === 3)
      await requestRefund(checkout, orderIds[day - 2] ?? 0, {
        amountCents: day === 7 ? null : 500,
        origin: "operator",
      });
  }
  const producers = (await driver`select distinct user_id as id from beats order by id`).map(({ id }) => Number(id));
  const [paid = 0, merged = 0, into = 0] = producers;
  await recordProducerMerged(db, { producerId: merged, intoUserId: into, at: new Date(startMs + 15 * dayMs) });
  await driver`
    with movement as (
      insert into ledger_transactions (kind, source, at) values ('payout', 'payout 1', ${clock.now()}) returning id)
    insert into ledger_entries (transaction_id, account, amount_cents, currency)
    select id, account, cents, 'EUR' from movement,
      (values (${`liabilities:producers:${paid}`}, 1500), ('assets:bank', -1500)) as entry (account, cents)`;
  const dueAmounts = new Set<number>();
  const texts = new Set<string>();
  for (let day = 0; day <= 22; day++) {
    const scope = { currency: "EUR", cleared: new Date(startMs + day * dayMs + 1) };
    const accounts = sql`select unnest(${producers}::bigint[]) as user_id`;
    const due = selectDue(accounts, scope);
    texts.add(due.compile(db).sql);
    const { rows } = await sql<{ user_id: number; due: number }>`${due}`.execute(db);
    const expected = [];
    for (const id of producers) expected.push({ user_id: id, due: (await readBalance(db, id, scope)).dueCents });
    expect(rows).toEqual(expected);
    for (const { due } of rows) dueAmounts.add(due);
  }
  // The sales clear one after the other.
  expect(dueAmounts.size).toBeGreaterThan(8);
  // Each text would be another prepared statement, which stays in memory.
  expect(texts.size).toBe(1);
});
