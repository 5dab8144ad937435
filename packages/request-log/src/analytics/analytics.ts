import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { type RawBuilder, sql } from "kysely";
import { percentileMs } from "../duration-histogram.ts";
import { endMs, type Period } from "../storage/call-store.ts";
import type { Rollup } from "../storage/rollups.ts";
import { type CountedPeriod, periodBefore } from "./period.ts";

export interface Outcomes {
  /** Percentiles of durations in milliseconds, exact to 9.1 %. Excludes 429s, which take no time. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
  calls: number;
  /** The number of calls by the first digit of the status. */
  classes: Record<2 | 3 | 4 | 5, number>;
}

type Bar = Outcomes & { start: Date };

export interface Analytics extends Outcomes {
  from: Date;
  /** The end of the last bar. */
  to: Date;
  barSeconds: number;
  bars: Bar[];
  /** Null if the counts of the period before are deleted or kept in less detail. */
  before: Comparison | null;
  /** Most called first. The operation is empty for paths without a route. */
  operations: (Outcomes & { operation: string })[];
  /** Most frequent first, at most `maxErrors`. */
  errors: { status: number; refusedBy: string; operation: string; calls: number }[];
}

/**
 * The bars of the period before, and the sums of both periods. If the period's last bar has not ended, each sum leaves
 * out the last bar of its period.
 */
export interface Comparison {
  bars: Bar[];
  now: Outcomes;
  earlier: Outcomes;
}

const maxErrors = 20;

interface RollupRow extends Pick<Rollup, "operation" | "status" | "refusedBy" | "span" | "calls"> {
  start: Date;
}

/** Selects an account's calls of a period; with `apiKeyId` only one key's calls. */
export interface AnalyticsRequest {
  userId: number;
  apiKeyId?: number | undefined;
  period: CountedPeriod;
  nowMs: number;
}

export async function analyse(db: Queryable, request: AnalyticsRequest): Promise<Analytics> {
  const { period, nowMs } = request;
  const before = periodBefore(period, nowMs);
  const [rows, rowsBefore] = await Promise.all([
    readRollups(db, request),
    before === null ? null : readRollups(db, { ...request, period: before }),
  ]);
  return {
    from: new Date(period.fromMs),
    to: new Date(endMs(period)),
    barSeconds: period.barMs / 1000,
    ...outcomesOf(rows),
    bars: barsOf(rows, period),
    before: before === null || rowsBefore === null ? null : comparison(rows, rowsBefore, request, before),
    operations: [...Map.groupBy(rows, ({ operation }) => operation)]
      .map(([operation, group]) => ({ operation, ...outcomesOf(group) }))
      .sort((a, b) => b.calls - a.calls),
    errors: errorsOf(rows),
  };
}

async function readRollups(db: Queryable, { userId, apiKeyId, period }: AnalyticsRequest): Promise<RollupRow[]> {
  const barSeconds = period.barMs / 1000;
  const { rows } = await sql<RollupRow>`
    select to_timestamp(floor(extract(epoch from start) / ${barSeconds}) * ${barSeconds}) as start, operation, status,
           refused_by as "refusedBy", duration_span as span, sum(calls)::bigint as calls
    from request_rollups where ${rollupFilter(userId, apiKeyId, period)}
    group by 1, operation, status, refused_by, duration_span`.execute(db);
  return rows;
}

/** Selects rollups of an account, or of one of its keys, in a period. */
export const rollupFilter = (
  userId: number,
  apiKeyId: number | undefined,
  period: CountedPeriod,
): RawBuilder<unknown> => sql`
  user_id = ${userId} and seconds = ${period.seconds} and start >= ${new Date(period.fromMs)}
  and start < ${new Date(endMs(period))} ${apiKeyId === undefined ? sql`` : sql`and api_key_id = ${apiKeyId}`}`;

function barsOf(rows: readonly RollupRow[], { fromMs, barMs, bars }: Period): Bar[] {
  const rowsOfBar = Map.groupBy(rows, ({ start }) => start.getTime());
  return Array.from({ length: bars }, (_, bar) => {
    const startMs = fromMs + bar * barMs;
    return { start: new Date(startMs), ...outcomesOf(rowsOfBar.get(startMs) ?? []) };
  });
}

function comparison(
  rows: readonly RollupRow[],
  rowsBefore: readonly RollupRow[],
  { period, nowMs }: AnalyticsRequest,
  before: CountedPeriod,
): Comparison {
  const excludedMs = endMs(period) > nowMs ? period.barMs : 0;
  const comparableRows = (allRows: readonly RollupRow[], end: number) =>
    allRows.filter((row) => row.start.getTime() < end - excludedMs);
  return {
    bars: barsOf(rowsBefore, before),
    now: outcomesOf(comparableRows(rows, endMs(period))),
    earlier: outcomesOf(comparableRows(rowsBefore, endMs(before))),
  };
}

function outcomesOf(rows: readonly RollupRow[]): Outcomes {
  const classes = { 2: 0, 3: 0, 4: 0, 5: 0 };
  const callsOfSpan = new Map<number, number>();
  let total = 0;
  for (const { status, span, calls } of rows) {
    total += calls;
    classes[Math.floor(status / 100) as 2 | 3 | 4 | 5] += calls;
    if (status !== 429) callsOfSpan.set(span, (callsOfSpan.get(span) ?? 0) + calls);
  }
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentileMs(callsOfSpan, share));
  return { calls: total, classes, p50: p50 ?? null, p95: p95 ?? null, p99: p99 ?? null };
}

function errorsOf(rows: readonly RollupRow[]): Analytics["errors"] {
  const failed = rows.filter(({ status }) => status >= 400);
  return [...Map.groupBy(failed, ({ status, refusedBy, operation }) => `${status} ${refusedBy} ${operation}`).values()]
    .map((group) => {
      const { status, refusedBy, operation } = group[0] as RollupRow;
      return { status, refusedBy, operation, calls: group.reduce((sum, { calls }) => sum + calls, 0) };
    })
    .sort((a, b) => b.calls - a.calls)
    .slice(0, maxErrors);
}
