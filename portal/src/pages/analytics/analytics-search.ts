import { id, oneOf, searchParams } from "../../api/search-params.ts";

export const spans = ["hour", "day", "week", "month"] as const;
export type Span = (typeof spans)[number];

/** The search parameters of the analytics page. */
export interface AnalyticsSearch {
  span?: Span;
  key?: number;
}

/** Reads the search parameters of the address. */
export const readAnalyticsSearch = searchParams<AnalyticsSearch>({ span: oneOf(spans), key: id });
