import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Database, Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { Logger } from "pino";
import type { CallStore } from "./storage/call-store.ts";
import { PostgresCalls } from "./storage/postgres-calls.ts";
import type { EngineAddress } from "./victorialogs/client.ts";
import { VictoriaLogsCalls } from "./victorialogs/victorialogs-calls.ts";

/**
 * The parts of the request log that are read: the store of the calls, and the database with counts and names of keys.
 */
export interface CallLog {
  db: Queryable;
  store: CallStore;
}

/** The request log of a service whose calls are in its database. */
export const postgresCallLog = (db: Queryable, options?: { idsHaveTime?: boolean | undefined }): CallLog => ({
  db,
  store: new PostgresCalls({ query: db }, options),
});

export interface CallLogParts {
  /** Undefined if the calls are in the database. */
  engine: EngineAddress | undefined;
  database: Pick<Database, "query">;
  clock: Clock;
  log: Pick<Logger, "warn">;
  /** False if the times of a log in the database come from another clock than the request ids. Default: true. */
  idsHaveTime?: boolean | undefined;
}

/** The request log in the store that the settings name. Connects at its first use. */
export const openCallLog = ({ engine, idsHaveTime, ...parts }: CallLogParts): CallLog =>
  engine === undefined
    ? postgresCallLog(parts.database.query, { idsHaveTime })
    : { db: parts.database.query, store: new VictoriaLogsCalls({ address: engine, ...parts }) };
