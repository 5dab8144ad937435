import type { Database } from "../src/database/connect.ts";
import type { RequestLogEntry } from "../src/resources/request-log/entry.ts";
import { LogBatch } from "../src/resources/request-log/log-batch.ts";
import { writeBatch } from "../src/resources/request-log/queries.ts";

/** An entry of the request log; what is not given is that of an ordinary call of nobody's. */
export const logEntry = (fields: Partial<RequestLogEntry> = {}): RequestLogEntry => ({
  timeMs: Date.UTC(2026, 0, 1),
  requestId: "test",
  apiKeyId: null,
  userId: null,
  fromExplorer: false,
  method: "GET",
  operation: "listBeats",
  path: "/v1/beats",
  query: "",
  status: 200,
  durationMs: 1.5,
  errorCode: null,
  errorMessage: null,
  errorDetails: null,
  refusedBy: null,
  headers: "{}",
  body: null,
  clientAddress: "127.0.0.1",
  userAgent: "",
  ...fields,
});

/** Writes entries into the log, and into its counts, as the server does. */
export const writeLogEntries = (database: Database, entries: readonly Partial<RequestLogEntry>[]): Promise<void> =>
  writeBatch(database, LogBatch.of(entries.map(logEntry)));
