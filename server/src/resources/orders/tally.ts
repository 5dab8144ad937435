import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { addDownloads } from "../beats/write/plays.ts";

const batchSize = 2_000;

/**
 * Adds newly final orders to `order_counts`, and completed orders to the download count of their beat. Marks each order
 * in the same transaction, so that each order counts exactly once. An advisory lock lets one instance tally at a time;
 * the others return 0. Returns the number of tallied orders.
 */
export async function tallyOrders(db: Queryable): Promise<number> {
  let total = 0;
  let tallied: number;
  do {
    tallied = await transact(db, tallyBatch);
    total += tallied;
  } while (tallied === batchSize);
  return total;
}

async function tallyBatch(transaction: Queryable): Promise<number> {
  const { rows: locks } = await sql<{ acquired: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('beatmarket:tally')) as acquired`.execute(transaction);
  if (locks[0]?.acquired !== true) return 0;
  const { rows: orders } = await sql<{ user_id: number; beat_id: number; status: string }>`
    update orders set tallied = true
    where id in (select id from orders where not tallied and status <> 'pending' limit ${batchSize})
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
