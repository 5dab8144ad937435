import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../database/connect.ts";
import { type CallFilter, type CallsOf, matcher, rangeOf } from "./call-filter.ts";
import type { CallShape } from "./entry.ts";
import { callId, type StoredBlock, visitNewestFirst } from "./storage/read-blocks.ts";

/** One row of a list of calls. */
export interface CallSummary
  extends Pick<CallShape, "method" | "path" | "query" | "operation" | "status" | "errorCode" | "refusedBy"> {
  id: number;
  time: Date;
  requestId: string;
  /** Null for an unknown key. */
  userId: number | null;
  /** Null for an unknown key. */
  apiKeyId: number | null;
  /** Null if the key no longer exists. */
  keyName: string | null;
  /** The last four characters of the key. */
  keyEndsWith: string | null;
  durationMs: number;
}

/** One page: the matching calls, and how far the scan got. */
export interface CallPage {
  calls: CallSummary[];
  /** The cursor of the next page; null after the last one. */
  next: string | null;
  /** The time of the oldest call scanned; null if all were. */
  searchedTo: Date | null;
}

/** Calls scanned for one page, in about 50 ms. Bounds the time of a filter that matches little. */
export const maxScanned = 400_000;

/**
 * Lists calls, newest first. Scans at most `scanned` calls older than
 * the cursor `before`, and returns at most `limit` that match. A page may hold fewer calls than `limit` and still have a
 * `next`. Throws 400 for an invalid cursor.
 */
export async function listCalls(
  db: Queryable,
  userId: CallsOf,
  filter: CallFilter,
  { limit, before, scanned = maxScanned }: { limit: number; before?: string | undefined; scanned?: number },
): Promise<CallPage> {
  const cursor = before === undefined ? undefined : parseCursor(before);
  const matches = matcher(filter);
  const found: { block: StoredBlock; index: number }[] = [];
  let scannedCalls = 0;
  let last: Position | undefined;
  const isAll = await visitNewestFirst(db, rangeOf(userId, filter, cursor && cursor.timeMs + 1), (block, index) => {
    const position = { timeMs: block.timesMs[index] ?? 0, id: callId(block, index) };
    if (cursor !== undefined && !isOlder(position, cursor)) return true;
    if (scannedCalls === scanned) return false;
    scannedCalls++;
    if (matches(block, index)) {
      if (found.length === limit) return false;
      found.push({ block, index });
    }
    last = position;
    return true;
  });
  const calls = await summaries(db, found);
  if (isAll || last === undefined) return { calls, next: null, searchedTo: null };
  return { calls, next: `${last.timeMs}-${last.id}`, searchedTo: new Date(last.timeMs) };
}

/** A call's place in the order of the list. */
interface Position {
  timeMs: number;
  id: number;
}

const isOlder = (position: Position, other: Position): boolean =>
  position.timeMs < other.timeMs || (position.timeMs === other.timeMs && position.id < other.id);

function parseCursor(cursor: string): Position {
  // Fourteen digits of milliseconds reach the year 5138; PostgreSQL has no timestamps of fifteen.
  const match = /^(\d{1,14})-(\d{1,16})$/.exec(cursor);
  if (match === null) throw invalidRequest("The before parameter is not one that a list of calls gave.", "before");
  return { timeMs: Number(match[1]), id: Number(match[2]) };
}

/** Makes list rows of calls, with the names of their keys. */
export async function summaries(
  db: Queryable,
  calls: readonly { block: StoredBlock; index: number }[],
): Promise<CallSummary[]> {
  const keyIds = [...new Set(calls.map(({ block }) => block.apiKeyId).filter((id) => id !== null))];
  const keys =
    keyIds.length === 0
      ? []
      : await db.selectFrom("api_keys").select(["id", "name", "ends_with"]).where("id", "in", keyIds).execute();
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  return calls.map(({ block, index }) => {
    const { method, path, query, operation, status, errorCode, refusedBy } = block.shape(index);
    const key = block.apiKeyId === null ? undefined : keyOf.get(block.apiKeyId);
    return {
      id: callId(block, index),
      time: new Date(block.timesMs[index] ?? 0),
      requestId: block.requestId(index),
      userId: block.userId,
      apiKeyId: block.apiKeyId,
      keyName: key?.name ?? null,
      keyEndsWith: key?.ends_with ?? null,
      method,
      path,
      query,
      operation,
      status,
      durationMs: block.durationMs(index),
      errorCode,
      refusedBy,
    };
  });
}
