import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import type { CallLog } from "../call-log.ts";
import { type CallSummary, summaries } from "../calls.ts";
import type { AccountTimes } from "../storage/call-store.ts";
import { countedReason } from "../storage/rollups.ts";

/** The calls of a span that failed for the same reason at the same operation. */
export interface ErrorGroup {
  status: number;
  /** The reason of the refusal, without the name of a parameter; empty if it is not known. */
  refusedBy: string;
  /** Empty for paths without a route. */
  operation: string;
  calls: number;
  /**
   * The time of the first call in the span. For a group with calls on the days before the span, the start of its first
   * day (UTC).
   */
  firstSeen: Date;
  lastSeen: Date;
  /** Whether the group has no calls on the days before the span. */
  isNew: boolean;
  latest: CallSummary;
}

export interface ErrorGroups {
  /** Last seen first. */
  groups: ErrorGroup[];
  /** Whether `groups` has all failed calls of the span. */
  isAll: boolean;
}

const maxGroups = 50;

/**
 * Groups the failed calls of an account by status, reason and operation. Counts a bounded number of calls, the newest
 * ones.
 */
export async function groupErrors(
  { db, store }: CallLog,
  range: AccountTimes,
  { scanned }: { scanned?: number } = {},
): Promise<ErrorGroups> {
  const { groups, isWhole } = await store.groupFailed(range, scanned);
  const listed = groups.slice(0, maxGroups);
  const [firstDays, latest] = await Promise.all([
    firstDaysBefore(db, range),
    summaries(
      db,
      listed.map((group) => group.latest),
    ),
  ]);
  return {
    isAll: isWhole && listed.length === groups.length,
    groups: listed.map((group, index) => {
      const call = latest[index] as CallSummary;
      const kind = {
        status: call.status,
        refusedBy: countedReason(call.refusedBy),
        operation: call.operation ?? "",
      };
      const firstDay = firstDays.get(keyOf(kind));
      return {
        ...kind,
        calls: group.calls,
        firstSeen: firstDay ?? new Date(group.firstMs),
        lastSeen: call.time,
        isNew: firstDay === undefined,
        latest: call,
      };
    }),
  };
}

interface Kind {
  status: number;
  refusedBy: string;
  operation: string;
}

const keyOf = ({ status, refusedBy, operation }: Kind): string => `${status} ${refusedBy} ${operation}`;

/** The first day of each kind of failure, among the days that were over when the span began. */
async function firstDaysBefore(db: Queryable, { userId, fromMs }: AccountTimes): Promise<Map<string, Date>> {
  const { rows } = await sql<Kind & { day: Date }>`
    select status, refused_by as "refusedBy", operation, min(start) as day from request_rollups
    where user_id = ${userId} and seconds = 86400 and start + interval '1 day' <= ${new Date(fromMs)} and status >= 400
    group by status, refused_by, operation`.execute(db);
  return new Map(rows.map((row) => [keyOf(row), row.day]));
}
