import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { ColumnType, Kysely } from "kysely";

/** The table of this package. A program's migrations create it among its own tables (testing/schema.sql). */
export interface SecretBoxTables {
  sealing_key: {
    only_row: ColumnType<boolean, boolean | undefined, boolean>;
    id: string | null;
    format: number;
  };
}

/** A program's database, typed with the table of this package. */
export const tablesOf = (db: Queryable): Kysely<SecretBoxTables> => db;
