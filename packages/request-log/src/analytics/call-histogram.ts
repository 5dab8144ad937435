import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import type { CallFilter } from "../call-filter.ts";
import type { CallLog } from "../call-log.ts";
import type { StatusClass } from "../storage/call-store.ts";
import { endMs, type Period } from "../storage/call-store.ts";
import { rollupFilter } from "./analytics.ts";
import { type CountedPeriod, countedPeriodOf, periodOf } from "./period.ts";

/** The number of calls over time by the first digit of their status. */
export interface CallHistogram {
  from: Date;
  /** The end of the last bar. */
  to: Date;
  barSeconds: number;
  bars: { start: Date; classes: Record<StatusClass, number> }[];
  /** The time before which calls are not counted, because the search is bounded; null if all calls are counted. */
  countedFrom: Date | null;
}

/** If rollups allow fewer bars, the calls of the log are counted in narrower bars. */
const minRollupBars = 12;

/**
 * Counts the account's calls that pass a filter, over the filter's times in whole bars. Reads rollups if they have the
 * filter's fields and are fine enough; rollups also count refused calls that are not stored. Otherwise searches the
 * log, newest calls first, with the same bound as one page of a list.
 */
export async function callHistogram(
  { db, store }: CallLog,
  userId: number,
  filter: CallFilter,
  { nowMs, scanned }: { nowMs: number; scanned?: number },
): Promise<CallHistogram> {
  const counted = countedPeriodOf(filter, nowMs);
  if (areCounted(filter) && counted.bars >= minRollupBars) return fromRollups(db, userId, filter, counted);
  const period = periodOf(filter, nowMs);
  const { counts, countedFrom } = await store.countBars(userId, filter, period, scanned);
  const { bars, add } = emptyBars(period);
  for (const { bar, statusClass, calls } of counts) add(bar, statusClass, calls);
  return { ...edges(period), bars, countedFrom };
}

/** Whether rollups have all fields of the filter. */
const areCounted = ({ errorCode, method, path, text, requestId, minDurationMs }: CallFilter): boolean =>
  [errorCode, method, path, text, requestId, minDurationMs].every((value) => value === undefined);

async function fromRollups(
  db: Queryable,
  userId: number,
  { apiKeyId, status, statusClass, operation }: CallFilter,
  period: CountedPeriod,
): Promise<CallHistogram> {
  const conditions = [rollupFilter(userId, apiKeyId, period)];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (statusClass !== undefined) conditions.push(sql`status / 100 = ${statusClass}`);
  if (operation !== undefined) conditions.push(sql`operation = ${operation ?? ""}`);
  const barSeconds = period.barMs / 1000;
  const { rows } = await sql<{ bar: number; class: StatusClass; calls: number }>`
    select floor((extract(epoch from start) - ${period.fromMs / 1000}) / ${barSeconds})::integer as bar,
           status / 100 as class, sum(calls)::bigint as calls
    from request_rollups where ${sql.join(conditions, sql` and `)} group by 1, 2`.execute(db);
  const { bars, add } = emptyBars(period);
  for (const row of rows) add(row.bar, row.class, row.calls);
  return { ...edges(period), bars, countedFrom: null };
}

const edges = (period: Period) => ({
  from: new Date(period.fromMs),
  to: new Date(endMs(period)),
  barSeconds: period.barMs / 1000,
});

function emptyBars({ fromMs, barMs, bars: length }: Period) {
  const bars = Array.from({ length }, (_, bar) => ({
    start: new Date(fromMs + bar * barMs),
    classes: { 2: 0, 3: 0, 4: 0, 5: 0 },
  }));
  const add = (index: number, statusClass: StatusClass, calls: number) => {
    const bar = bars[index];
    if (bar !== undefined) bar.classes[statusClass] += calls;
  };
  return { bars, add };
}
