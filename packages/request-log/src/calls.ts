import { invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { CallFilter, CallsOf } from "./call-filter.ts";
import type { CallLog } from "./call-log.ts";
import type { CallShape } from "./entry.ts";
import type { Position, StoredCall } from "./storage/call-store.ts";
import { tablesOf } from "./tables.ts";

/** A row of a list of calls. */
export interface CallSummary
  extends Pick<
    CallShape,
    "method" | "path" | "query" | "operation" | "status" | "errorCode" | "refusedBy" | "version"
  > {
  id: number;
  time: Date;
  requestId: string;
  /** Null for an unknown key. */
  userId: number | null;
  /** Null for an unknown key. */
  apiKeyId: number | null;
  /** Null if the key no longer exists. */
  keyName: string | null;
  /** The last four characters of the key; null if the key no longer exists. */
  keyEndsWith: string | null;
  durationMs: number;
}

/** A page of a list of calls. */
export interface CallPage {
  calls: CallSummary[];
  /** The cursor of the next page; null after the last one. */
  next: string | null;
  /** The time of the oldest searched call; null if all calls were searched. */
  searchedTo: Date | null;
}

/**
 * Lists calls, newest first. Searches a bounded number of calls that are older than the cursor `before`, and returns at
 * most `limit` matches. A page with a `next` may have fewer calls than `limit`. Throws 400 for an invalid cursor.
 */
export async function listCalls(
  { db, store }: CallLog,
  callsOf: CallsOf,
  filter: CallFilter,
  { limit, before, scanned }: { limit: number; before?: string | undefined; scanned?: number },
): Promise<CallPage> {
  const cursor = before === undefined ? undefined : parseCursor(before);
  const { calls: storedCalls, last } = await store.search(callsOf, filter, { limit, before: cursor, scanned });
  const calls = await summaries(db, storedCalls);
  if (last === null) return { calls, next: null, searchedTo: null };
  return { calls, next: `${last.timeMs}-${last.id}`, searchedTo: new Date(last.timeMs) };
}

function parseCursor(cursor: string): Position {
  // At most fourteen digits of milliseconds, because PostgreSQL cannot store a timestamp of fifteen.
  const match = /^(\d{1,14})-(\d{1,16})$/.exec(cursor);
  if (match === null) throw invalidRequest("The before parameter must be the `next` of a list of calls.", "before");
  return { timeMs: Number(match[1]), id: Number(match[2]) };
}

/** Adds the names of keys to calls. */
export async function summaries(db: Queryable, calls: readonly StoredCall[]): Promise<CallSummary[]> {
  const keyIds = [...new Set(calls.map(({ apiKeyId }) => apiKeyId).filter((id) => id !== null))];
  const keys =
    keyIds.length === 0
      ? []
      : await tablesOf(db)
          .selectFrom("api_keys")
          .select(["id", "name", "ends_with"])
          .where("id", "in", keyIds)
          .execute();
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  return calls.map((call) => {
    const { id, timeMs, requestId, userId, apiKeyId, durationMs } = call;
    const { method, path, query, operation, status, errorCode, refusedBy, version } = call;
    const key = apiKeyId === null ? undefined : keyOf.get(apiKeyId);
    return {
      id,
      time: new Date(timeMs),
      requestId,
      userId,
      apiKeyId,
      keyName: key?.name ?? null,
      keyEndsWith: key?.ends_with ?? null,
      method,
      path,
      query,
      operation,
      status,
      durationMs,
      errorCode,
      refusedBy,
      version,
    };
  });
}

/** One call with everything the log stores about it. */
export interface Call
  extends CallSummary,
    Pick<CallShape, "errorMessage" | "errorDetails" | "body" | "clientAddress" | "userAgent"> {
  /** The logged request headers, by name. */
  headers: Record<string, string>;
  /** Whether the call was made in the portal's explorer, which has a separate rate limit. */
  fromExplorer: boolean;
}

/** Returns a call. Throws 404 for an expired call, and for a call that is not among `callsOf`. */
export async function findCall({ db, store }: CallLog, callsOf: CallsOf, id: number): Promise<Call> {
  const call = await store.find(callsOf, id);
  const log = callsOf === "everybody" ? "the log" : "your log";
  if (call === null) throw notFound(`There is no call ${id} in ${log}. Calls are kept for 30 days.`);
  const [summary] = await summaries(db, [call]);
  const { errorMessage, errorDetails, headers, body, clientAddress, fromExplorer, userAgent } = call;
  return {
    ...(summary as CallSummary),
    errorMessage,
    errorDetails,
    headers: parseHeaders(headers),
    body,
    clientAddress,
    fromExplorer,
    userAgent,
  };
}

const parseHeaders = (lines: string): Record<string, string> =>
  Object.fromEntries(Array.from(lines.matchAll(/^(.+?): (.*)$/gm), ([, name = "", value = ""]) => [name, value]));
