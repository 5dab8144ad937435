const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after the attempt before it each attempt comes (DESIGN section 2, webhook retries). */
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

/** A tenth of each delay, up or down, so that what failed together does not come back together. */
const jitter = 0.1;
const maxRetryAfterMs = 24 * hour;

/**
 * Milliseconds from the end of a failed attempt to the next one; null when it was the last. `attempts` counts those
 * made. A receiver that asked for more time (`retryAfterMs`) gets it, up to 24 hours. `random` is from 0 to 1.
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = retryDelaysMs[attempts];
  if (delayMs === undefined) return null;
  const jitteredMs = delayMs * (1 + jitter * (2 * random - 1));
  return Math.round(Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, maxRetryAfterMs)));
}

/** An endpoint that has done nothing but fail for so long is disabled. */
export const disableAfterFailingMs = 5 * 24 * hour;

const patientFailures = 10;
const maxPauseMs = minute;

/**
 * Milliseconds in which an endpoint that keeps failing is left alone, whatever is due for it: none for its first ten
 * failures in a row, then 1 s, doubling up to a minute. A dead receiver is so asked once a minute at most.
 */
export const pauseMs = (consecutiveFailures: number): number =>
  consecutiveFailures < patientFailures
    ? 0
    : Math.min(second * 2 ** Math.min(consecutiveFailures - patientFailures, 10), maxPauseMs);
