import { readerSuffix } from "@beatmarket/postgres/session-names.ts";
import { sql } from "kysely";
import type { Database, Queryable } from "../../../database/connect.ts";

const maxAttempts = 5;

/** The settings of an import's connections. */
const settings = {
  // A crash may lose the last batches. The next import of the file writes them again.
  synchronous_commit: "off",
  // Statistics do not include the rows of the import yet, so the planner is restricted to plans for tables of any size.
  jit: "off",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  work_mem: "64MB",
};

/** A connection of the pool with the settings of an import. */
export class ImportSession {
  readonly db: Queryable;
  readonly #release: () => void;

  private constructor(db: Queryable, release: () => void) {
    this.db = db;
    this.#release = release;
  }

  /** `onBackend` receives the process id of the PostgreSQL backend that serves the connection. */
  static async open({ query }: Database, onBackend: (pid: number) => void): Promise<ImportSession> {
    const session = await new Promise<ImportSession>((resolve, reject) => {
      query
        .connection()
        .execute((db) => new Promise<void>((release) => resolve(new ImportSession(db, release))))
        .catch(reject);
    });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session.db);
    if (rows[0] !== undefined) onBackend(rows[0].pid);
    for (const [name, value] of Object.entries(settings))
      await sql`set ${sql.id(name)} = ${sql.lit(value)}`.execute(session.db);
    return session;
  }

  /** Returns the connection to the pool in its original state. */
  async close(): Promise<void> {
    await sql`discard temporary`.execute(this.db).catch(() => {});
    await sql`reset all`.execute(this.db).catch(() => {});
    this.#release();
  }
}

/**
 * Whether any client has read the catalogue within the last half second. Readers under another role of PostgreSQL may
 * be invisible, and do not count.
 */
export async function isBeingRead(db: Queryable): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and right(application_name, ${readerSuffix.length}::integer) = ${readerSuffix}
      and state_change > clock_timestamp() - interval '0.5 seconds' limit 1`.execute(db);
  return rows.length > 0;
}

/** Whether a retry may succeed: after a deadlock, a serialization failure or a unique violation. */
export const isRetryable = (error: unknown): boolean =>
  ["40P01", "40001", "23505"].includes((error as { code?: string }).code ?? "");

/** Retries work that failed with a conflict, up to `maxAttempts` times. `attempt` counts from 1. */
export async function withRetries<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isRetryable(error) || attempt === maxAttempts) throw error;
    }
  }
}
