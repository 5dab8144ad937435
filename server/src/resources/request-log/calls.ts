import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { invalidRequest } from "../../errors.ts";
import type { CallShape } from "./entry.ts";
import type { OpenBlock } from "./storage/block.ts";
import { type CallRange, callId, type StoredBlock, visitNewestFirst } from "./storage/read-blocks.ts";

/** Which calls of an account are asked for; what is absent does not matter. */
export interface CallFilter {
  /** 2 for 200 to 299, and so on. */
  statusClass?: number | undefined;
  status?: number | undefined;
  errorCode?: string | undefined;
  method?: string | undefined;
  /** Null: paths that are none of ours. */
  operation?: string | null | undefined;
  /** A part of the path as it was called. */
  path?: string | undefined;
  /** Of the account; whoever else's matches nothing. */
  apiKeyId?: number | undefined;
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
  /** Found in path, query, error details, request id or user agent, in whatever case. */
  text?: string | undefined;
}

/** A call as the list shows it. */
export interface CallSummary {
  id: number;
  time: Date;
  requestId: string;
  /** Null where nobody knows the key. */
  apiKeyId: number | null;
  /** Null once the key is forgotten. */
  keyName: string | null;
  /** The last four characters of the key. */
  keyEndsWith: string | null;
  method: string;
  path: string;
  query: string;
  operation: string | null;
  status: number;
  durationMs: number;
  errorCode: string | null;
  refusedBy: string | null;
}

/** A part of the list: the calls found, and how far the search came. */
export interface CallPage {
  calls: CallSummary[];
  /** Where to search on; null when everything was searched. */
  next: string | null;
  /** The time of the oldest call looked at; null when everything was searched. */
  searchedTo: Date | null;
}

/** Calls looked at for one answer: some 50 ms, so that the rarest filter answers soon, and says how far it came. */
const maxScanned = 400_000;

/**
 * An account's calls, or with null those whose key nobody knows, newest first: at most `limit` that pass the filter, among the next `maxScanned` calls behind the
 * cursor `before`. Fewer than `limit` with a `next` means that it goes on there. 400 for a cursor that is none.
 */
export async function listCalls(
  db: Queryable,
  userId: number | null,
  filter: CallFilter,
  { limit, before, scanned = maxScanned }: { limit: number; before?: string | undefined; scanned?: number },
): Promise<CallPage> {
  const behind = before === undefined ? undefined : parseCursor(before);
  const matches = matcher(filter);
  const found: { block: StoredBlock; index: number }[] = [];
  let looked = 0;
  let last: Place | undefined;
  const isAll = await visitNewestFirst(db, rangeOf(userId, filter, behind), (block, index) => {
    const place = { timeMs: block.timesMs[index] ?? 0, id: callId(block, index) };
    if (behind !== undefined && !isBehind(place, behind)) return true;
    if (looked === scanned) return false;
    looked++;
    if (matches(block, index)) {
      if (found.length === limit) return false;
      found.push({ block, index });
    }
    last = place;
    return true;
  });
  const calls = await summaries(db, found);
  if (isAll || last === undefined) return { calls, next: null, searchedTo: null };
  return { calls, next: `${last.timeMs}-${last.id}`, searchedTo: new Date(last.timeMs) };
}

/** In the order of the list. */
interface Place {
  timeMs: number;
  id: number;
}

const isBehind = (place: Place, other: Place): boolean =>
  place.timeMs < other.timeMs || (place.timeMs === other.timeMs && place.id < other.id);

function parseCursor(cursor: string): Place {
  // Fourteen digits of milliseconds last until the year 5138; the database knows no times of fifteen.
  const match = /^(\d{1,14})-(\d{1,16})$/.exec(cursor);
  if (match === null) throw invalidRequest("The before parameter is not one that a list of calls gave.", "before");
  return { timeMs: Number(match[1]), id: Number(match[2]) };
}

/** What an index gives in order: a key's blocks, those of an account with refused and failed calls, or all of its. */
function rangeOf(userId: number | null, filter: CallFilter, behind: Place | undefined): CallRange {
  const { fromMs, toMs } = searchedTimes(filter);
  const conditions = [userId === null ? sql`user_id is null` : sql`user_id = ${userId}`];
  if (filter.apiKeyId !== undefined) conditions.push(sql`api_key_id = ${filter.apiKeyId}`);
  else if (isOfRefused(filter)) conditions.push(sql`refused > 0`);
  const ends = [toMs, behind && behind.timeMs + 1].filter((end) => end !== undefined);
  return {
    condition: sql.join(conditions, sql` and `),
    fromMs,
    toMs: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

/** Whether every call that passes the filter was refused or failed. */
const isOfRefused = ({ statusClass = 0, status = 0, errorCode }: CallFilter): boolean =>
  statusClass >= 4 || status >= 400 || errorCode !== undefined;

/** Tells which calls pass all of a filter but its key and times; what calls have in common is looked at once. */
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

/** Query strings are kept as they were sent, so what a person types is looked for as it may have been encoded, too. */
function needlesOf(text: string): string[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  return [...new Set([text, encoded, encoded.replaceAll("%20", "+")].map((needle) => needle.toLowerCase()))];
}

/** Hexadecimal digits make times, too, that no call was ever made at and the database does not know. */
const lastMadeMs = Date.UTC(9999, 0);

/** More than the clocks of instances differ, and than passes between a call's id and its time. */
const idToleranceMs = 5_000;

/** The times that can hold what is asked for: a request id tells when it was made (http/exchange.ts). */
function searchedTimes({ fromMs, toMs, text }: CallFilter): { fromMs?: number | undefined; toMs?: number | undefined } {
  const requestId = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(text ?? "");
  if (requestId === null) return { fromMs, toMs };
  const madeMs = Math.min(lastMadeMs, Number.parseInt(`${requestId[1]}${requestId[2]}`, 16));
  return {
    fromMs: Math.max(fromMs ?? 0, madeMs - idToleranceMs),
    toMs: Math.min(toMs ?? Number.POSITIVE_INFINITY, madeMs + idToleranceMs),
  };
}

/** Describes calls as the list shows them, with the names of their keys. */
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
