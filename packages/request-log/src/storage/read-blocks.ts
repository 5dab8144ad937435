import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { RequestLogTables } from "../tables.ts";
import { maxBlockSpanMs, maxCallsInBlock, type OpenBlock, openBlock } from "./block.ts";

/** A decoded block with its id and the key of its calls. */
export interface StoredBlock extends OpenBlock {
  id: number;
  userId: number | null;
  apiKeyId: number | null;
  fromExplorer: boolean;
  lastMs: number;
}

/** Selects calls: `condition` filters blocks by their columns, and the times filter calls. */
export interface CallRange {
  condition: RawBuilder<unknown>;
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
}

/** The number of blocks that are read for one request: in about 100 ms if each has one call. */
const maxBlocks = 2_500;
/**
 * The number of blocks of the first query, enough for the first page. Later queries read more, within a limit of
 * memory.
 */
const firstBlocks = 8;
const maxCallsPerQuery = 8 * maxCallsInBlock;
const maxBlocksPerQuery = 500;

/** A call's id: its block's id and its index in the block. */
export const callId = (block: StoredBlock, index: number): number => block.id * maxCallsInBlock + index;

/**
 * A call's block, if the condition `owner` selects it, and the call's index in the block; null for an unknown id or an
 * expired call.
 */
export async function findBlock(
  db: Queryable,
  owner: RawBuilder<unknown>,
  id: number,
): Promise<{ block: StoredBlock; index: number } | null> {
  if (!Number.isSafeInteger(id)) return null;
  const condition = sql`id = ${Math.floor(id / maxCallsInBlock)} and ${owner}`;
  const [block] = await readBlocks(db, { condition }, { limit: 1 });
  const index = id % maxCallsInBlock;
  return block === undefined || index >= block.calls ? null : { block, index };
}

/**
 * Calls `visit` for each call of a range, newest first, then by id, until `visit` returns false. Merges the blocks of
 * several keys and instances, because they overlap in time. Returns true if all calls were visited, and false if
 * `visit` or the limit of blocks stopped the iteration.
 */
export async function visitNewestFirst(
  db: Queryable,
  range: CallRange,
  visit: (block: StoredBlock, index: number) => boolean,
): Promise<boolean> {
  const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = range;
  const open: BlockCursor[] = [];
  const blocks = blocksNewestFirst(db, range);
  let openedCount = 0;
  let next = await blocks.next();
  for (;;) {
    let newest: BlockCursor | undefined;
    for (const cursor of open) if (newest === undefined || cursor.isNewerThan(newest)) newest = cursor;
    if (!next.done && (newest === undefined || newest.timeMs <= next.value.lastMs)) {
      if (++openedCount > maxBlocks) return false;
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

/** Iterates over a block from its newest call to its oldest. */
class BlockCursor {
  readonly block: StoredBlock;
  /** The time and the index of each call in one number, ascending. */
  readonly #order: Float64Array;
  readonly #sinceMs: number;
  #position: number;

  constructor(block: StoredBlock) {
    this.block = block;
    this.#sinceMs = block.timesMs.reduce((earliest, timeMs) => Math.min(earliest, timeMs), Number.POSITIVE_INFINITY);
    this.#order = block.timesMs.map((timeMs, index) => (timeMs - this.#sinceMs) * maxCallsInBlock + index).sort();
    this.#position = this.#order.length - 1;
  }

  get index(): number {
    return (this.#order[this.#position] ?? 0) % maxCallsInBlock;
  }

  get timeMs(): number {
    return this.#sinceMs + Math.floor((this.#order[this.#position] ?? 0) / maxCallsInBlock);
  }

  isNewerThan(other: BlockCursor): boolean {
    return this.timeMs > other.timeMs || (this.timeMs === other.timeMs && this.block.id > other.block.id);
  }

  /** False after the oldest call. */
  advance(): boolean {
    this.#position--;
    return this.#position >= 0;
  }
}

async function* blocksNewestFirst(db: Queryable, range: CallRange): AsyncGenerator<StoredBlock, undefined> {
  let limit = firstBlocks;
  let after: { lastMs: number; id: number } | undefined;
  for (;;) {
    const blocks = await readBlocks(db, range, { limit, after });
    yield* blocks;
    if (blocks.length < limit) return;
    after = blocks.at(-1);
    const calls = blocks.reduce((sum, block) => sum + block.calls, 0);
    limit = Math.min(maxBlocksPerQuery, limit * 4, Math.max(1, Math.floor((maxCallsPerQuery / calls) * blocks.length)));
  }
}

async function readBlocks(
  db: Queryable,
  { condition, fromMs, toMs }: CallRange,
  { limit, after }: { limit: number; after?: { lastMs: number; id: number } | undefined },
): Promise<StoredBlock[]> {
  const conditions = [condition];
  if (fromMs !== undefined) conditions.push(sql`last_at >= ${new Date(fromMs)}`);
  if (toMs !== undefined)
    conditions.push(sql`first_at < ${new Date(toMs)} and last_at < ${new Date(toMs + maxBlockSpanMs)}`);
  if (after !== undefined) conditions.push(sql`(last_at, id) < (${new Date(after.lastMs)}, ${after.id}::bigint)`);
  const { rows } = await sql<BlockRow>`
    select id, user_id, api_key_id, from_explorer, last_at, content from request_log_blocks
    where ${sql.join(conditions, sql` and `)} order by last_at desc, id desc limit ${limit}`.execute(db);
  return Promise.all(
    rows.map(async (row) => ({
      ...(await openBlock(row.content)),
      id: row.id,
      userId: row.user_id,
      apiKeyId: row.api_key_id,
      fromExplorer: row.from_explorer,
      lastMs: row.last_at.getTime(),
    })),
  );
}

type BlockRow = Pick<
  Selectable<RequestLogTables["request_log_blocks"]>,
  "id" | "user_id" | "api_key_id" | "from_explorer" | "last_at" | "content"
>;
