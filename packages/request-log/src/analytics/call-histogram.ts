import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import type { CallFilter } from "../call-filter.ts";
import type { CallLog } from "../call-log.ts";
import type { StatusClass } from "../storage/call-store.ts";
import { endMs, type Period } from "../storage/call-store.ts";
import { rollupFilter } from "./analytics.ts";
import { type CountedPeriod, countedPeriodOf, periodOf } from "./period.ts";

/** Calls over time by the first digit of their status. */
export interface CallHistogram {
  from: Date;
  /** The end of the last bar. */
  to: Date;
  barSeconds: number;
  bars: { start: Date; classes: Record<StatusClass, number> }[];
  /** Calls before that are not counted: the search is bounded. Null if all are. */
  countedFrom: Date | null;
}

/** With fewer bars than these from rollups, the log itself is counted in narrower ones. */
const fewBars = 12;

/**
 * Counts the account's calls that pass a filter, over the filter's times in whole bars. Reads rollups where they know what the
 * filter asks for and are fine enough; they count refused calls that the log has no room for as well. Otherwise searches the
 * log, newest first, as far as one page of a list does.
 */
export async function callHistogram(
  { db, store }: CallLog,
  userId: number,
  filter: CallFilter,
  { nowMs, scanned }: { nowMs: number; scanned?: number },
): Promise<CallHistogram> {
  const counted = countedPeriodOf(filter, nowMs);
  if (areCounted(filter) && counted.bars >= fewBars) return fromRollups(db, userId, filter, counted);
  const period = periodOf(filter, nowMs);
  const { counts, countedFrom } = await store.countBars(userId, filter, period, scanned);
  const { bars, add } = emptyBars(period);
  for (const { bar, statusClass, calls } of counts) add(bar, statusClass, calls);
  return { ...edges(period), bars, countedFrom };
}

/** Whether rollups know what the filter asks for. */
const areCounted = ({ errorCode, method, path, text, minDurationMs }: CallFilter): boolean =>
  [errorCode, method, path, text, minDurationMs].every((value) => value === undefined);

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
