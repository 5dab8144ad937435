import type { ReservedSql } from "postgres";
import { type Database, readerSuffix } from "../../../database/connection/connect.ts";

const maxAttempts = 5;

/**
 * A connection of the pool with the settings of an import; to be given back with `releaseSession`. `onBackend` is told of
 * the process of PostgreSQL that serves it.
 */
export async function reserveSession({ driver }: Database, onBackend: (pid: number) => void): Promise<ReservedSql> {
  const sql = await driver.reserve();
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  if (backend !== undefined) onBackend(backend.pid);
  // A crash may lose the last batches, which the next import of the file then makes.
  await sql`set synchronous_commit = off`;
  // Plans that are right for tables of any size, while the statistics lag behind what the import itself adds.
  await sql`set jit = off`;
  await sql`set enable_seqscan = off`;
  await sql`set enable_hashjoin = off`;
  await sql`set enable_mergejoin = off`;
  // Each search meanwhile reads what waits to be merged into the indexes of words, once for each of its lookups.
  await sql`set gin_pending_list_limit = '512kB'`;
  await sql`set work_mem = '64MB'`;
  return sql;
}

/** Gives a connection back as it was; one that is lost gives itself back. */
export async function releaseSession(sql: ReservedSql): Promise<void> {
  await sql`discard temporary`.catch(() => {});
  await sql`reset all`.catch(() => {});
  sql.release();
}

/**
 * Whether somebody is reading the catalogue of this PostgreSQL: within the last half second. Readers under another role
 * may not be visible; then nobody is.
 */
export async function isBeingRead(sql: ReservedSql): Promise<boolean> {
  const readers = await sql`
    select from pg_stat_activity
    where datname = current_database() and right(application_name, ${readerSuffix.length}::integer) = ${readerSuffix}
      and state_change > clock_timestamp() - interval '0.5 seconds' limit 1`;
  return readers.length > 0;
}

const wordIndexes = ["beats_search", "users_search", "search_words_keys"];

/** Merges what waits in the lists of the word indexes, so that searches need not read through it. */
export async function mergeWordLists(connections: readonly ReservedSql[]): Promise<void> {
  const merged = wordIndexes.map((index, place) =>
    connections[place % connections.length]?.unsafe("select gin_clean_pending_list($1::regclass)", [index]),
  );
  await Promise.all(merged);
}

/** Whether another try may go well: a deadlock, a serialization failure, or somebody else was first. */
export const isPassing = (error: unknown): boolean =>
  ["40P01", "40001", "23505"].includes((error as { code?: string }).code ?? "");

/** Tries again, a few times, what others were in the way of. `attempt` counts from 1. */
export async function retried<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isPassing(error) || attempt === maxAttempts) throw error;
    }
  }
}
