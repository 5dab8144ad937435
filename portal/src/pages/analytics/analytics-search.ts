import { id, moment, oneOf, searchParams } from "../../api/search-params.ts";

export const spans = ["hour", "day", "week", "month"] as const;
export type Span = (typeof spans)[number];

/** The search parameters of the analytics page. */
export interface AnalyticsSearch {
  span?: Span;
  /** The start of a time range in ISO 8601, which replaces `span`. Without `to` the range ends now. */
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
