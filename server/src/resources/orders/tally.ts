import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { addDownloads } from "../beats/write/plays.ts";

const batchSize = 2_000;

/**
 * A part of a statement that makes orders final: queues the orders of the CTE `final` for `tallyOrders`. The statement
 * also sets `tallied`, so that an instance of an earlier release does not tally the orders again.
 */
export const queueTally = sql`
  insert into orders_to_tally (order_id, user_id, producer_id, beat_id, status, completed_at)
  select id, user_id, producer_id, beat_id, status, completed_at from final`;

/**
 * Adds the queued final orders to `order_counts`, and the completed ones also to `sales_counts` and to the download
 * count of their beat. Deletes all from the queue in the same transaction, so that each order counts exactly once. An
 * advisory lock lets one instance tally at a time; the others return 0. Returns the number of tallied orders.
 */
export async function tallyOrders(db: Queryable): Promise<number> {
  let total = 0;
  let tallied: number;
  do {
    tallied = await transact(db, tallyBatch);
    total += tallied;
  } while (tallied >= batchSize);
  return total;
}

interface FinalOrder {
  user_id: number;
  beat_id: number;
  status: string;
}

async function tallyBatch(transaction: Queryable): Promise<number> {
  const { rows: locks } = await sql<{ acquired: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('beatmarket:tally')) as acquired`.execute(transaction);
  if (locks[0]?.acquired !== true) return 0;
  const orders = [...(await takeQueued(transaction)), ...(await takeUnqueued(transaction))];
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

/** Deletes a batch of orders from the queue and returns them. Adds their sales to `sales_counts`. */
async function takeQueued(transaction: Queryable): Promise<FinalOrder[]> {
  const { rows } = await sql<FinalOrder>`
    with taken as (
      delete from orders_to_tally where order_id in (select order_id from orders_to_tally order by order_id limit ${batchSize})
      returning user_id, producer_id, beat_id, status, completed_at
    ), counted as (
      insert into sales_counts (producer_id, day, sales)
      select producer_id, date_trunc('day', completed_at, 'UTC'), count(*) from taken where completed_at is not null group by 1, 2
      on conflict (producer_id, day) do update set sales = sales_counts.sales + excluded.sales
    )
    select user_id, beat_id, status from taken`.execute(transaction);
  return rows;
}

/**
 * Returns orders that instances of a release without the queue made final, and marks these orders as tallied. A trigger
 * has counted their sales.
 */
async function takeUnqueued(transaction: Queryable): Promise<FinalOrder[]> {
  const { rows } = await sql<FinalOrder>`
    update orders set tallied = true
    where id in (select id from orders where not tallied and status <> 'pending' limit ${batchSize})
    returning user_id, beat_id, status`.execute(transaction);
  return rows;
}
