import { sql } from "kysely";
import type postgres from "postgres";
import type { Queryable } from "../../database/connect.ts";
import { durationSpan } from "./durations.ts";
import type { RequestLogEntry } from "./entry.ts";

/** The lengths of what is counted, and how long the counts are kept. */
const rollupKinds = [
  { seconds: 60, keptMs: 2 * 3_600_000 },
  { seconds: 3_600, keptMs: 8 * 24 * 3_600_000 },
  { seconds: 86_400, keptMs: 31 * 24 * 3_600_000 },
] as const;

/** How many calls of one kind there were in one minute, hour or day. */
interface Rollup {
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

/** Why a call was refused, out of a bounded number of reasons: which parameter is the caller's invention. */
export const countedReason = (refusedBy: string | null): string =>
  refusedBy === null ? "" : refusedBy.startsWith("parameter:") ? "parameter" : refusedBy;

/**
 * Adds entries to the counts of their minutes, hours and days, within the transaction that writes them into the log. Calls
 * without an account are counted nowhere, for nobody may see them.
 */
export async function addToRollups(
  transaction: postgres.TransactionSql,
  entries: readonly RequestLogEntry[],
): Promise<void> {
  const rollups = rollUp(entries);
  if (rollups.length === 0) return;
  await transaction`
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
    do update set calls = request_rollups.calls + excluded.calls`;
}

/** In one order everywhere, so that instances that count the same calls wait for each other instead of locking up. */
function rollUp(entries: readonly RequestLogEntry[]): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const entry of entries)
    if (entry.userId !== null && entry.apiKeyId !== null)
      for (const { seconds } of rollupKinds) count(rollups, entry, entry.userId, entry.apiKeyId, seconds);
  return [...rollups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rollup]) => rollup);
}

function count(
  rollups: Map<string, Rollup>,
  { timeMs, fromExplorer, operation, status, refusedBy, durationMs }: RequestLogEntry,
  userId: number,
  apiKeyId: number,
  seconds: number,
): void {
  // As the log keeps it, so that both put a call into the same minute.
  const start = Math.floor(Math.floor(timeMs) / (seconds * 1000));
  const reason = countedReason(refusedBy);
  const span = durationSpan(durationMs);
  const key = `${userId} ${apiKeyId} ${fromExplorer} ${seconds} ${start} ${operation} ${status} ${reason} ${span}`;
  const known = rollups.get(key);
  if (known !== undefined) known.calls++;
  else
    rollups.set(key, {
      userId,
      apiKeyId,
      fromExplorer,
      seconds,
      startMs: start * seconds * 1000,
      operation: operation ?? "",
      status,
      refusedBy: reason,
      span,
      calls: 1,
    });
}

/** Deletes up to `limit` counts past their time; returns how many went. */
export async function deleteRollups(db: Queryable, nowMs: number, limit: number): Promise<number> {
  const past = rollupKinds.map(
    ({ seconds, keptMs }) =>
      sql`(select ctid from request_rollups where seconds = ${seconds} and start < ${new Date(nowMs - keptMs)} limit ${limit})`,
  );
  let deleted = 0;
  for (const rows of past) {
    const { numDeletedRows } = await db
      .deleteFrom("request_rollups")
      .where(sql<boolean>`ctid = any(array${rows})`)
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}
