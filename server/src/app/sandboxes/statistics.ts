import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** The tables that grow with the orders of simulated buyers. */
const growing = [
  "orders",
  "sandbox_payments",
  "refunds",
  "disputes",
  "ledger_transactions",
  "ledger_entries",
  "license_log",
  "events",
  "event_feed_entries",
  "webhook_deliveries",
  "webhook_attempts",
  "outgoing_mails",
];
const firstOrders = 64;

/**
 * Keeps the planner's statistics of a sandbox right while its tables grow. PostgreSQL itself updates them once a
 * minute. Until then it would use plans for empty tables, which read whole tables, while thousands of orders are
 * placed.
 */
export class Statistics {
  readonly #db: Queryable;
  /** The number of orders at the beginning. `#known` is the number in the planner's statistics. */
  readonly #before: number;
  #known: number;

  private constructor(db: Queryable, before: number, known: number) {
    this.#db = db;
    this.#before = before;
    this.#known = known;
  }

  static async open(db: Queryable): Promise<Statistics> {
    const { rows } = await sql<{ before: number; known: number }>`
      select (select count(*) from orders) as before, reltuples::bigint as known
      from pg_class where oid = 'orders'::regclass`.execute(db);
    const { before = 0, known = 0 } = rows[0] ?? {};
    return new Statistics(db, before, known);
  }

  /**
   * Updates the statistics if there are at least `firstOrders` orders, and twice as many as at the last update. `added`:
   * the orders since `open`.
   */
  async refresh(added: number): Promise<void> {
    const orders = this.#before + added;
    if (orders < Math.max(firstOrders, 2 * this.#known)) return;
    await sql`analyze ${sql.join(growing.map((table) => sql.table(table)))}`.execute(this.#db);
    this.#known = orders;
  }
}
