import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { durationSpan, lastSpan } from "../duration-histogram.ts";
import type { CallShape } from "../entry.ts";
import { tablesOf } from "../tables.ts";
import { type LogBlock, maxCallsInBlock } from "./block.ts";

/**
 * The lengths of rollups, and how long each is kept: long enough to compare an hour, week or month with the previous
 * one.
 */
const rollupKinds = [
  { seconds: 60, keptMs: 2 * 3_600_000 },
  { seconds: 3_600, keptMs: 15 * 24 * 3_600_000 },
  { seconds: 86_400, keptMs: 62 * 24 * 3_600_000 },
] as const;

/** The minimum time for which rollups of a length are kept. */
export const keptMsOf = (resolution: (typeof rollupKinds)[number]["seconds"]): number =>
  rollupKinds.find(({ seconds }) => seconds === resolution)?.keptMs ?? 0;

/** The number of calls of one kind in one minute, hour or day. */
export interface Rollup {
  userId: number;
  apiKeyId: number;
  fromExplorer: boolean;
  seconds: number;
  startMs: number;
  operation: string;
  status: number;
  refusedBy: string;
  span: number;
  calls: number;
}

/**
 * The reason of a rejection without a parameter's name: callers choose such names, so rows for each would have no
 * limit.
 */
export function countedReason(refusedBy: string | null): string {
  if (refusedBy === null) return "";
  return refusedBy.startsWith("parameter:") ? "parameter" : refusedBy;
}

/** Adds calls to the rollups of their minutes, hours and days, in the transaction that writes them into the log. */
export async function addToRollups(transaction: Queryable, blocks: readonly LogBlock[]): Promise<void> {
  const rollups = rollupsOf(blocks);
  if (rollups.length === 0) return;
  await sql`
    insert into request_rollups
      (user_id, api_key_id, from_explorer, seconds, start, operation, status, refused_by, duration_span, calls)
    select user_id, api_key_id, from_explorer = 1, seconds, to_timestamp(start / 1000.0), operation, status, refused_by,
           duration_span, calls
    from unnest(
      ${rollups.map((rollup) => rollup.userId)}::bigint[], ${rollups.map((rollup) => rollup.apiKeyId)}::bigint[],
      ${rollups.map((rollup) => Number(rollup.fromExplorer))}::integer[],
      ${rollups.map((rollup) => rollup.seconds)}::integer[], ${rollups.map((rollup) => rollup.startMs)}::bigint[],
      ${rollups.map((rollup) => rollup.operation)}::text[], ${rollups.map((rollup) => rollup.status)}::smallint[],
      ${rollups.map((rollup) => rollup.refusedBy)}::text[], ${rollups.map((rollup) => rollup.span)}::smallint[],
      ${rollups.map((rollup) => rollup.calls)}::integer[]
    ) as new (user_id, api_key_id, from_explorer, seconds, start, operation, status, refused_by, duration_span, calls)
    on conflict (user_id, seconds, start, api_key_id, from_explorer, operation, status, refused_by, duration_span)
    do update set calls = request_rollups.calls + excluded.calls`.execute(transaction);
}

/**
 * The rollups of the blocks' calls that have an account. Sorted, so that instances lock rows in the same order and
 * cannot deadlock.
 */
function rollupsOf(blocks: readonly LogBlock[]): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const block of blocks)
    for (const minute of minutesOf(block))
      for (const { seconds } of rollupKinds) {
        const startMs = startOf(minute.startMs, seconds);
        const { userId, apiKeyId, fromExplorer, operation, status, refusedBy, span } = minute;
        const key = `${userId} ${apiKeyId} ${fromExplorer} ${seconds} ${startMs} ${operation} ${status} ${refusedBy} ${span}`;
        const entry = rollups.get(key);
        if (entry === undefined) rollups.set(key, { ...minute, seconds, startMs });
        else entry.calls += minute.calls;
      }
  return [...rollups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rollup]) => rollup);
}

/** A block's calls by minute, shape and duration span. Several of them may belong to one row of the table. */
function minutesOf(block: LogBlock): Rollup[] {
  const { userId, apiKeyId, fromExplorer } = block.owner;
  if (userId === null || apiKeyId === null) return [];
  const minutes = new Map<number, Rollup>();
  const firstMs = startOf(block.firstMs, shortestSeconds);
  for (let index = 0; index < block.calls; index++) {
    const startMs = startOf(block.timeMs(index), shortestSeconds);
    const span = durationSpan(block.durationMs(index));
    const shapeIndex = block.shapeIndex(index);
    const key = ((startMs - firstMs) / 1000) * maxKeysInSecond + shapeIndex * (lastSpan + 1) + span;
    const minute = minutes.get(key);
    if (minute !== undefined) minute.calls++;
    else {
      const shape = block.shapes[shapeIndex] as CallShape;
      minutes.set(key, {
        userId,
        apiKeyId,
        fromExplorer,
        seconds: shortestSeconds,
        startMs,
        operation: shape.operation ?? "",
        status: shape.status,
        refusedBy: countedReason(shape.refusedBy),
        span,
        calls: 1,
      });
    }
  }
  return [...minutes.values()];
}

const maxKeysInSecond = maxCallsInBlock * (lastSpan + 1);

const shortestSeconds = rollupKinds[0].seconds;

const startOf = (ms: number, seconds: number): number => Math.floor(ms / (seconds * 1000)) * seconds * 1000;

/** Deletes up to `limit` expired rollups of each length. Returns the number of deleted rollups. */
export async function deleteRollups(db: Queryable, nowMs: number, limit: number): Promise<number> {
  const expired = rollupKinds.map(
    ({ seconds, keptMs }) =>
      sql`(select ctid from request_rollups where seconds = ${seconds} and start < ${new Date(nowMs - keptMs)} limit ${limit})`,
  );
  let deleted = 0;
  for (const rows of expired) {
    const { numDeletedRows } = await tablesOf(db)
      .deleteFrom("request_rollups")
      .where(sql<boolean>`ctid = any(array${rows})`)
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}
