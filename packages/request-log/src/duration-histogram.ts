/**
 * An exponential histogram. Its buckets are called spans, as in the column `duration_span`. Span 0 ends at 0.1 ms. The
 * end of each next span is 19 % higher (the fourth root of 2). The last span has all durations above 88 s. Percentiles
 * from 0.1 ms to 105 s are exact to 9.1 %.
 */
const firstEndMs = 0.1;
const spansPerOctave = 4;
export const lastSpan = 80;

/** The largest relative error of a percentile from 0.1 ms to 105 s. */
export const percentileError = 2 ** (0.5 / spansPerOctave) - 1;

/** The span of a duration in milliseconds. */
export function durationSpan(durationMs: number): number {
  if (!(durationMs > firstEndMs)) return 0;
  return Math.min(lastSpan, Math.ceil(Math.log2(durationMs / firstEndMs) * spansPerOctave));
}

/** The geometric middle of a span in milliseconds, 9.1 % from either end. */
export const spanMiddleMs = (span: number): number => firstEndMs * 2 ** ((span - 0.5) / spansPerOctave);

/** A percentile (`share` from 0 to 1) in milliseconds, from the number of calls in each span; null without calls. */
export function percentileMs(callsOfSpan: ReadonlyMap<number, number>, share: number): number | null {
  let total = 0;
  for (const calls of callsOfSpan.values()) total += calls;
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(total * share));
  let passed = 0;
  for (const span of [...callsOfSpan.keys()].sort((a, b) => a - b)) {
    passed += callsOfSpan.get(span) ?? 0;
    if (passed >= rank) return spanMiddleMs(span);
  }
  return null;
}
