/** Times of day that a list can look back on, by what the address calls them. */
export const lookBacks = { "15m": 15 * 60_000, "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000 } as const;
export type LookBack = keyof typeof lookBacks;

/** What the log's address says: every filter, and the entry that is open, so that it can be passed on. */
export interface CallSearch {
  class?: "2xx" | "3xx" | "4xx" | "5xx";
  status?: number;
  code?: string;
  method?: string;
  operation?: string;
  path?: string;
  key?: number;
  /** Counted from now on; or else from and to. */
  last?: LookBack;
  /** ISO 8601. */
  from?: string;
  to?: string;
  text?: string;
  /** The entry that is open. */
  call?: number;
  /** A request id whose entry is to be opened as soon as it is written. */
  request?: string;
}

/** Reads an address, whatever stands in it: what makes no sense is left out. */
export function readCallSearch(search: Record<string, unknown>): CallSearch {
  const text = (name: string, maxLength: number): string | undefined => {
    const value = search[name];
    const its = typeof value === "number" ? String(value) : value;
    return typeof its === "string" && its.trim() !== "" ? its.slice(0, maxLength) : undefined;
  };
  const integer = (name: string): number | undefined => {
    const value = Number(text(name, 16));
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  const one = <T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === search[name]);
  const moment = (name: string): string | undefined => {
    const at = new Date(text(name, 40) ?? "");
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
  };
  const status = integer("status");
  return defined({
    class: one("class", ["2xx", "3xx", "4xx", "5xx"]),
    status: status !== undefined && status >= 100 && status <= 599 ? status : undefined,
    code: one("code", errorCodes),
    method: text("method", 20),
    operation: text("operation", 40),
    path: text("path", 500),
    key: integer("key"),
    last: one("last", Object.keys(lookBacks) as LookBack[]),
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

/** Without what is undefined, so that nothing of it stands in the address. */
const defined = <T extends object>(fields: { [Name in keyof T]: T[Name] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** The filters alone. */
export function filtersOf({ call: _call, request: _request, ...filters }: CallSearch): CallSearch {
  return filters;
}

/** How many filters there are beside the free text. */
export const countFilters = (search: CallSearch): number =>
  Object.keys(filtersOf(search)).filter((name) => name !== "text").length;
