import type { StorageTables } from "@beatmarket/storage/tables.ts";
import type { ColumnType, Kysely } from "kysely";

/** The table of this package, which a program's migrations create, together with the tables of the storage. */
interface BackupTables extends StorageTables {
  /** The vaults that the database has claimed, by place. */
  backup_vaults: { place: string; id: string; claimed_at: ColumnType<Date, Date | string | undefined, Date | string> };
}

export type BackupDatabase = Kysely<BackupTables>;
