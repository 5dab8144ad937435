import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";

/** The number of refused or failed calls of one kind, over all accounts. */
export interface ErrorCount {
  status: number;
  /** The reason of the refusal, without the name of a parameter; empty if it is not known. */
  refusedBy: string;
  /** Empty for paths without a route. */
  operation: string;
  calls: number;
  accounts: number;
  /** Both times are rounded down: to the minute for the span of an hour, and to the hour for longer spans. */
  firstAt: Date;
  lastAt: Date;
}

/** The length of each span, and the length of the rollups that are added up for it. */
const spans = {
  hour: { ms: 3_600_000, seconds: 60 },
  day: { ms: 86_400_000, seconds: 3_600 },
  week: { ms: 604_800_000, seconds: 3_600 },
};
export type ErrorSpan = keyof typeof spans;
export const errorSpans = Object.keys(spans) as [ErrorSpan, ...ErrorSpan[]];

const maxGroups = 100;

/**
 * The errors of all accounts by kind and endpoint, the 100 most frequent first. Adds up the counts of minutes or hours,
 * so the cost depends on the number of keys and kinds, not on the number of calls. Does not count calls with unknown
 * keys, which belong to no account.
 */
export async function countAllErrors(db: Queryable, span: ErrorSpan, nowMs: number): Promise<ErrorCount[]> {
  const { ms, seconds } = spans[span];
  const { rows } = await sql<ErrorCount>`
    select status, refused_by as "refusedBy", operation, sum(calls)::bigint as calls, count(distinct user_id) as accounts,
           min(start) as "firstAt", max(start) as "lastAt"
    from request_rollups
    where seconds = ${seconds} and start > ${new Date(nowMs - ms)} and status >= 400
    group by 1, 2, 3 order by calls desc, status, "refusedBy", operation limit ${maxGroups}`.execute(db);
  return rows;
}
