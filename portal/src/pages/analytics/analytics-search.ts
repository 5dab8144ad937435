export const spans = ["hour", "day", "week", "month"] as const;
export type Span = (typeof spans)[number];

/** What the address of the analytics says: how far to look back, and the key. */
export interface AnalyticsSearch {
  span?: Span;
  key?: number;
}

/** Reads an address, whatever stands in it: what makes no sense is left out. */
export function readAnalyticsSearch({ span, key }: Record<string, unknown>): AnalyticsSearch {
  const known = spans.find((each) => each === span);
  return {
    ...(known !== undefined && { span: known }),
    ...(Number.isSafeInteger(key) && { key: key as number }),
  };
}
