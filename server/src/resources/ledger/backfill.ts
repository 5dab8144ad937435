import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { producersAccounts } from "./record.ts";

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
    await runInOneProcess(this.#db, "beatmarket:ledger backfill", async () => {
      let [afterId] = this.#newest;
      for (;;) {
        const { newest, recorded } = await this.#recordBatch(afterId);
        total += recorded;
        if (newest === null || stopping?.aborted === true) break;
        afterId = newest;
      }
      this.#newest = [this.#newest[1], afterId];
    });
    return total;
  }

  async #recordBatch(afterId: number): Promise<{ newest: number | null; recorded: number }> {
    const { rows } = await sql<{ newest: number | null; recorded: number }>`
      with batch as (
        select id from orders where id > ${afterId} order by id limit ${ordersPerBatch}
      ), missing as (
        select orders.id, orders.payment_provider, orders.amount_cents, orders.currency, orders.completed_at,
          coalesce(users.joined_user_id, users.id) as owner_id
        from batch join orders on orders.id = batch.id join users on users.id = orders.producer_id
        where orders.status = 'completed' and orders.amount_cents > 0 and not exists (
          select from ledger_transactions where order_id = orders.id and kind = 'sale')
        for share of users
      ), recorded as (
        insert into ledger_transactions (kind, source, order_id, at)
        select 'sale', 'order ' || id, id, completed_at from missing
        on conflict (source, kind) do nothing returning id, order_id
      ), entered as (
        insert into ledger_entries (transaction_id, account, amount_cents, currency)
        select recorded.id, entry.account, entry.amount_cents, missing.currency
        from recorded join missing on missing.id = recorded.order_id, lateral
          (values ('assets:' || missing.payment_provider, missing.amount_cents::bigint),
                  (${producersAccounts} || missing.owner_id, -missing.amount_cents::bigint)) as entry (account, amount_cents)
      )
      select (select max(id) from batch) as newest, (select count(*) from recorded) as recorded`.execute(this.#db);
    return rows[0] ?? { newest: null, recorded: 0 };
  }
}
