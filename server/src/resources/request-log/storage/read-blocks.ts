import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { maxBlockSpanMs, maxCallsInBlock, type OpenBlock, openBlock } from "./block.ts";

/** A block of the log and the key whose calls it holds. */
export interface StoredBlock extends OpenBlock {
  id: number;
  apiKeyId: number | null;
  fromExplorer: boolean;
  lastMs: number;
}

/** Which calls are read: `condition` is on the blocks' columns, the times are the calls'. */
export interface CallRange {
  condition: RawBuilder<unknown>;
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
}

/** Blocks read for one answer: with one call in each, some 100 ms. */
const maxBlocks = 2_500;
/** Read in one go: a page of the newest calls in the first, no more memory than it takes in those after it. */
const firstBlocks = 8;
const maxCallsAtOnce = 8 * maxCallsInBlock;
const maxBlocksAtOnce = 500;

/** The number by which a call is found again. */
export const callId = (block: StoredBlock, index: number): number => block.id * maxCallsInBlock + index;

/** A call's block and its place in it; null for an id that no call has or that is no longer kept. */
export async function findBlock(
  db: Queryable,
  userId: number,
  id: number,
): Promise<{ block: StoredBlock; index: number } | null> {
  if (!Number.isSafeInteger(id)) return null;
  const condition = sql`id = ${Math.floor(id / maxCallsInBlock)} and user_id = ${userId}`;
  const [block] = await readBlocks(db, { condition }, { limit: 1 });
  const index = id % maxCallsInBlock;
  return block === undefined || index >= block.calls ? null : { block, index };
}

/**
 * Shows a range's calls to `visit`, newest first and where times are equal by id, until it answers false. Blocks of
 * several keys and instances overlap: one is opened as soon as it may hold the next call. True when every call was shown,
 * false when `visit` or the number of blocks ended it.
 */
export async function visitNewestFirst(
  db: Queryable,
  range: CallRange,
  visit: (block: StoredBlock, index: number) => boolean,
): Promise<boolean> {
  const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = range;
  const open: BlockCursor[] = [];
  const blocks = blocksNewestFirst(db, range);
  let opened = 0;
  let next = await blocks.next();
  for (;;) {
    let newest: BlockCursor | undefined;
    for (const cursor of open) if (newest === undefined || cursor.isNewerThan(newest)) newest = cursor;
    if (!next.done && (newest === undefined || newest.timeMs <= next.value.lastMs)) {
      if (++opened > maxBlocks) return false;
      open.push(new BlockCursor(next.value));
      next = await blocks.next();
    } else if (newest === undefined) return true;
    else {
      const { timeMs, block, index } = newest;
      if (!newest.advance()) open.splice(open.indexOf(newest), 1);
      if (timeMs < toMs && timeMs >= fromMs && !visit(block, index)) return false;
    }
  }
}

/** Goes through a block from its newest call to its oldest. */
class BlockCursor {
  readonly block: StoredBlock;
  /** Time and place of each call in one number, ascending. */
  readonly #order: Float64Array;
  readonly #sinceMs: number;
  #at: number;

  constructor(block: StoredBlock) {
    this.block = block;
    this.#sinceMs = block.timesMs.reduce((earliest, timeMs) => Math.min(earliest, timeMs), Number.POSITIVE_INFINITY);
    this.#order = block.timesMs.map((timeMs, index) => (timeMs - this.#sinceMs) * maxCallsInBlock + index).sort();
    this.#at = this.#order.length - 1;
  }

  get index(): number {
    return (this.#order[this.#at] ?? 0) % maxCallsInBlock;
  }

  get timeMs(): number {
    return this.#sinceMs + Math.floor((this.#order[this.#at] ?? 0) / maxCallsInBlock);
  }

  isNewerThan(other: BlockCursor): boolean {
    return this.timeMs > other.timeMs || (this.timeMs === other.timeMs && this.block.id > other.block.id);
  }

  /** False when that was the oldest. */
  advance(): boolean {
    this.#at--;
    return this.#at >= 0;
  }
}

async function* blocksNewestFirst(db: Queryable, range: CallRange): AsyncGenerator<StoredBlock, undefined> {
  let limit = firstBlocks;
  let behind: { lastMs: number; id: number } | undefined;
  for (;;) {
    const blocks = await readBlocks(db, range, { limit, behind });
    yield* blocks;
    if (blocks.length < limit) return;
    behind = blocks.at(-1);
    const calls = blocks.reduce((sum, block) => sum + block.calls, 0);
    limit = Math.min(maxBlocksAtOnce, limit * 4, Math.max(1, Math.floor((maxCallsAtOnce / calls) * blocks.length)));
  }
}

async function readBlocks(
  db: Queryable,
  { condition, fromMs, toMs }: CallRange,
  { limit, behind }: { limit: number; behind?: { lastMs: number; id: number } | undefined },
): Promise<StoredBlock[]> {
  const conditions = [condition];
  if (fromMs !== undefined) conditions.push(sql`last_at >= ${new Date(fromMs)}`);
  if (toMs !== undefined)
    conditions.push(sql`first_at < ${new Date(toMs)} and last_at < ${new Date(toMs + maxBlockSpanMs)}`);
  if (behind !== undefined) conditions.push(sql`(last_at, id) < (${new Date(behind.lastMs)}, ${behind.id}::bigint)`);
  const { rows } = await sql<BlockRow>`
    select id, api_key_id, from_explorer, last_at, content from request_log_blocks
    where ${sql.join(conditions, sql` and `)} order by last_at desc, id desc limit ${limit}`.execute(db);
  return Promise.all(
    rows.map(async (row) => ({
      ...(await openBlock(row.content)),
      id: row.id,
      apiKeyId: row.api_key_id,
      fromExplorer: row.from_explorer,
      lastMs: row.last_at.getTime(),
    })),
  );
}

interface BlockRow {
  id: number;
  api_key_id: number | null;
  from_explorer: boolean;
  last_at: Date;
  content: Buffer;
}
