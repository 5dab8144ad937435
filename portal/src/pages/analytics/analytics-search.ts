export const spans = ["hour", "day", "week", "month"] as const;
export type Span = (typeof spans)[number];

/** The search parameters of the analytics page. */
export interface AnalyticsSearch {
  span?: Span;
  key?: number;
}

/** Reads the search parameters and drops invalid ones. */
export function readAnalyticsSearch({ span, key }: Record<string, unknown>): AnalyticsSearch {
  const known = spans.find((each) => each === span);
  return {
    ...(known !== undefined && { span: known }),
    ...(Number.isSafeInteger(key) && { key: key as number }),
  };
}
