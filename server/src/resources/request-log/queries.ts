import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import type { Database, Queryable } from "../../database/connect.ts";
import type { Bucket } from "../../http/rate-limit/buckets.ts";
import type { LogBatch } from "./log-batch.ts";
import { addToRollups } from "./rollups.ts";

/**
 * Writes a batch with one COPY, and adds it to the counts. Losing the last moment in a crash is fine, so the commit does
 * not wait for the disk.
 */
export async function writeBatch({ driver }: Database, batch: LogBatch): Promise<void> {
  await driver.begin(async (transaction) => {
    await transaction`set local synchronous_commit to off`;
    const copy = await transaction`
      copy request_log (time, request_id, api_key_id, user_id, from_explorer, method, path, query, status, duration_ms,
                        operation, error_code, error_message, error_details, refused_by, headers, body, client_address,
                        user_agent) from stdin`.writable();
    await pipeline(Readable.from(batch.lines()), copy);
    // Last, so that the rows other instances count into too are locked for a moment only.
    await addToRollups(transaction, batch.tally);
  });
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
