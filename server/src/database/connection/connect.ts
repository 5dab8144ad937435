import { Kysely } from "kysely";
import type postgres from "postgres";
import { OperatorError } from "../../errors.ts";
import type { Tables } from "../tables.ts";
import { Dialect } from "./dialect.ts";
import { postgres as open } from "./driver.ts";
import { Listener } from "./listener.ts";

/** What a statement runs on: the pool, or one transaction of it. */
export type Queryable = Kysely<Tables>;

/** One pool of connections, `query` for statements and `driver` for what Kysely lacks (COPY), a reader and a listener. */
export interface Database {
  readonly query: Queryable;
  readonly driver: postgres.Sql;
  /**
   * One connection that short reads share: each is sent without waiting for those before it, many in one system call,
   * which is most of what a short read costs. What comes behind a slow statement waits, so none may run here.
   */
  readonly reader: postgres.Sql;
  /** Instead of the driver's own LISTEN, which does not tell when it is lost. */
  readonly listener: Listener;
  close(): Promise<void>;
}

/**
 * Where a database is: the socket folder of the embedded server, or a URL. A URL may name a socket folder in libpq's
 * form, `postgres://user@localhost/database?host=/folder&port=5432`.
 */
export type DatabaseAddress = { url: string } | { socketDir: string; port: number; user: string; database: string };

export interface ConnectOptions {
  /** Connections in the pool. */
  max?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** After which PostgreSQL gives a statement up, so that no caller can hold a connection for long. Absent: never. */
  statementTimeoutMs?: number;
}

// A bigint as a JavaScript number: ids, counts and cents stay far below 2^53.
const bigint = {
  to: 20,
  from: [20],
  serialize: (value: number | bigint) => String(value),
  parse: (text: string) => Number(text),
};

const defaultName = "beatmarket";
/** Ends the reader's name in pg_stat_activity, so that others can see whether the catalogue is being read. */
export const readerSuffix = " reader";
const readerConnections = 1;
/**
 * Statements of the reader are few and have an index of their own. A plan for the very values is no better, costs as much
 * as the reading, and is at times far worse: behind a row whose key many share, the planner takes what follows for nothing
 * and reads on in another index to its end.
 */
const readerParameters = { plan_cache_mode: "force_generic_plan" };

/**
 * How long a lost connection waits before it is tried again, in seconds. The driver's own way, up to 20 s, keeps callers
 * waiting, and a stop too, and goes on for as long after the server is back.
 */
const retrySeconds = (): number => 0.1 + Math.random() / 10;

/** The driver replaces its connections once in a while; on one that listens, notices would be missed. */
const lasting = { max_lifetime: null, fetch_types: false };

/** Where statements that only read may run. */
export type ReadServer = Pick<Database, "query" | "reader">;

/** Opens a pool, a reader and a listener. Nothing is sent until the first query. */
export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Database {
  const driver = openDriver(address, options);
  const readerName = `${options.applicationName ?? defaultName}${readerSuffix}`;
  const reader = openDriver(
    address,
    { ...options, max: readerConnections, applicationName: readerName },
    {},
    readerParameters,
  );
  const listener = new Listener((events) => openDriver(address, { ...options, max: 1 }, { ...events, ...lasting }));
  return {
    query: new Kysely<Tables>({ dialect: new Dialect({ postgres: driver as never }) }),
    driver,
    reader,
    listener,
    close: async () => {
      await Promise.all([driver.end({ timeout: 5 }), reader.end({ timeout: 5 }), listener.close()]);
    },
  };
}

function openDriver(address: DatabaseAddress, options: ConnectOptions, more = {}, parameters = {}): postgres.Sql {
  const settings = {
    ...more,
    max: options.max ?? 10,
    types: { bigint },
    connection: {
      application_name: options.applicationName ?? defaultName,
      TimeZone: "UTC",
      statement_timeout: options.statementTimeoutMs ?? 0,
      ...parameters,
    },
    connect_timeout: 10,
    backoff: retrySeconds,
    onnotice: () => {},
  };
  const driver =
    "url" in address
      ? connectByUrl(address.url, settings)
      : open({
          ...settings,
          host: address.socketDir,
          port: address.port,
          username: address.user,
          database: address.database,
        });
  return driver as unknown as postgres.Sql;
}

// The driver takes a socket folder as an option only, and would send libpq's parameter to the server as a setting.
function connectByUrl<Settings extends object>(text: string, settings: Settings) {
  const url = URL.parse(text);
  const socketDir = url?.searchParams.get("host");
  if (!url || !socketDir) return open(text, settings);
  const port = Number(url.searchParams.get("port") ?? 5432);
  url.searchParams.delete("host");
  url.searchParams.delete("port");
  return open(url.href, { ...settings, host: socketDir, port });
}

/**
 * Refuses a server that this program cannot keep its promises on: older than PostgreSQL 15, not UTF-8, or with a
 * ctype in which letters outside ASCII are no letters, so that search could not correct typing errors in them.
 */
export async function requireSuitableServer(database: Database): Promise<void> {
  const [server] = await database.driver<{ version: number; encoding: string; ctype: string }[]>`
    select current_setting('server_version_num')::int as version,
           current_setting('server_encoding') as encoding,
           datctype as ctype
    from pg_database where datname = current_database()`;
  if (server === undefined) throw new OperatorError("The database answered nothing to a simple question.");
  if (server.version < 150000)
    throw new OperatorError(`The database is PostgreSQL ${Math.floor(server.version / 10000)}; 15 or newer is needed.`);
  if (server.encoding !== "UTF8")
    throw new OperatorError(
      `The database stores text as ${server.encoding}; UTF8 is needed: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
  // Two readers of letters: lower() goes by the locale provider, trigrams go by LC_CTYPE whatever the provider.
  const [letters] = await database.driver<{ fold: boolean }[]>`select lower('ÉЖ') = 'éж' as fold`;
  if (!letters?.fold || ["C", "POSIX"].includes(server.ctype))
    throw new OperatorError(
      "The database's LC_CTYPE knows ASCII letters only; create it with a UTF-8 one: CREATE DATABASE … LOCALE_PROVIDER libc LOCALE 'C.UTF-8' TEMPLATE template0.",
    );
}
