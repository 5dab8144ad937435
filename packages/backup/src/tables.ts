import type { StorageTables } from "@beatmarket/storage/tables.ts";
import type { ColumnType, Kysely } from "kysely";

/** The table of this package, together with those of the storage. A program's migrations create it among its own tables. */
interface BackupTables extends StorageTables {
  /** The vaults that the database has claimed, by place. */
  backup_vaults: { place: string; id: string; claimed_at: ColumnType<Date, Date | string | undefined, Date | string> };
}

export type BackupDatabase = Kysely<BackupTables>;
