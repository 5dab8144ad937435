import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { recordSales } from "../ledger/record.ts";
import { collect, openRun, runPayouts } from "./run-payouts.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const currency = "EUR";
const cleared = new Date("2026-11-20T00:00:00Z");
const soldAt = new Date("2026-11-01T00:00:00Z");
const now = () => new Date("2026-11-27T12:00:00Z");
/** More than two batches of accounts. */
const producerCount = 2_100;

test("a run that stopped between two batches can be resumed, and pays each balance exactly once", async () => {
  const [beat = 0] = await insertBeats(database, [{}]);
  const users = await driver<{ id: number }[]>`
    insert into users (username, display_name) select 'p' || n, 'P' || n from generate_series(1, ${producerCount}::int) n
    returning id::int as id`;
  await driver`insert into payout_accounts (user_id, holder, iban, updated_at)
    select id, 'Nightowl', 'NL91ABNA0417164300', ${soldAt} from users where id = any (${users.map(({ id }) => id)}::bigint[])`;
  const orders = await driver<{ id: number; producer: number }[]>`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      completed_at, payment_method, payment_provider, payment_key, created_at)
    select id, ${beat}, 'Midnight', id, 'P', 'basic', 1000, ${currency}, 'completed', ${soldAt}, 'pm', 'stripe',
      gen_random_uuid()::text, ${soldAt} from unnest(${users.map(({ id }) => id)}::bigint[]) as id
    returning id::int as id, producer_id::int as producer`;
  const sales = orders.map(({ id, producer }) => ({
    orderId: id,
    provider: "stripe" as const,
    producerId: producer,
    amountCents: 1_000,
    currency,
    at: soldAt,
  }));
  await recordSales(db, sales);

  const stopped = await openRun(db, { method: "csv", currency, cleared, now: now() });
  let batches = 0;
  const stopAfterFirstBatch = () => {
    if (++batches > 1) throw new Error("The process ends.");
    return now();
  };
  await expect(collect(db, stopped.id, stopAfterFirstBatch)).rejects.toThrow("The process ends.");
  const sumPayouts = async () =>
    (
      await driver`select count(*)::int as count, count(distinct user_id)::int as users,
    sum(amount_cents)::int as cents from payouts`
    ).map((row) => ({ ...row }))[0];
  expect(await sumPayouts()).toEqual({ count: 1_000, users: 1_000, cents: 1_000_000 });

  const transfers = { find: () => Promise.reject(new Error()), make: () => Promise.reject(new Error()) };
  const resume = () =>
    runPayouts({ db, now, publicUrl: "https://beats.example", transfers }, { method: "csv", currency, cleared });
  expect((await resume()).run.id).toBe(stopped.id);
  const expectedTotals = { count: producerCount, users: producerCount, cents: producerCount * 1_000 };
  expect(await sumPayouts()).toEqual(expectedTotals);
  expect((await resume()).count).toBe(0);
  expect(await sumPayouts()).toEqual(expectedTotals);
  expect((await driver`select sum(amount_cents)::int as sum from ledger_entries`)[0]?.sum).toBe(0);
});
