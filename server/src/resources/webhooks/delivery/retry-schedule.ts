const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each of the ten attempts (docs/api/events.md, Delivery and retries). */
export const retryDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Each delay varies by this share, up or down, so that deliveries that failed together do not retry together. */
const jitter = 0.1;
const maxRetryAfterMs = 24 * hour;

/**
 * Milliseconds from the end of a failed attempt to the next one; null after the last. `attempts` counts those made. A
 * receiver's Retry-After (`retryAfterMs`) can extend the delay, up to 24 hours. `random` is from 0 to 1.
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = retryDelaysMs[attempts];
  if (delayMs === undefined) return null;
  const jitteredMs = delayMs * (1 + jitter * (2 * random - 1));
  return Math.round(Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, maxRetryAfterMs)));
}
