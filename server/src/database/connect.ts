import { readdirSync } from "node:fs";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import {
  type ConnectOptions,
  connect as connectTo,
  type Database as DatabaseOf,
  type Queryable as QueryableOf,
  type ReadServer as ReadServerOf,
} from "@beatmarket/postgres/connection/connect.ts";
import {
  isMigration,
  type MigrationOutcome,
  type Migrations,
  migrate,
  pendingMigrations,
} from "@beatmarket/postgres/migrate.ts";
import type { Tables } from "./tables.ts";

/** The program's migrations. */
export const migrations: Migrations = {
  dir: new URL("../../../database/migrations/", import.meta.url),
  program: "beatmarket",
};

/** The number of the last migration of this program. */
export const lastMigration: number = readdirSync(migrations.dir).filter(isMigration).length;

/** Brings the schema up to date. */
export const migrateSchema = (owner: Database): Promise<MigrationOutcome> => migrate(owner, migrations);

/** The names of the migrations that the database lacks. */
export const missingMigrations = (database: Database): Promise<string[]> => pendingMigrations(database, migrations);

/** Executes statements: the pool, one of its connections, or a transaction. */
export type Queryable = QueryableOf<Tables>;
/** A server for read-only statements. */
export type ReadServer = ReadServerOf<Tables>;
export type Database = DatabaseOf<Tables>;

/** Opens a pool, a reader and a listener. The names of their sessions include the program's last migration. */
export const connect = (address: DatabaseAddress, options: Omit<ConnectOptions, "lastMigration"> = {}): Database =>
  connectTo<Tables>(address, { applicationName: migrations.program, ...options, lastMigration });

/** The name of the sessions on a replica. */
export const replicaSession = { applicationName: `${migrations.program} reads`, lastMigration };
