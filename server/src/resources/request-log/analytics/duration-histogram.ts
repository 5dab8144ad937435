/**
 * Durations are counted in spans: span 0 is up to 0.1 ms, each one after it ends 19 % (the fourth root of 2) later than
 * the one before, and the last takes all beyond 105 s. So a percentile is known to within 9.1 %, from a few numbers.
 */
const firstEndMs = 0.1;
const spansPerOctave = 4;
export const lastSpan = 80;

/** How far a percentile may be from the true one, as a share of it. */
export const percentileError = 2 ** (0.5 / spansPerOctave) - 1;

/** The span that a duration in milliseconds falls into. */
export function durationSpan(durationMs: number): number {
  if (!(durationMs > firstEndMs)) return 0;
  return Math.min(lastSpan, Math.ceil(Math.log2(durationMs / firstEndMs) * spansPerOctave));
}

/** The duration in milliseconds that stands for a span: its geometric middle, 9.1 % from either end. */
export const spanMiddleMs = (span: number): number => firstEndMs * 2 ** ((span - 0.5) / spansPerOctave);

/**
 * The duration in milliseconds that the given share of calls (0 to 1) stayed within, out of how many calls each span
 * counted; null without calls.
 */
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
