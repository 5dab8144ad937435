import { sql } from "kysely";
import type { Queryable } from "./connection/connect.ts";

/** The maximum number of rows that one statement changes, so that no lock is held for long. */
export const batchSize = 5_000;

/** Repeats a statement that changes up to `batchSize` rows until it changes fewer. Returns the total number of rows. */
export async function inBatches(changeBatch: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await changeBatch();
    total += count;
    if (count < batchSize) return total;
  }
}

/**
 * Runs `work` unless another process is running the same job now. Returns whether it ran. `work` must use the
 * connection that it gets, which holds the lock. With a second connection for each job, concurrent jobs could use up
 * the pool and wait for each other.
 */
export const runInOneProcess = <Tables>(
  db: Queryable<Tables>,
  job: string,
  work: (connection: Queryable<Tables>) => Promise<void>,
): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    const { rows } = await sql<{ isFree: boolean }>`
      select pg_try_advisory_lock(hashtext(${job})) as "isFree"`.execute(connection);
    if (rows[0]?.isFree !== true) return false;
    try {
      await work(connection);
      return true;
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${job}))`.execute(connection).catch(() => {});
    }
  });
