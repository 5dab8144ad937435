import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** The number of items that the reconciler has yet to settle, and the age of the oldest in seconds; 0 without any. */
interface Pending {
  waiting: number;
  oldestSeconds: number;
}

const tables = ["orders", "refunds"] as const;
type Table = (typeof tables)[number];

/** The last measured numbers of pending orders and refunds, so that a scrape of metrics costs no statement. */
export class PendingPaymentsWatch {
  readonly state: Record<Table, Pending> = {
    orders: { waiting: 0, oldestSeconds: 0 },
    refunds: { waiting: 0, oldestSeconds: 0 },
  };

  async measure(db: Queryable, now: Date): Promise<void> {
    for (const table of tables) {
      const { rows } = await sql<Pending>`
        select count(*)::int as waiting,
          coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(created_at))), 0)::float8 as "oldestSeconds"
        from ${sql.table(table)} where status = 'pending'`.execute(db);
      const [measured] = rows;
      if (measured !== undefined) this.state[table] = measured;
    }
  }
}
