import { countSet, id, integer, moment, oneOf, searchParams, text } from "../../api/search-params.ts";

/** The relative time ranges, by their name in the address, in ms. */
export const timeRangesMs = { "15m": 15 * 60_000, "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000 } as const;
export type TimeRange = keyof typeof timeRangesMs;

/** The search parameters of the request log: the filters and the open entry. Its address can be shared. */
export interface CallSearch {
  class?: "2xx" | "3xx" | "4xx" | "5xx";
  status?: number;
  code?: string;
  method?: string;
  operation?: string;
  path?: string;
  key?: number;
  /** Relative to now; excludes `from` and `to`. */
  last?: TimeRange;
  /** ISO 8601. */
  from?: string;
  to?: string;
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
  text: text(200),
  call: id,
  request: text(50),
});

/** The search parameters that filter. */
export function filtersOf({ call: _call, request: _request, ...filters }: CallSearch): CallSearch {
  return filters;
}

/** The number of filters besides the free text. */
export const countFilters = ({ text: _text, ...search }: CallSearch): number => countSet(filtersOf(search));
