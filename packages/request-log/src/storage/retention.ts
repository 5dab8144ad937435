import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type RawBuilder, sql } from "kysely";

/** The approximate size of a block's row and index entries, without content. */
const blockOverheadBytes = 200;
/** The share of the log's maximum size that calls without an account may take. */
const anonymousShare = 0.01;
/** The maximum number of blocks that one transaction deletes. */
const deletedBlocks = 1_000;
const dayMs = 86_400_000;

/** The size of the log in bytes. */
export interface LogSize {
  total: number;
  /** The size of calls without an account. */
  anonymous: number;
}

/** The size of one day's calls, with or without an account. */
interface DayBytes {
  /** The start of the day (UTC). */
  day: Date;
  anonymous: boolean;
  bytes: number;
}

interface WrittenBlock {
  owner: { userId: number | null };
  lastMs: number;
  /** The size of content and admitted times. */
  bytes: number;
}

/** Adds the size of blocks to the log's size, in the transaction that writes them. */
export const countWritten = (transaction: Queryable, blocks: readonly WrittenBlock[]): Promise<void> =>
  addBytes(
    transaction,
    blocks.map(({ owner, lastMs, bytes }) => ({
      day: new Date(lastMs - (lastMs % dayMs)),
      anonymous: owner.userId === null,
      bytes: bytes + blockOverheadBytes,
    })),
  );

/** Sorts the days, so that instances lock rows in the same order and cannot deadlock. */
async function addBytes(transaction: Queryable, changes: readonly DayBytes[]): Promise<void> {
  if (changes.length === 0) return;
  const days = [...Map.groupBy(changes, ({ day, anonymous }) => `${day.toISOString()} ${anonymous}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [first, ...others]]) => {
      const { day, anonymous, bytes } = first as DayBytes;
      return { day, anonymous, bytes: others.reduce((sum, other) => sum + other.bytes, bytes) };
    });
  await sql`
    insert into request_log_days (day, anonymous, bytes)
    select * from unnest(
      ${days.map(({ day }) => day)}::timestamptz[], ${days.map(({ anonymous }) => anonymous)}::boolean[],
      ${days.map(({ bytes }) => bytes)}::bigint[]
    ) as new (day, anonymous, bytes)
    on conflict (day, anonymous) do update set bytes = greatest(0, request_log_days.bytes + excluded.bytes)`.execute(
    transaction,
  );
}

/** The size of the log, without its rollups. */
export async function logSize(db: Queryable): Promise<LogSize> {
  const { rows } = await sql<LogSize>`
    select coalesce(sum(bytes), 0)::bigint as total,
           coalesce(sum(bytes) filter (where anonymous), 0)::bigint as anonymous
    from request_log_days`.execute(db);
  return rows[0] as LogSize;
}

/** Deletes blocks whose calls are all older than `beforeMs`. Returns the number of deleted calls. */
export async function deleteCallsBefore(db: Queryable, beforeMs: number): Promise<number> {
  const expired = sql`
    select id from request_log_blocks where last_at < ${new Date(beforeMs)} order by id limit ${deletedBlocks}`;
  let total = 0;
  for (;;) {
    const { blocks, calls } = await transact(db, (transaction) => deleteBlocks(transaction, expired));
    total += calls;
    if (blocks < deletedBlocks) break;
  }
  await sql`delete from request_log_days where day <= ${new Date(beforeMs - dayMs)}`.execute(db);
  return total;
}

/** Deletes the blocks of accounts. */
export async function deleteCallsOf(db: Queryable, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  const ids = sql`select id from request_log_blocks where user_id = any(${userIds}::bigint[]) limit ${deletedBlocks}`;
  while ((await transact(db, (transaction) => deleteBlocks(transaction, ids))).blocks > 0) {}
}

/**
 * Deletes the oldest blocks until the log has at most `maxBytes`, of which calls without an account have at most 1 %.
 * If the log is too large, deletes calls without an account first. Returns the new size.
 */
export async function deleteBeyond(db: Queryable, maxBytes: number): Promise<LogSize> {
  while ((await transact(db, (transaction) => deleteOldest(transaction, maxBytes))) > 0) {}
  return logSize(db);
}

/**
 * Deletes some blocks of a log that is too large, unless another instance does. Returns the number of deleted blocks.
 */
async function deleteOldest(transaction: Queryable, maxBytes: number): Promise<number> {
  // Two instances together would delete twice the excess.
  const lock = await sql<{ acquired: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('beatmarket:request-log-size')) as acquired`.execute(transaction);
  if (lock.rows[0]?.acquired !== true) return 0;
  const size = await logSize(transaction);
  const excess = size.total - maxBytes;
  const anonymousExcess = Math.min(size.anonymous, Math.max(excess, size.anonymous - anonymousShare * maxBytes));
  if (anonymousExcess > 0) {
    const ids = oldest(sql`user_id is null`, sql`last_at, id`, anonymousExcess);
    const { blocks } = await deleteBlocks(transaction, ids);
    if (blocks > 0) return blocks;
  }
  if (excess <= 0) return 0;
  return (await deleteBlocks(transaction, oldest(sql`true`, sql`id`, excess))).blocks;
}

/** The ids of the oldest blocks with a total size of `bytes`, at most `deletedBlocks`. `order` must have an index. */
const oldest = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>, bytes: number) => sql`
  select id from (
    select id, sum(bytes) over (order by ${order}) - bytes as bytes_before from (
      select id, last_at, ${blockBytes} as bytes from request_log_blocks
      where ${condition} order by ${order} limit ${deletedBlocks}
    ) as candidates
  ) as summed where bytes_before < ${bytes}`;

const blockBytes = sql.raw(
  `(octet_length(content) + coalesce(octet_length(admitted_times), 0) + ${blockOverheadBytes})`,
);

/** Deletes the blocks whose ids a query selects, except those that another instance is deleting. */
async function deleteBlocks(
  transaction: Queryable,
  ids: RawBuilder<unknown>,
): Promise<{ blocks: number; calls: number }> {
  const { rows } = await sql<DayBytes & { calls: number }>`
    delete from request_log_blocks where id in (
      select id from request_log_blocks where id in (${ids}) for update skip locked
    )
    returning date_trunc('day', last_at, 'UTC') as day, user_id is null as anonymous, calls, -${blockBytes} as bytes`.execute(
    transaction,
  );
  await addBytes(transaction, rows);
  return { blocks: rows.length, calls: rows.reduce((sum, { calls }) => sum + calls, 0) };
}
