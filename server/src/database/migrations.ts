import { readdirSync } from "node:fs";
import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import {
  isMigration,
  type MigrationOutcome,
  type Migrations,
  migrate,
  pendingMigrations,
} from "@beatmarket/postgres/migrate.ts";

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
