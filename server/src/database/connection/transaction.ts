import type { Queryable } from "./connect.ts";

const attempts = 3;
/** PostgreSQL ended one of two transactions that waited for each other. */
const deadlockDetected = "40P01";

/**
 * Runs `work` in a transaction, or within the one that `db` is. Another try follows when PostgreSQL ended it to break a
 * deadlock, so `work` must do nothing that is not undone with the transaction.
 */
export async function transact<T>(db: Queryable, work: (transaction: Queryable) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === attempts || (error as { code?: string }).code !== deadlockDetected) throw error;
    }
  }
}
