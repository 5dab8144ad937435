import { type APIConnectionError, APIStatusError } from "./errors.ts";

const retriedStatuses = new Set([408, 423, 429, 460, 500, 502, 503, 504]);
/** A file on its way outlives a restart of the service and a change of network. */
const leastTransferRetries = 5;
const firstWaitMs = 500;
const longestWaitMs = 8_000;

/**
 * Milliseconds to wait before the next attempt, or null to give up. `tries` is the number of attempts so far. Follows
 * `Retry-After` up to `maxRetryAfterMs`; without the header, exponential backoff with jitter.
 */
export function retryWaitMs(
  failure: APIConnectionError | APIStatusError,
  tries: number,
  maxRetryAfterMs: number,
): number | null {
  if (failure instanceof APIStatusError) {
    const { status, retryAfterSeconds } = failure;
    if (!retriedStatuses.has(status) && !(status === 409 && retryAfterSeconds !== null)) return null;
    if (retryAfterSeconds !== null)
      return retryAfterSeconds * 1_000 > maxRetryAfterMs ? null : retryAfterSeconds * 1_000;
  }
  return Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs) * (0.5 + Math.random() / 2);
}

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Seconds until the time in `Retry-After`; null if it is absent, past or invalid. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const seconds = httpDate.test(header) ? (Date.parse(header) - nowMs) / 1_000 : Number.NaN;
  return seconds >= 0 ? seconds : null;
}

/** The attempts after the first of a file that is sent or downloaded, made of those of other calls. */
export const transferRetries = (maxRetries: number): number =>
  maxRetries === 0 ? 0 : Math.max(maxRetries, leastTransferRetries);

/** Resolves after a delay. Rejects with the signal's reason if it is aborted before. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
