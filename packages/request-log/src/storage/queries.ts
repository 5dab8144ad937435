import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type Selectable, sql } from "kysely";
import type { RequestLogTables } from "../tables.ts";
import { decodeTimes, openBlock } from "./block.ts";
import type { Bucket } from "./call-store.ts";
import type { LogBatch } from "./log-batch.ts";
import { countWritten } from "./retention.ts";
import { addToRollups } from "./rollups.ts";

/**
 * Writes a batch's blocks in one statement and adds all its calls to the rollups. The commit does not wait for the WAL
 * flush, because the log may lose its last moments in a crash.
 */
export async function writeBatch(
  db: Queryable,
  { blocks, countedBlocks = [] }: Pick<LogBatch, "blocks"> & Partial<Pick<LogBatch, "countedBlocks">>,
): Promise<void> {
  const contents = await Promise.all(blocks.map((block) => block.bytes()));
  const admittedTimes = blocks.map((block) => block.admittedTimes());
  await transact(db, async (transaction) => {
    await sql`set local synchronous_commit to off`.execute(transaction);
    await sql`
      insert into request_log_blocks (api_key_id, user_id, from_explorer, first_at, last_at, calls, refused, content,
        admitted_times)
      select * from unnest(
        ${blocks.map(({ owner }) => owner.apiKeyId)}::bigint[], ${blocks.map(({ owner }) => owner.userId)}::bigint[],
        ${blocks.map(({ owner }) => owner.fromExplorer)}::boolean[],
        ${blocks.map(({ firstMs }) => new Date(firstMs))}::timestamptz[],
        ${blocks.map(({ lastMs }) => new Date(lastMs))}::timestamptz[],
        ${blocks.map(({ calls }) => calls)}::integer[], ${blocks.map(({ refused }) => refused)}::integer[],
        ${contents}::bytea[], ${admittedTimes}::bytea[]
      )`.execute(transaction);
    // Last, so that the row locks, for which other instances wait, are held only briefly.
    await addToRollups(transaction, [...blocks, ...countedBlocks]);
    const bytesOf = (index: number) => (contents[index]?.length ?? 0) + (admittedTimes[index]?.length ?? 0);
    await countWritten(
      transaction,
      blocks.map(({ owner, lastMs }, index) => ({ owner, lastMs, bytes: bytesOf(index) })),
    );
  });
}

/** The number of blocks that one query reads. */
const admittedBlocks = 2_000;
/**
 * The longest time between the arrival and the admission of a call: the request timeout, and the skew between clocks.
 */
const maxAdmissionDelayMs = 60_000;

/**
 * `CallStore.admittedSince`. Reads only blocks with admitted calls, whose number the daily limit of a plan bounds.
 * Blocks of earlier releases have no `admitted_times`, so all of them are read, with their content.
 */
export async function admittedSince(
  db: Queryable,
  { apiKeyId, fromExplorer }: Bucket,
  sinceMs: number,
  atMost: number,
): Promise<number[]> {
  const timesMs: number[] = [];
  let isOlder = sql`true`;
  for (;;) {
    const { rows } = await sql<AdmittedRow>`
      select id, last_at, admitted_times, case when admitted_times is null then content end as content
      from request_log_blocks
      where api_key_id = ${apiKeyId} and from_explorer = ${fromExplorer} and admitted_times is distinct from ''
        and last_at > ${new Date(sinceMs - maxAdmissionDelayMs)} and ${isOlder}
      order by last_at desc, id desc limit ${admittedBlocks}`.execute(db);
    for (const row of rows) for (const timeMs of await admittedTimes(row)) if (timeMs > sinceMs) timesMs.push(timeMs);
    const oldest = rows.at(-1);
    const isLast = oldest === undefined || rows.length < admittedBlocks;
    if (isLast || timesMs.length >= atMost) {
      const newest = timesMs.sort((a, b) => a - b).slice(-atMost);
      if (isLast || (newest[0] ?? 0) >= oldest.last_at.getTime() + maxAdmissionDelayMs) return newest;
    }
    isOlder = sql`(last_at, id) < (${oldest.last_at}, ${oldest.id}::bigint)`;
  }
}

type AdmittedRow = Pick<Selectable<RequestLogTables["request_log_blocks"]>, "id" | "last_at" | "admitted_times"> & {
  content: Buffer | null;
};

async function admittedTimes({ admitted_times: times, content }: AdmittedRow): Promise<number[]> {
  if (content === null) return decodeTimes(times ?? Buffer.alloc(0));
  const block = await openBlock(content);
  return Array.from(block.timesMs).filter((_, index) => block.shape(index).status !== 429);
}
