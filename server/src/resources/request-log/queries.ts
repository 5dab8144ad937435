import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import type { Database, Queryable } from "../../database/connect.ts";
import type { RequestLogEntry } from "./entry.ts";

/** Writes entries with one COPY. Losing the last moment in a crash is fine, so the commit does not wait for the disk. */
export async function writeEntries({ driver }: Database, entries: readonly RequestLogEntry[]): Promise<void> {
  await driver.begin(async (transaction) => {
    await transaction`set local synchronous_commit to off`;
    const copy = await transaction`
      copy request_log (time, request_id, api_key_id, user_id, method, path, query, status, duration_ms,
                        error_code, error_details, refused_by, headers, client_address, user_agent) from stdin`.writable();
    await pipeline(Readable.from([entries.map(copyLine).join("")]), copy);
  });
}

function copyLine(entry: RequestLogEntry): string {
  return `${[
    new Date(entry.timeMs).toISOString(),
    entry.requestId,
    entry.apiKeyId,
    entry.userId,
    entry.method,
    escaped(entry.path),
    escaped(entry.query),
    entry.status,
    entry.durationMs.toFixed(3),
    entry.errorCode,
    entry.errorDetails === null ? null : escaped(entry.errorDetails),
    entry.refusedBy === null ? null : escaped(entry.refusedBy),
    escaped(JSON.stringify(entry.headers)),
    escaped(entry.clientAddress),
    escaped(entry.userAgent),
  ]
    .map((value) => value ?? "\\N")
    .join("\t")}\n`;
}

const special = /[\\\t\n\r\0]/g;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" };

/** For COPY's text format; PostgreSQL has no NUL, so it is left out. */
const escaped = (text: string): string => text.replace(special, (character) => escapes[character] ?? "");

/**
 * When a key's requests were admitted since then: wall times in Unix milliseconds, ascending, the newest `atMost` of
 * them. Every logged call of the key counts but the refused ones (DESIGN section 2, counting).
 */
export async function admittedSince(
  db: Queryable,
  apiKeyId: number,
  sinceMs: number,
  atMost: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom("request_log")
    .select("time")
    .where("api_key_id", "=", apiKeyId)
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
