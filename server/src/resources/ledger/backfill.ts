import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type ProducersMovement, recordSales } from "./record.ts";

const ordersPerBatch = 1_000;

/**
 * Background job, hourly: records the sales of completed orders that an instance of a release without a ledger completed. The
 * first two runs look at all orders, later ones at those since the run before the last: an order may have been pending.
 */
export class SalesBackfill {
  readonly #db: Queryable;
  /** Ids: the newest orders of the run before the last, and of the last. */
  #newest: [before: number, last: number] = [0, 0];

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Returns how many sales it recorded. */
  async run(stopping?: AbortSignal): Promise<number> {
    let total = 0;
    await runInOneProcess(this.#db, "beatmarket:ledger backfill", async (connection) => {
      let [afterId] = this.#newest;
      for (;;) {
        const { newest, recorded } = await recordBatch(connection, afterId);
        total += recorded;
        if (newest === null || stopping?.aborted === true) break;
        afterId = newest;
      }
      this.#newest = [this.#newest[1], afterId];
    });
    return total;
  }
}

async function recordBatch(db: Queryable, afterId: number): Promise<{ newest: number | null; recorded: number }> {
  return transact(db, async (transaction) => {
    const { rows } = await sql<{ newest: number | null }>`
        select max(id) as newest from (
          select id from orders where id > ${afterId} order by id limit ${ordersPerBatch}) as batch`.execute(
      transaction,
    );
    const newest = rows[0]?.newest ?? null;
    const { rows: missing } = await sql<ProducersMovement>`
        select id as "orderId", payment_provider as provider, amount_cents as "amountCents", currency,
          completed_at as at, producer_id as "producerId"
        from orders where id > ${afterId} and id <= ${newest}
          and status = 'completed' and amount_cents > 0 and not exists (
            select from ledger_transactions where order_id = orders.id and kind = 'sale')
        order by id`.execute(transaction);
    await recordSales(transaction, missing);
    return { newest, recorded: missing.length };
  });
}
