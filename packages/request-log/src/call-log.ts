import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Database, Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { Logger } from "pino";
import type { CallStore } from "./storage/call-store.ts";
import { PostgresCalls } from "./storage/postgres-calls.ts";
import type { EngineAddress } from "./victorialogs/client.ts";
import { VictoriaLogsCalls } from "./victorialogs/victorialogs-calls.ts";

/** The request log as it is read: the store of the calls, and the database with their counts and the names of keys. */
export interface CallLog {
  db: Queryable;
  store: CallStore;
}

/** The request log of a service whose calls are in its database. */
export const postgresCallLog = (db: Queryable, options?: { idsTellTime?: boolean | undefined }): CallLog => ({
  db,
  store: new PostgresCalls({ query: db }, options),
});

export interface CallLogParts {
  /** Undefined: the calls are in the database. */
  engine: EngineAddress | undefined;
  database: Pick<Database, "query">;
  clock: Clock;
  log: Pick<Logger, "warn">;
  /** False for a log in the database whose times are of another clock than the ids of requests. Default true. */
  idsTellTime?: boolean | undefined;
}

/** The request log where the settings say. Connects on first use. */
export const openCallLog = ({ engine, idsTellTime, ...parts }: CallLogParts): CallLog =>
  engine === undefined
    ? postgresCallLog(parts.database.query, { idsTellTime })
    : { db: parts.database.query, store: new VictoriaLogsCalls({ address: engine, ...parts }) };
