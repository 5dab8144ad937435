import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import { clientConfig } from "@beatmarket/postgres/connection/address.ts";
import { type ConnectOptions, requireSuitableServer } from "@beatmarket/postgres/connection/connect.ts";
import { hasCluster } from "@beatmarket/postgres/embedded/cluster.ts";
import { type EmbeddedServer, openEmbedded } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { requireRestored } from "@beatmarket/postgres/embedded/restore-marker.ts";
import { ownerRole, serviceRole } from "@beatmarket/postgres/embedded/roles.ts";
import type { MigrationOutcome } from "@beatmarket/postgres/migrate.ts";
import { sql } from "kysely";
import type { Config } from "../config.ts";
import { connect, type Database, migrateSchema, type Queryable } from "./connect.ts";

interface OpenOptions extends ConnectOptions {
  log: (text: string) => void;
  /** Whether to refuse a data folder without a database, instead of creating one. */
  mustExist?: boolean;
  /** The time limit for the first response of the server of DATABASE_URL. */
  responseTimeoutMs?: number;
  /** Called if this process starts the embedded server, before the server is ready. */
  onLaunch?: () => void;
}

/** A database, connected as the service's role. */
export interface OpenedDatabase extends Database {
  /** Brings the schema up to date, as the role that owns it. */
  migrate(): Promise<MigrationOutcome>;
  /** Null with DATABASE_URL. */
  readonly embedded: Pick<EmbeddedServer, "dir" | "addressFor"> | null;
}

/**
 * Opens the database of the settings: the one that DATABASE_URL names, or the embedded database of the data folder.
 * `close` also releases the embedded server. Does not migrate. `log` gets a line for each step that takes a while.
 * Throws an OperatorError if the database cannot be reached, started or used.
 */
export async function openDatabase(
  config: Pick<Config, "databaseUrl" | "dataDir"> & Partial<Pick<Config, "databaseOwnerUrl">>,
  options: OpenOptions,
): Promise<OpenedDatabase> {
  const { databaseUrl, databaseOwnerUrl, dataDir } = config;
  if (databaseUrl !== undefined) {
    const database = await openByUrl("DATABASE_URL", databaseUrl, options);
    if (databaseOwnerUrl === undefined) return { ...database, embedded: null, migrate: () => migrateSchema(database) };
    const openOwner = () => openByUrl("DATABASE_OWNER_URL", databaseOwnerUrl, { ...options, max: 1 });
    const role = async () => {
      const { rows } = await sql<{ role: string }>`select current_user::text as role`.execute(database.query);
      return rows[0]?.role as string;
    };
    return { ...database, embedded: null, migrate: async () => migrateAs(await openOwner(), await role()) };
  }
  await requireRestored(dataDir);
  if (options.mustExist === true && !(await hasCluster(dataDir)))
    throw new OperatorError(
      `DATA_DIR ${dataDir} has no database. Set DATA_DIR or DATABASE_URL to your service's, or start the service there first: npm start.`,
    );
  const embedded = await openEmbedded(dataDir, options.log, options);
  const database = connect(embedded.addressFor(serviceRole), options);
  return {
    ...database,
    embedded,
    migrate: () => migrateAs(connect(embedded.addressFor(ownerRole), { ...options, max: 1 }), serviceRole),
    close: async () => {
      await database.close();
      await embedded.close();
    },
  };
}

async function migrateAs(owner: Database, role: string): Promise<MigrationOutcome> {
  try {
    const outcome = await migrateSchema(owner);
    await grantService(owner.query, role);
    return outcome;
  } finally {
    await owner.close();
  }
}

async function openByUrl(setting: UrlSetting, url: string, options: OpenOptions): Promise<Database> {
  const database = connectByUrl(setting, url, options);
  try {
    const timeoutMs = options.responseTimeoutMs ?? 15_000;
    const silence = () =>
      new Error(`no PostgreSQL answered within ${timeoutMs / 1000} seconds; check that one listens there`);
    await withTimeout(requireSuitableServer(database), timeoutMs, silence);
    return database;
  } catch (error) {
    await database.close(0);
    if (error instanceof OperatorError) throw error;
    const { host = "localhost", port = 5432 } = clientConfig({ url });
    throw new OperatorError(`The database of ${setting} at ${host}:${port} cannot be used: ${reason(error)}.`, {
      cause: error,
    });
  }
}

type UrlSetting = "DATABASE_URL" | "DATABASE_OWNER_URL";

function connectByUrl(setting: UrlSetting, url: string, options: ConnectOptions): Database {
  try {
    return connect({ url }, options);
  } catch {
    // The error has no cause, because the parser's error repeats the URL with the password.
    throw new OperatorError(
      `${setting} is not a valid URL. It takes postgres://user:password@host:5432/database, with special characters of user and password percent-encoded.`,
    );
  }
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "nothing listens there; check that it is running, and the port",
  ENOTFOUND: "this host name is not known",
  EAI_AGAIN: "its host name could not be looked up",
  EHOSTUNREACH: "there is no network route to that host",
  ENETUNREACH: "there is no network route to that host",
  ENOENT: "its socket does not exist; check that it is running",
  ETIMEDOUT: "it does not answer",
  CONNECT_TIMEOUT: "it does not answer within 10 seconds",
  ECONNRESET: "it closed the connection; check that PostgreSQL, not something else, listens there",
  CONNECTION_CLOSED: "it closed the connection; check that PostgreSQL, not something else, listens there",
  "28P01": "it refuses the user or the password",
  "28000": "it refuses the user",
  "3D000": "it has no database of that name; create it first",
  "53300": "it has no connection left",
  "57P03": "it is starting up or shutting down; try again in a moment",
};

function reason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return reasons[code ?? ""] ?? message ?? String(error);
}

/** Tables that the service vacuums after many changes. Since version 17, PostgreSQL has a privilege for that. */
const vacuumedTables = ["beats", "genres", "producer_counts", "users"];

/**
 * Grants the privileges of the service's role: read and write rows, also of later tables, use sequences, and from
 * PostgreSQL 17 on vacuum `vacuumedTables`. The role may neither change the schema nor grant anything. Call this as the
 * owner of the schema. A second call changes nothing.
 */
export async function grantService(owner: Queryable, role: string): Promise<void> {
  const { rows } = await sql<{ complete: boolean }>`
    select not exists (
      select from pg_class cross join unnest('{select,insert,update,delete}'::text[]) as privilege
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
        and not has_table_privilege(${role}, pg_class.oid, privilege)
    ) and not exists (
      -- A case, since conditions have no order and the function refuses other relations.
      select from pg_class where relnamespace = 'public'::regnamespace
        and case when relkind = 'S' then not has_sequence_privilege(${role}, oid, 'usage') else false end
    ) as complete`.execute(owner);
  if (rows[0]?.complete) return;
  const to = sql`to ${sql.id(role)}`;
  for (const statement of [
    sql`grant usage on schema public ${to}`,
    sql`grant select, insert, update, delete on all tables in schema public ${to}`,
    sql`grant usage on all sequences in schema public ${to}`,
    sql`alter default privileges in schema public grant select, insert, update, delete on tables ${to}`,
    sql`alter default privileges in schema public grant usage on sequences ${to}`,
  ])
    await statement.execute(owner);
  // Without this privilege, VACUUM skips the table with a warning, and autovacuum processes it later.
  await sql
    .raw(
      `do $$ begin
         if current_setting('server_version_num')::int >= 170000 then
           grant maintain on ${vacuumedTables.join(", ")} to "${role.replaceAll('"', '""')}";
         end if;
       end $$`,
    )
    .execute(owner);
}
