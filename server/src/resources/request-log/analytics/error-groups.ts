import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { type CallSummary, summaries } from "../calls.ts";
import { type StoredBlock, visitNewestFirst } from "../storage/read-blocks.ts";
import { countedReason } from "../storage/rollups.ts";

/** The calls of a span that failed for the same reason at the same operation. */
export interface ErrorGroup {
  status: number;
  /** The kind of the refusal, without the name of a parameter; empty where none is known. */
  refusedBy: string;
  /** Empty for paths without a route. */
  operation: string;
  calls: number;
  /** Of the span, to the millisecond; where the group was there before it, the start of its first day (UTC). */
  firstSeen: Date;
  lastSeen: Date;
  /** It was not there in the days before the span. */
  isNew: boolean;
  latest: CallSummary;
}

export interface ErrorGroups {
  /** Last seen first. */
  groups: ErrorGroup[];
  /** All failed calls of the span were looked at. */
  isAll: boolean;
}

interface Range {
  userId: number;
  fromMs: number;
  toMs: number;
}

/** Failed calls looked at, in about 15 ms. */
const maxScanned = 100_000;
const maxGroups = 50;

/**
 * The failed calls of an account by status, reason and operation. Reads the log's blocks that have failures, newest first,
 * and counts at most `scanned` of them.
 */
export async function groupErrors(
  db: Queryable,
  range: Range,
  { scanned = maxScanned }: { scanned?: number } = {},
): Promise<ErrorGroups> {
  const { userId, fromMs, toMs } = range;
  const found = new Map<string, Group>();
  let calls = 0;
  const condition = sql`user_id = ${userId} and refused > 0`;
  const isWhole = await visitNewestFirst(db, { condition, fromMs, toMs }, (block, index) => {
    const { status, refusedBy, operation } = block.shape(index);
    if (status < 400) return true;
    if (calls === scanned) return false;
    calls++;
    const timeMs = block.timesMs[index] ?? 0;
    const key = keyOf({ status, refusedBy: countedReason(refusedBy), operation: operation ?? "" });
    const group = found.get(key);
    if (group === undefined) found.set(key, { calls: 1, firstMs: timeMs, latest: { block, index } });
    else {
      group.calls++;
      group.firstMs = timeMs;
    }
    return true;
  });
  const shown = [...found].slice(0, maxGroups);
  const [firstDays, latest] = await Promise.all([
    firstDaysBefore(db, range),
    summaries(
      db,
      shown.map(([, group]) => group.latest),
    ),
  ]);
  return {
    isAll: isWhole && shown.length === found.size,
    groups: shown.map(([key, group], index) => {
      const call = latest[index] as CallSummary;
      const firstDay = firstDays.get(key);
      return {
        status: call.status,
        refusedBy: countedReason(call.refusedBy),
        operation: call.operation ?? "",
        calls: group.calls,
        firstSeen: firstDay ?? new Date(group.firstMs),
        lastSeen: call.time,
        isNew: firstDay === undefined,
        latest: call,
      };
    }),
  };
}

interface Group {
  calls: number;
  firstMs: number;
  latest: { block: StoredBlock; index: number };
}

interface Kind {
  status: number;
  refusedBy: string;
  operation: string;
}

const keyOf = ({ status, refusedBy, operation }: Kind): string => `${status} ${refusedBy} ${operation}`;

/** The first day on which each kind of failure was counted, of those days that were over when the span began. */
async function firstDaysBefore(db: Queryable, { userId, fromMs }: Range): Promise<Map<string, Date>> {
  const { rows } = await sql<Kind & { day: Date }>`
    select status, refused_by as "refusedBy", operation, min(start) as day from request_rollups
    where user_id = ${userId} and seconds = 86400 and start + interval '1 day' <= ${new Date(fromMs)} and status >= 400
    group by status, refused_by, operation`.execute(db);
  return new Map(rows.map((row) => [keyOf(row), row.day]));
}
