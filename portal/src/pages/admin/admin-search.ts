import { id, integer, moment, oneOf, searchParams, text } from "../../api/search-params.ts";

// The search parameters of the operators' pages. Their addresses can be shared among operators.

export interface AccountsSearch {
  q?: string;
  kind?: "suspended" | "operators" | "organisations";
  before?: number;
}
export const readAccountsSearch = searchParams<AccountsSearch>({
  q: text(254),
  kind: oneOf(["suspended", "operators", "organisations"]),
  before: id,
});

export interface OrdersSearch {
  q?: string;
  buyer?: number;
  state?: "completed" | "pending" | "failed";
  before?: number;
}
export const readOrdersSearch = searchParams<OrdersSearch>({
  q: text(254),
  buyer: id,
  state: oneOf(["completed", "pending", "failed"]),
  before: id,
});

export interface BeatsSearch {
  q?: string;
  producer?: number;
  /** Beats that are taken down, or those that are not. */
  state?: "down" | "up";
  before?: number;
}
export const readBeatsSearch = searchParams<BeatsSearch>({
  q: text(200),
  producer: id,
  state: oneOf(["down", "up"]),
  before: id,
});

export interface ReportsSearch {
  state?: "open" | "notice_sent" | "countered" | "upheld" | "rejected";
  producer?: number;
  beat?: number;
  before?: number;
}
export const readReportsSearch = searchParams<ReportsSearch>({
  state: oneOf(["open", "notice_sent", "countered", "upheld", "rejected"]),
  producer: id,
  beat: id,
  before: id,
});

export interface PayoutsSearch {
  status?: "pending" | "sent" | "paid" | "failed";
  before?: number;
}
export const readPayoutsSearch = searchParams<PayoutsSearch>({
  status: oneOf(["pending", "sent", "paid", "failed"]),
  before: id,
});

export interface FleetSearch {
  health?: "failing" | "disabled" | "waiting";
  account?: number;
  before?: string;
}
export const readFleetSearch = searchParams<FleetSearch>({
  health: oneOf(["failing", "disabled", "waiting"]),
  account: id,
  before: (value) => (/^\d{1,4}-\d{1,15}$/.test(value) ? value : undefined),
});

export interface AdminCallsSearch {
  text?: string;
  /** The account's id; 0 means calls with unknown keys. */
  account?: number;
  class?: "2xx" | "3xx" | "4xx" | "5xx";
  status?: number;
  operation?: string;
  from?: string;
  to?: string;
  before?: string;
}
export const readAdminCallsSearch = searchParams<AdminCallsSearch>({
  text: text(200),
  account: integer(0, Number.MAX_SAFE_INTEGER),
  class: oneOf(["2xx", "3xx", "4xx", "5xx"]),
  status: integer(100, 599),
  operation: text(40),
  from: moment,
  to: moment,
  before: (value) => (/^\d{1,14}-\d{1,16}$/.test(value) ? value : undefined),
});

export interface ErrorsSearch {
  span?: "hour" | "day" | "week";
}
export const readErrorsSearch = searchParams<ErrorsSearch>({ span: oneOf(["hour", "day", "week"]) });

export interface AuditSearch {
  account?: number;
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
  before?: number;
}
export const readAuditSearch = searchParams<AuditSearch>({
  account: id,
  actor: (value) => (/^(owners|operators|\d{1,15})$/.test(value) ? value : undefined),
  action: text(60),
  from: moment,
  to: moment,
  before: id,
});

/**
 * Applies a change to parameters. Returns to the newest page unless the change sets `before`. Undefined removes a
 * parameter.
 */
export const withChanges = <Search extends { before?: unknown }>(
  search: Search,
  change: { [Name in keyof Search]?: Search[Name] | undefined },
): Search => ({ ...search, before: undefined, ...change }) as Search;
