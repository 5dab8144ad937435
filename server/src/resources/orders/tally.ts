import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { transact } from "../../database/connection/transaction.ts";
import { addDownloads } from "../beats/catalogue/counts.ts";

const batch = 2_000;

/**
 * Counts the orders that have reached their final state since the last time: into order_counts, and a completed one as
 * a download of its beat. Each order is marked in the same transaction, so none is lost or counted twice. One instance
 * does so at a time; another's call counts nothing. Returns how many orders were counted.
 */
export async function tallyOrders(db: Queryable): Promise<number> {
  let total = 0;
  let tallied: number;
  do {
    tallied = await transact(db, tallyBatch);
    total += tallied;
  } while (tallied === batch);
  return total;
}

async function tallyBatch(transaction: Queryable): Promise<number> {
  const { rows: turns } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('beatmarket:tally')) as mine`.execute(transaction);
  if (turns[0]?.mine !== true) return 0;
  const { rows: orders } = await sql<{ user_id: number; beat_id: number; status: string }>`
    update orders set tallied = true
    where id in (select id from orders where not tallied and status <> 'pending' limit ${batch})
    returning user_id, beat_id, status`.execute(transaction);
  if (orders.length === 0) return 0;
  await sql`
    insert into order_counts (user_id, status, count)
    select user_id, status, count(*)
    from unnest(${orders.map(({ user_id }) => user_id)}::bigint[], ${orders.map(({ status }) => status)}::text[])
      as tallied (user_id, status)
    group by user_id, status
    on conflict (user_id, status) do update set count = order_counts.count + excluded.count`.execute(transaction);
  await addDownloads(
    transaction,
    orders.filter(({ status }) => status === "completed").map(({ beat_id }) => beat_id),
  );
  return orders.length;
}
