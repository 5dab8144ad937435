import { type RawBuilder, sql } from "kysely";
import type { CallShape } from "./entry.ts";
import type { OpenBlock } from "./storage/block.ts";
import type { CallRange } from "./storage/read-blocks.ts";

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
  /** The minimum duration. */
  minDurationMs?: number | undefined;
  /** Matched regardless of letter case. */
  requestId?: string | undefined;
  /** A substring of path, query, error details, request id or user agent, case-insensitive. */
  text?: string | undefined;
}

/** The calls of an account; of callers with an unknown key (null); or of all, for the operator. */
export type CallsOf = number | null | "everybody";

export const isOf = (userId: CallsOf): RawBuilder<boolean> => {
  if (userId === "everybody") return sql<boolean>`true`;
  return userId === null ? sql<boolean>`user_id is null` : sql<boolean>`user_id = ${userId}`;
};

/**
 * The range of the log that may have matches, up to `endMs`. Uses the narrowest index: a key's blocks, an account's
 * blocks with errors, or all blocks of the account. `idsHaveTime` says whether request ids contain times of the log's
 * clock.
 */
export function rangeOf(
  userId: CallsOf,
  filter: CallFilter,
  { endMs, idsHaveTime }: { endMs?: number | undefined; idsHaveTime: boolean },
): CallRange {
  const { fromMs, toMs } = idsHaveTime ? timeRange(filter) : filter;
  const conditions = [isOf(userId)];
  if (filter.apiKeyId !== undefined) conditions.push(sql`api_key_id = ${filter.apiKeyId}`);
  else if (matchesOnlyErrors(filter)) conditions.push(sql`refused > 0`);
  const ends = [toMs, endMs].filter((end) => end !== undefined);
  return {
    condition: sql.join(conditions, sql` and `),
    fromMs,
    toMs: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

const matchesOnlyErrors = ({ statusClass = 0, status = 0, errorCode }: CallFilter): boolean =>
  statusClass >= 4 || status >= 400 || errorCode !== undefined;

/**
 * Builds the predicate of the filter's fields, except its key and times. Evaluates each shape once and caches the
 * result.
 */
export function matcher(filter: CallFilter): (block: OpenBlock, index: number) => boolean {
  const text = filter.text === undefined ? null : needlesOf(filter.text);
  const verdicts = new WeakMap<CallShape, boolean | "by request id">();
  const judge = (shape: CallShape) => {
    if (!hasFields(shape, filter)) return false;
    return text === null || textOf(shape).some((value) => text.some((needle) => value.includes(needle)))
      ? true
      : "by request id";
  };
  const minDurationMs = filter.minDurationMs ?? 0;
  const id = filter.requestId?.toLowerCase();
  return (block, index) => {
    if (id !== undefined && block.requestId(index).toLowerCase() !== id) return false;
    if (minDurationMs > 0 && block.durationMs(index) < minDurationMs) return false;
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
export function needlesOf(text: string): string[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  return [...new Set([text, encoded, encoded.replaceAll("%20", "+")].map((needle) => needle.toLowerCase()))];
}

/** Limits the time in a forged request id to what PostgreSQL can store. */
const maxTimeMs = Date.UTC(9999, 0);

/** Longer than the clock skew between instances and the delay between a call's id and its time. */
const idToleranceMs = 5_000;

/**
 * The filter's times. A request id, also in place of the text, narrows them, because a UUIDv7 contains its creation
 * time (RFC 9562, 5.7).
 */
export function timeRange({ fromMs, toMs, text, requestId: id = text }: CallFilter): {
  fromMs?: number | undefined;
  toMs?: number | undefined;
} {
  const requestId = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(id ?? "");
  if (requestId === null) return { fromMs, toMs };
  const createdMs = Math.min(maxTimeMs, Number.parseInt(`${requestId[1]}${requestId[2]}`, 16));
  return {
    fromMs: Math.max(fromMs ?? 0, createdMs - idToleranceMs),
    toMs: Math.min(toMs ?? Number.POSITIVE_INFINITY, createdMs + idToleranceMs),
  };
}
