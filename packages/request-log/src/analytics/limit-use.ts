import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { endMs } from "../storage/call-store.ts";
import { keptMsOf } from "../storage/rollups.ts";
import { type AnalyticsRequest, rollupFilter } from "./analytics.ts";
import { barStart, type CountedPeriod, type RollupSeconds } from "./period.ts";

/** The windows of rate limits; `listed` is the number of newest windows in a list. */
const windows = {
  minute: { seconds: 60, listed: 60 },
  hour: { seconds: 3_600, listed: 48 },
  day: { seconds: 86_400, listed: 31 },
} as const satisfies Record<string, { seconds: RollupSeconds; listed: number }>;

type Window = keyof typeof windows;
const windowNames = Object.keys(windows) as Window[];

/** A key's use of its rate limits. Excludes calls from the explorer, which has separate limits. */
export interface LimitUse {
  apiKeyId: number;
  /** The number of calls with any status but 401 and 429. */
  admitted: number;
  /**
   * The highest number of admitted calls in a minute, hour or day of the clock that overlaps the period. Null if the
   * counts of the period's minutes or hours are deleted. A sliding window may have had more.
   */
  busiest: Record<Window, number | null>;
  /** The admitted calls of the newest minutes, hours and days of the clock that overlap the period, oldest first. */
  use: Record<Window, number[]>;
  /** The number of calls that were rejected because the window was full. */
  refused: Record<Window, number>;
}

/**
 * The use of rate limits by an account's keys, or by one key. Omits keys without calls. The key with most admitted
 * calls is first.
 */
export async function limitUse(db: Queryable, request: AnalyticsRequest): Promise<LimitUse[]> {
  const { userId, apiKeyId, period } = request;
  const { rows } = await sql<Pick<LimitUse, "apiKeyId" | "admitted"> & LimitUse["refused"]>`
    select api_key_id as "apiKeyId", coalesce(sum(calls) filter (where ${isAdmitted}), 0)::bigint as admitted,
           coalesce(sum(calls) filter (where refused_by = 'limit:minute'), 0)::bigint as minute,
           coalesce(sum(calls) filter (where refused_by = 'limit:hour'), 0)::bigint as hour,
           coalesce(sum(calls) filter (where refused_by = 'limit:day'), 0)::bigint as day
    from request_rollups where ${rollupFilter(userId, apiKeyId, period)} and not from_explorer
    group by 1 order by 2 desc, 1`.execute(db);
  const [minute, hour, day] = await Promise.all(windowNames.map((window) => useOf(db, request, window)));
  return rows.map(({ apiKeyId: id, admitted, ...refused }) => {
    const use = { minute: minute?.(id) ?? [], hour: hour?.(id) ?? [], day: day?.(id) ?? [] };
    const busiest = (window: Window) => (use[window].length === 0 ? null : Math.max(...use[window]));
    return {
      apiKeyId: id,
      admitted,
      busiest: { minute: busiest("minute"), hour: busiest("hour"), day: busiest("day") },
      use: {
        minute: use.minute.slice(-windows.minute.listed),
        hour: use.hour.slice(-windows.hour.listed),
        day: use.day.slice(-windows.day.listed),
      },
      refused,
    };
  });
}

const isAdmitted = sql`status not in (401, 429)`;

/** The admitted calls of a key in each window of the clock that overlaps the period and whose counts are kept. */
async function useOf(
  db: Queryable,
  { userId, apiKeyId, period, nowMs }: AnalyticsRequest,
  window: Window,
): Promise<(apiKeyId: number) => number[]> {
  const overlap = overlappingWindows(period, nowMs, windows[window].seconds);
  if (overlap === null) return () => [];
  const { rows } = await sql<{ apiKeyId: number; start: Date; admitted: number }>`
    select api_key_id as "apiKeyId", start, sum(calls)::bigint as admitted
    from request_rollups where ${rollupFilter(userId, apiKeyId, overlap)} and not from_explorer and ${isAdmitted}
    group by 1, 2`.execute(db);
  const rowsOfKey = Map.groupBy(rows, (row) => row.apiKeyId);
  return (id) => {
    const countByStart = new Map(rowsOfKey.get(id)?.map((row) => [row.start.getTime(), row.admitted]));
    return Array.from(
      { length: overlap.bars },
      (_, bar) => countByStart.get(overlap.fromMs + bar * overlap.barMs) ?? 0,
    );
  };
}

function overlappingWindows(period: CountedPeriod, nowMs: number, seconds: RollupSeconds): CountedPeriod | null {
  const barMs = seconds * 1000;
  const oldestMs = Math.ceil((nowMs - keptMsOf(seconds)) / barMs) * barMs;
  const fromMs = Math.max(oldestMs, barStart(period.fromMs, barMs));
  const untilMs = Math.min(endMs(period), nowMs + 1);
  return fromMs >= untilMs ? null : { fromMs, barMs, bars: Math.ceil((untilMs - fromMs) / barMs), seconds };
}
