import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { ColumnType, Kysely } from "kysely";

/** The table of this package. A program's migrations create it among its own tables (testing/schema.sql). */
export interface SigningKeyTables {
  signing_keys: {
    kid: string;
    public_jwk: unknown;
    private_key: string;
    created_at: ColumnType<Date, Date | string, Date | string>;
    purpose: ColumnType<string, string | undefined, string>;
  };
}

/** A program's database, typed with the table of this package. */
export const tablesOf = (db: Queryable): Kysely<SigningKeyTables> => db;
