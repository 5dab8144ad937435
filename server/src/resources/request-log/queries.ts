import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import type { Database, Queryable } from "../../database/connect.ts";
import type { Bucket } from "../../http/rate-limit/buckets.ts";
import type { RequestLogEntry } from "./entry.ts";
import { addToRollups } from "./rollups.ts";

/**
 * Writes entries with one COPY, and counts them. Losing the last moment in a crash is fine, so the commit does not wait
 * for the disk.
 */
export async function writeEntries({ driver }: Database, entries: readonly RequestLogEntry[]): Promise<void> {
  await driver.begin(async (transaction) => {
    await transaction`set local synchronous_commit to off`;
    const copy = await transaction`
      copy request_log (time, request_id, api_key_id, user_id, from_explorer, method, path, query, status, duration_ms,
                        operation, error_code, error_message, error_details, refused_by, headers, body, client_address,
                        user_agent) from stdin`.writable();
    await pipeline(Readable.from([entries.map(copyLine).join("")]), copy);
    // Last, so that the rows other instances count into too are locked for a moment only.
    await addToRollups(transaction, entries);
  });
}

// Written out rather than mapped over: at thousands of calls a second this line is a good part of what the log costs.
const copyLine = (entry: RequestLogEntry): string =>
  `${isoTime(entry.timeMs)}\t${entry.requestId}\t${entry.apiKeyId ?? "\\N"}\t${entry.userId ?? "\\N"}\t${entry.fromExplorer}\t${entry.method}\t${escaped(
    entry.path,
  )}\t${escaped(entry.query)}\t${entry.status}\t${entry.durationMs}\t${entry.operation ?? "\\N"}\t${
    entry.errorCode ?? "\\N"
  }\t${escaped(entry.errorMessage)}\t${escaped(entry.errorDetails)}\t${escaped(entry.refusedBy)}\t${escaped(
    entry.headers,
  )}\t${escaped(entry.body)}\t${escaped(entry.clientAddress)}\t${escaped(entry.userAgent)}\n`;

let formatted = { ms: 0, text: "" };

/** Many calls share a millisecond, and formatting it costs more than all else here. */
function isoTime(timeMs: number): string {
  const ms = Math.floor(timeMs);
  if (ms !== formatted.ms) formatted = { ms, text: new Date(ms).toISOString() };
  return formatted.text;
}

const special = /[\\\t\n\r\0]/;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" };

/** For COPY's text format; PostgreSQL has no NUL, so it is left out. */
function escaped(text: string | null): string {
  if (text === null) return "\\N";
  if (!special.test(text)) return text;
  return text.replace(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? "");
}

/**
 * When a bucket's requests were admitted since then: wall times in Unix milliseconds, ascending, the newest `atMost` of
 * them. Every logged call of it counts but the refused ones (DESIGN section 2, counting).
 */
export async function admittedSince(
  db: Queryable,
  { apiKeyId, fromExplorer }: Bucket,
  sinceMs: number,
  atMost: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom("request_log")
    .select("time")
    .where("api_key_id", "=", apiKeyId)
    .where("from_explorer", "=", fromExplorer)
    .where("time", ">", new Date(sinceMs))
    .where("status", "<>", 429)
    .orderBy("time", "desc")
    .limit(atMost)
    .execute();
  return rows.map(({ time }) => time.getTime()).reverse();
}

/** Deletes up to `limit` entries older than that; returns how many went. */
export async function deleteEntriesBefore(db: Queryable, beforeMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("request_log")
    .where(
      "id",
      "in",
      sql<number>`(select id from request_log where time < ${new Date(beforeMs)} order by id limit ${limit})`,
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
