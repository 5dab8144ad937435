import type { ReservedSql } from "postgres";
import { type Database, readerSuffix } from "../../../database/connection/connect.ts";

const maxAttempts = 5;

/**
 * Reserves a connection of the pool and applies the settings of an import. Release it with `releaseSession`. Calls
 * `onBackend` with the process id of its PostgreSQL backend.
 */
export async function reserveSession({ driver }: Database, onBackend: (pid: number) => void): Promise<ReservedSql> {
  const sql = await driver.reserve();
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  if (backend !== undefined) onBackend(backend.pid);
  // A crash may lose the last batches; importing the file again restores them.
  await sql`set synchronous_commit = off`;
  // Plans that suit tables of any size: the statistics lag behind the rows that the import adds.
  await sql`set jit = off`;
  await sql`set enable_seqscan = off`;
  await sql`set enable_hashjoin = off`;
  await sql`set enable_mergejoin = off`;
  // Each lookup of a concurrent search scans the pending list of the GIN indexes, so keep it short.
  await sql`set gin_pending_list_limit = '512kB'`;
  await sql`set work_mem = '64MB'`;
  return sql;
}

/** Resets and releases a connection. A lost connection releases itself. */
export async function releaseSession(sql: ReservedSql): Promise<void> {
  await sql`discard temporary`.catch(() => {});
  await sql`reset all`.catch(() => {});
  sql.release();
}

/**
 * Whether any client has read the catalogue of this PostgreSQL within the last half second. Readers under another role
 * may be invisible and then do not count.
 */
export async function isBeingRead(sql: ReservedSql): Promise<boolean> {
  const readers = await sql`
    select from pg_stat_activity
    where datname = current_database() and right(application_name, ${readerSuffix.length}::integer) = ${readerSuffix}
      and state_change > clock_timestamp() - interval '0.5 seconds' limit 1`;
  return readers.length > 0;
}

const wordIndexes = ["beats_search", "users_search", "search_words_keys"];

/** Merges the pending lists of the GIN indexes, which searches would otherwise scan. */
export async function mergeWordLists(connections: readonly ReservedSql[]): Promise<void> {
  const merged = wordIndexes.map((index, place) =>
    connections[place % connections.length]?.unsafe("select gin_clean_pending_list($1::regclass)", [index]),
  );
  await Promise.all(merged);
}

/** Whether a retry may succeed: after a deadlock, a serialization failure or a unique violation. */
export const isPassing = (error: unknown): boolean =>
  ["40P01", "40001", "23505"].includes((error as { code?: string }).code ?? "");

/** Retries work that failed with a conflict, up to `maxAttempts` times. `attempt` counts from 1. */
export async function retried<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isPassing(error) || attempt === maxAttempts) throw error;
    }
  }
}
