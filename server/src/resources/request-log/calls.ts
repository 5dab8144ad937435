import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { invalidRequest } from "../../errors.ts";
import type { CallShape } from "./entry.ts";
import type { OpenBlock } from "./storage/block.ts";
import { type CallRange, callId, type StoredBlock, visitNewestFirst } from "./storage/read-blocks.ts";

/** Filters of a list of calls. Absent fields match everything. */
export interface CallFilter {
  /** 2 for 200 to 299, and so on. */
  statusClass?: number | undefined;
  status?: number | undefined;
  errorCode?: string | undefined;
  method?: string | undefined;
  /** Null matches paths without a route. */
  operation?: string | null | undefined;
  /** A substring of the path. */
  path?: string | undefined;
  /** A key of the account. Another account's key matches nothing. */
  apiKeyId?: number | undefined;
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
  /** A substring of path, query, error details, request id or user agent, case-insensitive. */
  text?: string | undefined;
}

/** One row of a list of calls. */
export interface CallSummary
  extends Pick<CallShape, "method" | "path" | "query" | "operation" | "status" | "errorCode" | "refusedBy"> {
  id: number;
  time: Date;
  requestId: string;
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
const maxScanned = 400_000;

/**
 * Lists an account's calls, or with null those with an unknown key, newest first. Scans at most `scanned` calls older than
 * the cursor `before`, and returns at most `limit` that match. A page may hold fewer calls than `limit` and still have a
 * `next`. Throws 400 for an invalid cursor.
 */
export async function listCalls(
  db: Queryable,
  userId: number | null,
  filter: CallFilter,
  { limit, before, scanned = maxScanned }: { limit: number; before?: string | undefined; scanned?: number },
): Promise<CallPage> {
  const cursor = before === undefined ? undefined : parseCursor(before);
  const matches = matcher(filter);
  const found: { block: StoredBlock; index: number }[] = [];
  let scannedCalls = 0;
  let last: Position | undefined;
  const isAll = await visitNewestFirst(db, rangeOf(userId, filter, cursor), (block, index) => {
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

/** Chooses the narrowest index: a key's blocks, an account's blocks with errors, or all blocks of the account. */
function rangeOf(userId: number | null, filter: CallFilter, cursor: Position | undefined): CallRange {
  const { fromMs, toMs } = timeRange(filter);
  const conditions = [userId === null ? sql`user_id is null` : sql`user_id = ${userId}`];
  if (filter.apiKeyId !== undefined) conditions.push(sql`api_key_id = ${filter.apiKeyId}`);
  else if (matchesOnlyErrors(filter)) conditions.push(sql`refused > 0`);
  const ends = [toMs, cursor && cursor.timeMs + 1].filter((end) => end !== undefined);
  return {
    condition: sql.join(conditions, sql` and `),
    fromMs,
    toMs: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

const matchesOnlyErrors = ({ statusClass = 0, status = 0, errorCode }: CallFilter): boolean =>
  statusClass >= 4 || status >= 400 || errorCode !== undefined;

/** Builds the filter's predicate, without key and times. Evaluates each shape once and caches the verdict. */
function matcher(filter: CallFilter): (block: OpenBlock, index: number) => boolean {
  const text = filter.text === undefined ? null : needlesOf(filter.text);
  const verdicts = new WeakMap<CallShape, boolean | "by request id">();
  const judge = (shape: CallShape) => {
    if (!hasFields(shape, filter)) return false;
    return text === null || textOf(shape).some((value) => text.some((needle) => value.includes(needle)))
      ? true
      : "by request id";
  };
  return (block, index) => {
    const shape = block.shape(index);
    let verdict = verdicts.get(shape);
    if (verdict === undefined) {
      verdict = judge(shape);
      verdicts.set(shape, verdict);
    }
    if (typeof verdict === "boolean") return verdict;
    const requestId = block.requestId(index).toLowerCase();
    return text?.some((needle) => requestId.includes(needle)) === true;
  };
}

const hasFields = (shape: CallShape, { statusClass, status, errorCode, method, operation, path }: CallFilter) =>
  (statusClass === undefined || Math.floor(shape.status / 100) === statusClass) &&
  (status === undefined || shape.status === status) &&
  (errorCode === undefined || shape.errorCode === errorCode) &&
  (method === undefined || shape.method === method) &&
  (operation === undefined || shape.operation === operation) &&
  (path === undefined || shape.path.includes(path));

const textOf = ({ path, query, userAgent, errorDetails }: CallShape): string[] =>
  [path, query, userAgent, errorDetails ?? ""].map((value) => value.toLowerCase());

/** The log stores queries as sent, so the search also tries the percent-encoded forms of the text. */
function needlesOf(text: string): string[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  return [...new Set([text, encoded, encoded.replaceAll("%20", "+")].map((needle) => needle.toLowerCase()))];
}

/** Bounds the time in a forged request id to what PostgreSQL can store. */
const maxTimeMs = Date.UTC(9999, 0);

/** Exceeds the clock skew between instances and the delay between a call's id and its time. */
const idToleranceMs = 5_000;

/** The filter's times, narrowed if the text is a request id: a UUIDv7 holds its creation time (RFC 9562, 5.7). */
function timeRange({ fromMs, toMs, text }: CallFilter): { fromMs?: number | undefined; toMs?: number | undefined } {
  const requestId = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(text ?? "");
  if (requestId === null) return { fromMs, toMs };
  const madeMs = Math.min(maxTimeMs, Number.parseInt(`${requestId[1]}${requestId[2]}`, 16));
  return {
    fromMs: Math.max(fromMs ?? 0, madeMs - idToleranceMs),
    toMs: Math.min(toMs ?? Number.POSITIVE_INFINITY, madeMs + idToleranceMs),
  };
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
