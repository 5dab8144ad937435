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

/** Reads the search parameters and drops invalid ones. */
export function readCallSearch(search: Record<string, unknown>): CallSearch {
  const text = (name: string, maxLength: number): string | undefined => {
    const value = search[name];
    const text = typeof value === "number" ? String(value) : value;
    return typeof text === "string" && text.trim() !== "" ? text.slice(0, maxLength) : undefined;
  };
  const integer = (name: string): number | undefined => {
    const value = Number(text(name, 16));
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === search[name]);
  const moment = (name: string): string | undefined => {
    const at = new Date(text(name, 40) ?? "");
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
  };
  const status = integer("status");
  return withoutUndefined({
    class: oneOf("class", ["2xx", "3xx", "4xx", "5xx"]),
    status: status !== undefined && status >= 100 && status <= 599 ? status : undefined,
    code: oneOf("code", errorCodes),
    method: text("method", 20),
    operation: text("operation", 40),
    path: text("path", 500),
    key: integer("key"),
    last: oneOf("last", Object.keys(timeRangesMs) as TimeRange[]),
    from: moment("from"),
    to: moment("to"),
    text: text("text", 200),
    call: integer("call"),
    request: text("request", 50),
  });
}

export const errorCodes = [
  "invalid_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "rate_limit_exceeded",
  "server_error",
] as const;

/** Removes undefined fields, which would show in the address. */
const withoutUndefined = <T extends object>(fields: { [Name in keyof T]: T[Name] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** The search parameters that filter. */
export function filtersOf({ call: _call, request: _request, ...filters }: CallSearch): CallSearch {
  return filters;
}

/** The number of filters besides the free text. */
export const countFilters = (search: CallSearch): number =>
  Object.keys(filtersOf(search)).filter((name) => name !== "text").length;
