import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { invalidRequest } from "../../errors.ts";

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
  apiKeyId: number;
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
const maxScanned = 40_000;

/**
 * An account's calls, newest first: at most `limit` that pass the filter, among the next `maxScanned` calls behind the
 * cursor `before`. Fewer than `limit` with a `next` means that it goes on there. 400 for a cursor that is none.
 */
export async function listCalls(
  db: Queryable,
  userId: number,
  filter: CallFilter,
  page: { limit: number; before?: string | undefined; scanned?: number },
): Promise<CallPage> {
  const scanned = page.scanned ?? maxScanned;
  const candidates = candidatesOf(userId, filter, page.before);
  const { rows } = await sql<CallSummary>`
    select call.id, call.time, call.request_id as "requestId", call.api_key_id as "apiKeyId", key.name as "keyName",
           key.ends_with as "keyEndsWith", call.method, call.path, call.query, call.operation, call.status,
           call.duration_ms as "durationMs", call.error_code as "errorCode", call.refused_by as "refusedBy"
    from (
      select * from (select * ${candidates} limit ${scanned}) candidate
      where user_id = ${userId} ${sql.join(conditionsOf(filter), sql` `)}
      order by time desc, id desc limit ${page.limit + 1}
    ) call left join api_keys key on key.id = call.api_key_id
    order by call.time desc, call.id desc`.execute(db);
  if (rows.length > page.limit) {
    const calls = rows.slice(0, page.limit);
    return { calls, ...endingAt(calls.at(-1)) };
  }
  const { rows: last } = await sql<Place>`
    select time, id from (select time, id, user_id ${candidates} offset ${scanned - 1} limit 1) candidate
    where user_id = ${userId}`.execute(db);
  return { calls: rows, ...endingAt(last[0]) };
}

interface Place {
  time: Date;
  id: number;
}

const endingAt = (place: Place | undefined) =>
  place === undefined
    ? { next: null, searchedTo: null }
    : { next: `${place.time.getTime()}-${place.id}`, searchedTo: place.time };

/**
 * What an index gives in order: a key's calls, an account's refused and failed calls, or all its calls. The rest of the
 * filter is applied to no more than so many of them. A key's calls are asked for by the key alone, so that no other
 * index comes into question.
 */
function candidatesOf(userId: number, filter: CallFilter, before: string | undefined): RawBuilder<unknown> {
  const { fromMs, toMs } = searchedTimes(filter);
  const conditions = [filter.apiKeyId === undefined ? sql`user_id = ${userId}` : sql`api_key_id = ${filter.apiKeyId}`];
  if (filter.apiKeyId === undefined && isOfRefused(filter)) conditions.push(sql`status >= 400`);
  if (fromMs !== undefined) conditions.push(sql`time >= ${new Date(fromMs)}`);
  if (toMs !== undefined) conditions.push(sql`time < ${new Date(toMs)}`);
  if (before !== undefined) conditions.push(behind(before));
  return sql`from request_log where ${sql.join(conditions, sql` and `)} order by time desc, id desc`;
}

/** Whether every call that passes the filter was refused or failed. */
const isOfRefused = ({ statusClass = 0, status = 0, errorCode }: CallFilter): boolean =>
  statusClass >= 4 || status >= 400 || errorCode !== undefined;

function behind(cursor: string): RawBuilder<unknown> {
  // Fourteen digits of milliseconds last until the year 5138; the database knows no times of fifteen.
  const match = /^(\d{1,14})-(\d{1,18})$/.exec(cursor);
  if (match === null) throw invalidRequest("The before parameter is not one that a list of calls gave.", "before");
  return sql`(time, id) < (${new Date(Number(match[1]))}, ${match[2]}::bigint)`;
}

function conditionsOf(filter: CallFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  const { statusClass } = filter;
  if (statusClass !== undefined)
    conditions.push(sql`and status between ${statusClass * 100} and ${statusClass * 100 + 99}`);
  if (filter.status !== undefined) conditions.push(sql`and status = ${filter.status}`);
  if (filter.errorCode !== undefined) conditions.push(sql`and error_code = ${filter.errorCode}`);
  if (filter.method !== undefined) conditions.push(sql`and method = ${filter.method}`);
  if (filter.operation !== undefined) conditions.push(sql`and operation is not distinct from ${filter.operation}`);
  if (filter.path !== undefined) conditions.push(sql`and strpos(path, ${filter.path}) > 0`);
  if (filter.text !== undefined) conditions.push(sql`and ${contains(filter.text)}`);
  return conditions;
}

/** Query strings are kept as they were sent, so what a person types is looked for as it may have been encoded, too. */
function contains(text: string): RawBuilder<boolean> {
  const encoded = encodeURIComponent(text.toWellFormed());
  const needles = new Set([text, encoded, encoded.replaceAll("%20", "+")].map((needle) => needle.toLowerCase()));
  const haystack = sql`lower(path || ' ' || query || ' ' || request_id || ' ' || user_agent || ' ' || coalesce(error_details, ''))`;
  return sql<boolean>`(${sql.join(
    [...needles].map((needle) => sql`strpos(${haystack}, ${needle}) > 0`),
    sql` or `,
  )})`;
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
