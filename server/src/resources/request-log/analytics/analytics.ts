import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import type { Rollup } from "../storage/rollups.ts";
import { percentileMs } from "./duration-histogram.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * The bars of each chart, and the rollups (`seconds`) they add up. Bars start on the UTC clock: days at midnight, quarters
 * of days at 00:00, 06:00 and so on. The last bar is not over yet.
 */
const spans = {
  hour: { bars: 60, barMs: minuteMs, seconds: 60 },
  day: { bars: 24, barMs: hourMs, seconds: 3_600 },
  week: { bars: 28, barMs: 6 * hourMs, seconds: 3_600 },
  month: { bars: 30, barMs: 24 * hourMs, seconds: 86_400 },
} as const;

export type TimeSpan = keyof typeof spans;
export const timeSpans = Object.keys(spans) as [TimeSpan, ...TimeSpan[]];

interface Outcomes {
  /** Percentiles of durations in milliseconds, exact to 9.1 %. Excludes 429s, which take no time. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
  calls: number;
  /** By the first digit of the status. */
  classes: Record<2 | 3 | 4 | 5, number>;
}

export interface Analytics extends Outcomes {
  from: Date;
  /** The end of the last bar. */
  to: Date;
  barSeconds: number;
  bars: (Outcomes & { start: Date })[];
  /** Most called first. The empty operation stands for paths without a route. */
  operations: (Outcomes & { operation: string })[];
  /** The `maxErrors` most frequent, most frequent first. */
  errors: { status: number; refusedBy: string; operation: string; calls: number }[];
}

const maxErrors = 20;

interface RollupRow extends Pick<Rollup, "operation" | "status" | "refusedBy" | "span" | "calls"> {
  start: Date;
}

/** Aggregates an account's calls, or those of one of its keys, up to now. */
export async function analyse(
  db: Queryable,
  { userId, apiKeyId, span, nowMs }: { userId: number; apiKeyId?: number | undefined; span: TimeSpan; nowMs: number },
): Promise<Analytics> {
  const { bars, barMs } = spans[span];
  const fromMs = firstBarMs(span, nowMs);
  const { rows } = await sql<RollupRow>`
    select to_timestamp(floor(extract(epoch from start) / ${barMs / 1000}) * ${barMs / 1000}) as start, operation, status,
           refused_by as "refusedBy", duration_span as span, sum(calls)::bigint as calls
    from request_rollups where ${rollupFilter(userId, apiKeyId, span, fromMs)}
    group by 1, operation, status, refused_by, duration_span`.execute(db);
  const rowsOfBar = Map.groupBy(rows, ({ start }) => start.getTime());
  return {
    from: new Date(fromMs),
    to: new Date(fromMs + bars * barMs),
    barSeconds: barMs / 1000,
    ...outcomesOf(rows),
    bars: Array.from({ length: bars }, (_, bar) => {
      const startMs = fromMs + bar * barMs;
      return { start: new Date(startMs), ...outcomesOf(rowsOfBar.get(startMs) ?? []) };
    }),
    operations: [...Map.groupBy(rows, ({ operation }) => operation)]
      .map(([operation, group]) => ({ operation, ...outcomesOf(group) }))
      .sort((a, b) => b.calls - a.calls),
    errors: errorsOf(rows),
  };
}

const rollupFilter = (
  userId: number,
  apiKeyId: number | undefined,
  span: TimeSpan,
  fromMs: number,
): RawBuilder<unknown> => sql`
  user_id = ${userId} and seconds = ${spans[span].seconds} and start >= ${new Date(fromMs)}
  ${apiKeyId === undefined ? sql`` : sql`and api_key_id = ${apiKeyId}`}`;

function firstBarMs(span: TimeSpan, nowMs: number): number {
  const { bars, barMs } = spans[span];
  return (Math.floor(nowMs / barMs) - bars + 1) * barMs;
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

/** A key's use of its rate limits. Excludes calls from the explorer, which has its own limits. */
export interface LimitUse {
  apiKeyId: number;
  /** Admitted calls: neither 429 nor 401. */
  admitted: number;
  /**
   * The most admitted calls in one minute, hour or day of the clock, or in the last hour for the time span hour. Null if
   * the rollups are coarser than the window or do not cover it. A sliding window may have held more.
   */
  busiest: Record<"minute" | "hour" | "day", number | null>;
  /** Calls rejected because that window was full. */
  refused: Record<"minute" | "hour" | "day", number>;
}

/** The use of rate limits by an account's keys, or by one of them. Omits keys without calls. */
export async function limitUse(
  db: Queryable,
  { userId, apiKeyId, span, nowMs }: { userId: number; apiKeyId?: number | undefined; span: TimeSpan; nowMs: number },
): Promise<LimitUse[]> {
  const { rows } = await sql<
    Pick<LimitUse, "apiKeyId" | "admitted"> &
      Record<"per_minute" | "per_hour" | "per_day" | keyof LimitUse["refused"], number>
  >`
    with counted as (
      select api_key_id, start, sum(calls) filter (where status not in (401, 429)) as admitted,
             sum(calls) filter (where refused_by = 'limit:minute') as minute,
             sum(calls) filter (where refused_by = 'limit:hour') as hour,
             sum(calls) filter (where refused_by = 'limit:day') as day
      from request_rollups where ${rollupFilter(userId, apiKeyId, span, firstBarMs(span, nowMs))}
        and not from_explorer
      group by api_key_id, start
    ), days as (
      select *, sum(admitted) over (partition by api_key_id, date_trunc('day', start, 'UTC')) as per_day,
             sum(admitted) over (partition by api_key_id, date_trunc('hour', start, 'UTC')) as per_hour
      from counted
    )
    select api_key_id as "apiKeyId", coalesce(sum(admitted), 0)::bigint as admitted,
           coalesce(max(admitted), 0)::bigint as per_minute, coalesce(max(per_hour), 0)::bigint as per_hour,
           coalesce(max(per_day), 0)::bigint as per_day, coalesce(sum(minute), 0)::bigint as minute,
           coalesce(sum(hour), 0)::bigint as hour, coalesce(sum(day), 0)::bigint as day
    from days group by api_key_id order by 2 desc, 1`.execute(db);
  const { seconds } = spans[span];
  return rows.map(({ per_minute, per_hour, per_day, minute, hour, day, ...use }) => ({
    ...use,
    busiest: {
      minute: seconds === 60 ? per_minute : null,
      hour: seconds === 60 ? use.admitted : seconds === 3_600 ? per_hour : null,
      day: span === "week" || span === "month" ? per_day : null,
    },
    refused: { minute, hour, day },
  }));
}
