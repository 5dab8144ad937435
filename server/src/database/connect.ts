import { Kysely } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import postgres from "postgres";
import { OperatorError } from "../errors.ts";
import type { Tables } from "./tables.ts";

/** What a statement runs on: the pool, or one transaction of it. */
export type Queryable = Kysely<Tables>;

/** One pool of connections: `query` for statements, `driver` for what Kysely lacks (COPY, LISTEN). */
export interface Database {
  readonly query: Queryable;
  readonly driver: postgres.Sql;
  close(): Promise<void>;
}

/** Where a database is: a URL, or the socket folder of the embedded server. */
export type DatabaseAddress = { url: string } | { socketDir: string; port: number; user: string; database: string };

export interface ConnectOptions {
  /** Connections in the pool. */
  max?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
}

// A bigint as a JavaScript number: ids, counts and cents stay far below 2^53.
const bigint = {
  to: 20,
  from: [20],
  serialize: (value: number | bigint) => String(value),
  parse: (text: string) => Number(text),
};

/** Opens a pool. Nothing is sent until the first query. */
export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Database {
  const settings = {
    max: options.max ?? 10,
    types: { bigint },
    connection: { application_name: options.applicationName ?? "beatmarket", TimeZone: "UTC" },
    connect_timeout: 10,
    onnotice: () => {},
  };
  const driver =
    "url" in address
      ? postgres(address.url, settings)
      : postgres({
          ...settings,
          host: address.socketDir,
          port: address.port,
          username: address.user,
          database: address.database,
        });
  const query = new Kysely<Tables>({ dialect: new PostgresJSDialect({ postgres: driver as never }) });
  return { query, driver: driver as unknown as postgres.Sql, close: () => driver.end({ timeout: 5 }) };
}

/**
 * Refuses a server that this program cannot keep its promises on: older than PostgreSQL 15, not UTF-8, or with a
 * ctype in which letters outside ASCII are no letters, so that search could not correct typing errors in them.
 */
export async function requireSuitableServer(database: Database): Promise<void> {
  const [row] = await database.driver<{ version: number; encoding: string; folds: boolean }[]>`
    select current_setting('server_version_num')::int as version,
           current_setting('server_encoding') as encoding,
           lower('ÉЖ') = 'éж' as folds`;
  if (row === undefined) throw new OperatorError("The database answered nothing to a simple question.");
  if (row.version < 150000)
    throw new OperatorError(`The database is PostgreSQL ${Math.floor(row.version / 10000)}; 15 or newer is needed.`);
  if (row.encoding !== "UTF8")
    throw new OperatorError(
      `The database stores text as ${row.encoding}; UTF8 is needed: CREATE DATABASE … ENCODING 'UTF8'.`,
    );
  if (!row.folds)
    throw new OperatorError(
      "The database's LC_CTYPE knows ASCII letters only; create it with a UTF-8 one: CREATE DATABASE … LC_CTYPE 'C.UTF-8' TEMPLATE template0.",
    );
}
