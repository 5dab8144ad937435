import type { StorageTables } from "@beatmarket/storage/tables.ts";
import type { ColumnType, Kysely } from "kysely";

/** The table of this package, which a program has among its own next to those of the storage; its migrations make them. */
interface BackupTables extends StorageTables {
  /** The vaults that the database has claimed, by their places. */
  backup_vaults: { place: string; id: string; claimed_at: ColumnType<Date, Date | string | undefined, Date | string> };
}

export type BackupDatabase = Kysely<BackupTables>;
