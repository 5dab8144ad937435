import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { ColumnType, GeneratedAlways, Kysely } from "kysely";

type Time = ColumnType<Date, Date | string, Date | string>;

/** The tables of this package. A program's migrations create them among its own tables (testing/schema.sql). */
export interface RequestLogTables {
  /** A block has calls of one key within a minute, compressed. */
  request_log_blocks: {
    id: GeneratedAlways<number>;
    api_key_id: number | null;
    user_id: number | null;
    from_explorer: boolean;
    first_at: Time;
    last_at: Time;
    calls: number;
    refused: number;
    content: Buffer;
    /** Null in blocks of earlier releases. */
    admitted_times: Buffer | null;
  };
  /** The size of the blocks by day. */
  request_log_days: { day: Time; anonymous: boolean; bytes: number };
  /** Counts of calls by minute, hour and day. */
  request_rollups: {
    user_id: number;
    seconds: number;
    start: Time;
    api_key_id: number;
    operation: string;
    status: number;
    refused_by: string;
    duration_span: number;
    calls: number;
    from_explorer: ColumnType<boolean, boolean | undefined, boolean>;
  };
  /** The API keys. Only read, for the names in a list of calls. */
  api_keys: { id: GeneratedAlways<number>; name: string; ends_with: string };
}

/** A program's database, typed as the tables of this package. */
export const tablesOf = (db: Queryable): Kysely<RequestLogTables> => db;
