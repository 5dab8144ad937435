import { readerSuffix } from "@beatmarket/postgres/session-names.ts";
import { detached } from "@beatmarket/tabular-files/cells/remembered.ts";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Database, Queryable } from "../../../database/connect.ts";
import { upsertGenres } from "../../genres/genres.ts";
import { type ImportedProducer, upsertProducers } from "../../users/producers.ts";
import type { ReadBeat } from "../fields/read-beat.ts";

const maxAttempts = 5;

/** The settings of an import's connections. */
const settings = {
  // A crash may lose the last batches. The next import of the file writes them again.
  synchronous_commit: "off",
  // Statistics do not include the rows of the import yet, so the planner may use only plans that suit any table size.
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

/** Repeats work that fails with a conflict, in at most `maxAttempts` attempts. `attempt` counts from 1. */
export async function withRetries<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isRetryable(error) || attempt === maxAttempts) throw error;
    }
  }
}

const maxCachedProducers = 100_000;
const maxCachedGenres = 10_000;

/** Finds or creates the producers and genres of an import, and caches the ids of the most recently used. */
export class Vocabulary {
  readonly #now: Date;
  readonly #producerIds = new LRUCache<string, number>({ max: maxCachedProducers });
  readonly #genreIds = new LRUCache<string, number>({ max: maxCachedGenres });

  constructor(now: Date) {
    this.#now = now;
  }

  /** Sets the ids of the beats' producers. */
  async findProducers(db: Queryable, beats: readonly ReadBeat[]): Promise<void> {
    const missing = new Map<string, ImportedProducer>();
    for (const beat of beats) {
      const { import_name: importName, producer_name: displayName } = beat;
      beat.user_id = this.#producerIds.get(importName) ?? 0;
      // The first row that names a producer determines the spelling of the name.
      if (beat.user_id === 0 && !missing.has(importName)) missing.set(importName, { importName, displayName });
    }
    const producers = [...missing.values()];
    const ids = await withRetries(() => upsertProducers(db, producers, this.#now));
    for (const beat of beats) if (beat.user_id === 0) beat.user_id = idOf(ids, beat.import_name);
    for (const [importName, id] of ids) this.#producerIds.set(detached(importName), id);
  }

  /** Sets the ids of the beats' genres. */
  async findGenres(db: Queryable, beats: readonly ReadBeat[]): Promise<void> {
    for (const beat of beats) beat.genre_id = this.#genreIds.get(beat.genre_name) ?? 0;
    const missing = new Set(beats.filter(({ genre_id }) => genre_id === 0).map(({ genre_name }) => genre_name));
    const ids = await withRetries(() => upsertGenres(db, [...missing]));
    for (const beat of beats) if (beat.genre_id === 0) beat.genre_id = idOf(ids, beat.genre_name);
    for (const [name, id] of ids) this.#genreIds.set(detached(name), id);
  }
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} has no id.`);
  return id;
}
