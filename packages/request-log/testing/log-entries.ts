import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import type { RequestLogEntry } from "../src/entry.ts";
import { openBlock } from "../src/storage/block.ts";
import { LogBatch } from "../src/storage/log-batch.ts";
import { writeBatch } from "../src/storage/queries.ts";

/** An entry of the request log. Omitted fields have the values of a successful call without an account. */
export const logEntry = (fields: Partial<RequestLogEntry> = {}): RequestLogEntry => ({
  timeMs: Date.UTC(2026, 0, 1),
  admittedMs: null,
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
  headers: "",
  body: null,
  clientAddress: "127.0.0.1",
  userAgent: "",
  version: "2026-11-20",
  ...fields,
});

/** Writes entries into the log and adds them to the counts, as the server does. */
export const writeLogEntries = (database: Database, entries: readonly Partial<RequestLogEntry>[]): Promise<void> =>
  writeBatch(database.query, LogBatch.fromEntries(entries.map(logEntry)));

/** The fields of a call that a block stores. */
export type StoredEntry = Omit<RequestLogEntry, "admittedMs">;

/** All entries of the log, in the order in which they were written. */
export async function readLogEntries(database: Database): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredBlock>`
    select api_key_id, user_id, from_explorer, content from request_log_blocks order by id`.execute(database.query);
  const blocks = await Promise.all(rows.map(async (row) => ({ row, block: await openBlock(row.content) })));
  return blocks.flatMap(({ row, block }) =>
    Array.from({ length: block.calls }, (_, index) => ({
      timeMs: block.timesMs[index] ?? Number.NaN,
      requestId: block.requestId(index),
      durationMs: block.durationMs(index),
      apiKeyId: row.api_key_id,
      userId: row.user_id,
      fromExplorer: row.from_explorer,
      ...block.shape(index),
    })),
  );
}

interface StoredBlock {
  api_key_id: number | null;
  user_id: number | null;
  from_explorer: boolean;
  content: Buffer;
}

/** The log entry of the call with this request id; undefined until it is written. */
export const loggedCall = async (database: Database, requestId: unknown): Promise<StoredEntry | undefined> =>
  (await readLogEntries(database)).find((entry) => entry.requestId === requestId);
