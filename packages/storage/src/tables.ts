import type { ColumnType, Kysely } from "kysely";

/**
 * The tables of this package. A program's migrations create them among its own tables (testing/storage-database.ts).
 */
export interface StorageTables {
  /** The storage of the database: one row. */
  storage_identity: {
    only_row: ColumnType<boolean, boolean | undefined, boolean>;
    id: string;
    place: string;
    is_written: ColumnType<boolean, boolean | undefined, boolean>;
  };
  /** Files by the SHA-256 of their content. */
  stored_objects: {
    sha256: string;
    bytes: number;
    state: ColumnType<string, string | undefined, string>;
    touched_at: ColumnType<Date, Date | string, Date | string>;
    /** Null until the checksum is first requested. */
    crc32: ColumnType<number | null, number | null | undefined, number | null>;
  };
  /** Files that are to be deleted. */
  object_deletions: { sha256: string; leased_until: ColumnType<Date, Date | string, Date | string> };
}

export type StorageDatabase = Kysely<StorageTables>;
