import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { Kysely, PostgresDialect, sql } from "kysely";
import { readerSuffix } from "../session-names.ts";
import type { DatabaseAddress } from "./address.ts";
import { Connection } from "./connection.ts";
import { Listener } from "./listener.ts";
import { ConnectionPool } from "./pool.ts";
import { Reader } from "./reader.ts";
import { type ConnectionOptions, connectionConfig } from "./settings.ts";

/** Executes statements: the pool, a connection or a transaction. */
// biome-ignore lint/suspicious/noExplicitAny: this package knows no tables, so the default accepts any.
export type Queryable<Tables = any> = Kysely<Tables>;

/** A server for read-only statements: the primary or a replica. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export interface ReadServer<Tables = any> {
  /** A pool of connections. */
  readonly query: Queryable<Tables>;
  /** For short reads whose SQL text does not vary. */
  readonly reader: Reader;
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
export interface Database<Tables = any> extends ReadServer<Tables> {
  /** For a process that opens its own connections. */
  readonly address: DatabaseAddress;
  /** Counts of the connections of `query`. */
  readonly pool: Pick<ConnectionPool, "totalCount" | "idleCount" | "waitingCount">;
  /** Receives notifications (LISTEN). */
  readonly listener: Listener;
  /** Waits up to `timeoutMs` (default 5 seconds) for running statements, then closes all connections. */
  close(timeoutMs?: number): Promise<void>;
}

export interface ConnectOptions extends ConnectionOptions {
  /** The maximum number of connections in the pool. */
  max?: number;
}

const poolSize = 10;
const closeTimeoutMs = 5_000;

/**
 * For a short read, making a custom plan takes as long as the read, and the custom plan is not better than the generic
 * plan. It can be far worse: if many rows share a key, the planner underestimates their number and scans another index.
 */
const readerSettings = "-c plan_cache_mode=force_generic_plan";

/** Creates a pool, a reader and a listener. They connect on their first use. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function connect<Tables = any>(address: DatabaseAddress, options: ConnectOptions = {}): Database<Tables> {
  const config = connectionConfig(address, options);
  const pool = new ConnectionPool({ ...config, max: options.max ?? poolSize });
  const reader = new Reader({
    ...config,
    application_name: `${config.application_name}${readerSuffix}`,
    options: `${config.options} ${readerSettings}`,
  });
  const listener = new Listener(() => new Connection({ ...config, pipeline: true }));
  return {
    address,
    query: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    reader,
    pool,
    listener,
    close: async (timeoutMs = closeTimeoutMs) => {
      await Promise.all([pool.close(timeoutMs), reader.close(timeoutMs), listener.close()]);
    },
  };
}

/**
 * Throws an OperatorError for an unsuitable server: older than PostgreSQL 15, not UTF-8, or with a locale or LC_CTYPE
 * that knows no letters outside ASCII. Trigrams (pg_trgm) omit letters that LC_CTYPE does not know, so their indexes
 * could not narrow a search for them.
 */
export async function requireSuitableServer({ query }: Pick<Database, "query">): Promise<void> {
  const server = await sql<{ version: number; encoding: string; ctype: string }>`
    select current_setting('server_version_num')::int as version,
           current_setting('server_encoding') as encoding,
           datctype as ctype
    from pg_database where datname = current_database()`
    .execute(query)
    .then(({ rows }) => rows[0]);
  if (server === undefined) throw new OperatorError("The database returned no settings.");
  if (server.version < 150000)
    throw new OperatorError(`The database is PostgreSQL ${Math.floor(server.version / 10000)}; 15 or newer is needed.`);
  if (server.encoding !== "UTF8")
    throw new OperatorError(
      `The database stores text as ${server.encoding}; UTF8 is needed: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
  // lower() uses the locale provider. Trigrams use LC_CTYPE, whatever the provider.
  const letters = await sql<{ fold: boolean }>`select lower('ÉЖ') = 'éж' as fold`.execute(query);
  if (!letters.rows[0]?.fold || ["C", "POSIX"].includes(server.ctype))
    throw new OperatorError(
      "The database's LC_CTYPE knows ASCII letters only; create it with a UTF-8 one: CREATE DATABASE … LOCALE_PROVIDER libc LOCALE 'C.UTF-8' TEMPLATE template0.",
    );
}
