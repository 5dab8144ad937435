import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { Kysely, PostgresDialect, sql } from "kysely";
import { readerSuffix } from "../session-names.ts";
import type { DatabaseAddress } from "./address.ts";
import { Connection } from "./connection.ts";
import { Listener } from "./listener.ts";
import { ConnectionPool } from "./pool.ts";
import { Reader } from "./reader.ts";
import { type ConnectionOptions, connectionConfig } from "./settings.ts";

/** What a statement runs on: the pool, one connection of it, or one transaction. */
// biome-ignore lint/suspicious/noExplicitAny: without the tables of a program, statements are SQL as text.
export type Queryable<Tables = any> = Kysely<Tables>;

/** Where statements that only read may run. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export interface ReadServer<Tables = any> {
  /** A pool of connections. */
  readonly query: Queryable<Tables>;
  /** For short reads of fixed text. */
  readonly reader: Reader;
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
export interface Database<Tables = any> extends ReadServer<Tables> {
  /** Where it is, for a process that connects by itself. */
  readonly address: DatabaseAddress;
  /** The connections of `query`. */
  readonly pool: Pick<ConnectionPool, "totalCount" | "idleCount" | "waitingCount">;
  /** Notices of PostgreSQL (LISTEN). */
  readonly listener: Listener;
  /** Lets statements under way finish for `timeoutMs` (5 seconds), then closes all connections. */
  close(timeoutMs?: number): Promise<void>;
}

export interface ConnectOptions extends ConnectionOptions {
  /** Connections in the pool. */
  max?: number;
}

const poolSize = 10;
const closeTimeoutMs = 5_000;

/**
 * A plan for the very values of a short read is no better than the generic one, costs as much as the read, and is at
 * times far worse: behind a row whose key many rows share, the planner expects nothing more and scans another index to
 * its end.
 */
const readerSettings = "-c plan_cache_mode=force_generic_plan";

/** Opens a pool, a reader and a listener. Nothing is sent until the first statement. */
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
 * Refuses a server that this program cannot keep its promises on: older than PostgreSQL 15, not UTF-8, or with a
 * ctype in which letters outside ASCII are no letters, so that search could not correct typing errors in them.
 */
export async function requireSuitableServer({ query }: Pick<Database, "query">): Promise<void> {
  const server = await sql<{ version: number; encoding: string; ctype: string }>`
    select current_setting('server_version_num')::int as version,
           current_setting('server_encoding') as encoding,
           datctype as ctype
    from pg_database where datname = current_database()`
    .execute(query)
    .then(({ rows }) => rows[0]);
  if (server === undefined) throw new OperatorError("The database answered nothing to a simple question.");
  if (server.version < 150000)
    throw new OperatorError(`The database is PostgreSQL ${Math.floor(server.version / 10000)}; 15 or newer is needed.`);
  if (server.encoding !== "UTF8")
    throw new OperatorError(
      `The database stores text as ${server.encoding}; UTF8 is needed: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
  // Two readers of letters: lower() goes by the locale provider, trigrams go by LC_CTYPE whatever the provider.
  const letters = await sql<{ fold: boolean }>`select lower('ÉЖ') = 'éж' as fold`.execute(query);
  if (!letters.rows[0]?.fold || ["C", "POSIX"].includes(server.ctype))
    throw new OperatorError(
      "The database's LC_CTYPE knows ASCII letters only; create it with a UTF-8 one: CREATE DATABASE … LOCALE_PROVIDER libc LOCALE 'C.UTF-8' TEMPLATE template0.",
    );
}
