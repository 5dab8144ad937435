import type { operations } from "../../api/paths.ts";
import { countSet, id, integer, moment, oneOf, searchParams, text } from "../../api/search-params.ts";

/** The relative time ranges, by their name in the address, in ms. */
export const timeRangesMs = { "15m": 15 * 60_000, "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000 } as const;
export type TimeRange = keyof typeof timeRangesMs;

type FilterQuery = NonNullable<operations["getCallHistogram"]["parameters"]["query"]>;

/** The search parameters of the request log: the filters and the open entry. The address can be shared. */
export interface CallSearch {
  class?: "2xx" | "3xx" | "4xx" | "5xx";
  status?: number;
  code?: string;
  method?: string;
  operation?: string;
  path?: string;
  key?: number;
  /** A time range that ends now. Excludes `from` and `to`. */
  last?: TimeRange;
  /** The bounds of the time range in ISO 8601. */
  from?: string;
  to?: string;
  /** Calls that took at least this number of milliseconds. */
  min_ms?: number;
  text?: string;
  /** The id of the open entry. */
  call?: number;
  /** Opens the entry of this request id as soon as it is written. */
  request?: string;
}

export const errorCodes = [
  "invalid_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "rate_limit_exceeded",
  "server_error",
] as const;

/** A duration to filter by, in whole milliseconds; undefined for an invalid text. */
export const readMs = integer(1, 3_600_000);

/** Reads the search parameters of the address. */
export const readCallSearch = searchParams<CallSearch>({
  class: oneOf(["2xx", "3xx", "4xx", "5xx"]),
  status: integer(100, 599),
  code: oneOf(errorCodes),
  method: text(20),
  operation: text(40),
  path: text(500),
  key: id,
  last: oneOf(Object.keys(timeRangesMs) as TimeRange[]),
  from: moment,
  to: moment,
  min_ms: readMs,
  text: text(200),
  call: id,
  request: text(50),
});

/** Changes of the address; undefined removes a parameter. */
export type Change = { [Name in keyof CallSearch]?: CallSearch[Name] | undefined };

/** The search parameters that filter. */
export function filtersOf({ call: _call, request: _request, ...filters }: CallSearch): CallSearch {
  return filters;
}

/** The number of filters in the panel: all except the free text and a relative time. */
export const countFilters = ({ text: _text, last: _last, ...search }: CallSearch): number =>
  countSet(filtersOf(search));

/**
 * The filters as the portal's API takes them. The time starts at the latest of `from`, the start of `last`, and
 * `since`.
 */
export function queryOf({ last, from, to, ...search }: CallSearch, since?: Date): FilterQuery {
  const starts = [from, last && new Date(Date.now() - timeRangesMs[last]).toISOString(), since?.toISOString()];
  const start = starts
    .filter((each) => each !== undefined)
    .sort()
    .at(-1);
  return {
    ...(filtersOf(search) as FilterQuery),
    ...(start !== undefined && { from: start }),
    ...(to !== undefined && { to }),
  };
}
