import { id, moment, oneOf, searchParams } from "../../api/search-params.ts";

export const spans = ["hour", "day", "week", "month"] as const;
export type Span = (typeof spans)[number];

/** The search parameters of the analytics page. */
export interface AnalyticsSearch {
  span?: Span;
  /** A chosen time instead of `span`, ISO 8601; without `to` until now. */
  from?: string;
  to?: string;
  key?: number;
}

/** Reads the search parameters of the address. */
export const readAnalyticsSearch = searchParams<AnalyticsSearch>({
  span: oneOf(spans),
  from: moment,
  to: moment,
  key: id,
});
