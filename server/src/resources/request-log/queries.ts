import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { transact } from "../../database/connection/transaction.ts";
import type { Bucket } from "../../http/rate-limit/buckets.ts";
import type { LogBatch } from "./storage/log-batch.ts";
import { type StoredBlock, visitNewestFirst } from "./storage/read-blocks.ts";
import { addToRollups } from "./storage/rollups.ts";

/**
 * Writes a batch in one statement and adds it to the rollups. A crash may lose the last moments, so the commit does not
 * wait for the WAL flush.
 */
export async function writeBatch(db: Queryable, { blocks }: LogBatch): Promise<void> {
  const contents = await Promise.all(blocks.map((block) => block.bytes()));
  await transact(db, async (transaction) => {
    await sql`set local synchronous_commit to off`.execute(transaction);
    await sql`
      insert into request_log_blocks (api_key_id, user_id, from_explorer, first_at, last_at, calls, refused, content)
      select * from unnest(
        ${blocks.map(({ owner }) => owner.apiKeyId)}::bigint[], ${blocks.map(({ owner }) => owner.userId)}::bigint[],
        ${blocks.map(({ owner }) => owner.fromExplorer)}::boolean[],
        ${blocks.map(({ firstMs }) => new Date(firstMs))}::timestamptz[],
        ${blocks.map(({ lastMs }) => new Date(lastMs))}::timestamptz[],
        ${blocks.map(({ calls }) => calls)}::integer[], ${blocks.map(({ refused }) => refused)}::integer[],
        ${contents}::bytea[]
      )`.execute(transaction);
    // Last, to hold the row locks that other instances wait for only briefly.
    await addToRollups(transaction, blocks);
  });
}

/**
 * The times of a bucket's admitted requests after `sinceMs`: Unix milliseconds, ascending, the newest `atMost`. All
 * logged calls count but those rejected with 429 (docs/api/limits.md, Sliding windows).
 */
export async function admittedSince(
  db: Queryable,
  { apiKeyId, fromExplorer }: Bucket,
  sinceMs: number,
  atMost: number,
): Promise<number[]> {
  const condition = sql`api_key_id = ${apiKeyId} and from_explorer = ${fromExplorer}`;
  const timesMs: number[] = [];
  await visitNewestFirst(db, { condition, fromMs: sinceMs + 1 }, (block: StoredBlock, index) => {
    if (block.shape(index).status !== 429) timesMs.push(block.timesMs[index] ?? 0);
    return timesMs.length < atMost;
  });
  return timesMs.reverse();
}

/** Deletes up to `limit` blocks whose calls are all older than `beforeMs`. Returns how many blocks and calls. */
export async function deleteCallsBefore(
  db: Queryable,
  beforeMs: number,
  limit: number,
): Promise<{ blocks: number; calls: number }> {
  const deleted = await db
    .deleteFrom("request_log_blocks")
    .where(
      "id",
      "in",
      sql<number>`(select id from request_log_blocks where last_at < ${new Date(beforeMs)} order by id limit ${limit})`,
    )
    .returning("calls")
    .execute();
  return { blocks: deleted.length, calls: deleted.reduce((sum, { calls }) => sum + calls, 0) };
}
