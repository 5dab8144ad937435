import { type CallFilter, type CallsOf, needlesOf, timeRange } from "../call-filter.ts";
import { absentId } from "./rows.ts";
import { nsOf, timeText } from "./times.ts";

/** The times from `fromNs`, inclusive, to `endNs`, exclusive. */
export interface Times {
  fromNs?: bigint | undefined;
  endNs?: bigint | undefined;
}

/** A text quoted for LogsQL, which has the same quoting as JSON. */
const quoted = (text: string): string => JSON.stringify(text.toWellFormed());

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const containsIgnoringCase = (text: string): string => `~${quoted(`(?i)${escaped(text)}`)}`;
const contains = (text: string): string => `~${quoted(escaped(text))}`;

/** Selects the streams of an account, of a key, or of both. */
export function streamsOf(callsOf: CallsOf, apiKeyId?: number): string {
  const labels: string[] = [];
  if (callsOf !== "everybody") labels.push(`account="${callsOf ?? absentId}"`);
  if (apiKeyId !== undefined) labels.push(`key="${apiKeyId}"`);
  return labels.length === 0 ? "*" : `{${labels.join()}}`;
}

export function within({ fromNs, endNs }: Times): string {
  const bounds: string[] = [];
  if (fromNs !== undefined) bounds.push(`_time:>=${timeText(fromNs)}`);
  if (endNs !== undefined) bounds.push(`_time:<${timeText(endNs)}`);
  return bounds.join(" ");
}

/** The times of a filter. */
export function timesOf(filter: CallFilter): Times {
  const { fromMs, toMs } = timeRange(filter);
  return {
    fromNs: fromMs === undefined ? undefined : nsOf(fromMs),
    endNs: toMs === undefined ? undefined : nsOf(toMs),
  };
}

/** The conditions of a filter, except its key and times. */
export function conditionsOf(filter: CallFilter): string {
  const { statusClass, status, errorCode, method, operation, path, minDurationMs, requestId, text } = filter;
  const conditions: string[] = [];
  if (statusClass !== undefined) conditions.push(`status:range[${statusClass}00, ${statusClass}99]`);
  if (status !== undefined) conditions.push(`status:=${status}`);
  if (errorCode !== undefined) conditions.push(`error_code:=${quoted(errorCode)}`);
  if (method !== undefined) conditions.push(`method:=${quoted(method)}`);
  if (operation !== undefined) conditions.push(operation === null ? 'operation:""' : `operation:=${quoted(operation)}`);
  if (minDurationMs !== undefined) conditions.push(`duration_us:>=${Math.ceil(minDurationMs * 1000)}`);
  if (requestId !== undefined) conditions.push(`request_id:=${quoted(requestId.toLowerCase())}`);
  if (path !== undefined) conditions.push(`_msg:${contains(path)}`);
  if (text !== undefined) {
    const fields = ["_msg", "query", "user_agent", "error_details", "request_id"];
    const needles = needlesOf(text).map(containsIgnoringCase);
    conditions.push(`(${fields.flatMap((field) => needles.map((needle) => `${field}:${needle}`)).join(" or ")})`);
  }
  return conditions.join(" ");
}

/** Whether the engine must read every call in the filter's times, because it has no index for substrings. */
export const isSearch = ({ path, text }: CallFilter): boolean => path !== undefined || text !== undefined;
