import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { ColumnType, GeneratedAlways, Kysely } from "kysely";

type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** The table of this package. A program's migrations create it among its own tables (testing/schema.sql). */
export interface JobTables {
  media_jobs: {
    id: GeneratedAlways<number>;
    kind: string;
    subject: string;
    user_id: number | null;
    priority: WithDefault<number>;
    turn: WithDefault<number>;
    revision: WithDefault<number>;
    attempts: WithDefault<number>;
    run_at: ColumnType<Date, Date | string, Date | string>;
    lease: string | null;
    leased_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
    last_error: string | null;
  };
}

/** A program's database, typed with the table of this package. */
export const tablesOf = (db: Queryable): Kysely<JobTables> => db;
