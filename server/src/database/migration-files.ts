import { readdirSync } from "node:fs";

/** The folder of the migrations, `0001_….sql` and so on. */
export const migrationsDir = new URL("../../../database/migrations/", import.meta.url);

export const isMigration = (name: string): boolean => name.endsWith(".sql");

/** The number of migrations that this program knows, which is also the number of the last one. */
export const knownMigrations: number = readdirSync(migrationsDir).filter(isMigration).length;
