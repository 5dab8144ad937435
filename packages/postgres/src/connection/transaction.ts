import type { IsolationLevel, Kysely } from "kysely";

export interface TransactionOptions {
  /** Absent: the server's default. */
  isolation?: IsolationLevel;
  readOnly?: boolean;
  /** How often `work` may run. 1 for work with effects that a rollback does not undo. Default 3. */
  attempts?: number;
}

/** PostgreSQL aborted one of two transactions that waited for each other. */
const deadlockDetected = "40P01";

/**
 * Runs `work` in a transaction. Runs it again if PostgreSQL aborted the transaction because of a deadlock. If `db` is a
 * transaction, runs `work` within it, and ignores the options.
 */
export async function transact<Tables, T>(
  db: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<T>,
  { isolation, readOnly = false, attempts = 3 }: TransactionOptions = {},
): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt++) {
    try {
      let transaction = db.transaction();
      if (isolation !== undefined) transaction = transaction.setIsolationLevel(isolation);
      if (readOnly) transaction = transaction.setAccessMode("read only");
      return await transaction.execute(work);
    } catch (error) {
      if (attempt === attempts || (error as { code?: string }).code !== deadlockDetected) throw error;
    }
  }
}
