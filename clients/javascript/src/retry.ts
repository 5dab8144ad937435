import { type APIConnectionError, APIStatusError, BeatMarketError } from "./errors.ts";
import { isOfHook } from "./hooks.ts";
import type { Logger } from "./settings.ts";

const retriedStatuses = new Set([408, 423, 429, 460, 500, 502, 503, 504]);
/** Enough for a transfer to survive a restart of the service and a change of network. */
const leastTransferRetries = 5;
const firstWaitMs = 500;
const longestWaitMs = 8_000;

/** The settings of retries. */
export interface Repetition {
  /** The request or transfer, for the log. */
  what: string;
  maxRetries: number;
  maxRetryAfterMs: number;
  signal: AbortSignal | undefined;
  logger: Logger | undefined;
}

/** The attempts of one call. */
export class Attempts {
  readonly #repetition: Repetition;
  #failed = 0;

  constructor(repetition: Repetition) {
    this.#repetition = repetition;
  }

  /** The number of the current attempt, from 1. */
  get number(): number {
    return this.#failed + 1;
  }

  /** Resets the count, because the last attempt made progress. */
  restart(): void {
    this.#failed = 0;
  }

  /** Waits until the next attempt. Throws the last failure if there is no further attempt. */
  async after(failure: unknown): Promise<void> {
    const { what, maxRetries, maxRetryAfterMs, signal, logger } = this.#repetition;
    this.#failed += 1;
    const waitMs = this.#failed > maxRetries ? null : waitAfter(failure, this.#failed, maxRetryAfterMs);
    if (waitMs === null) throw failure;
    const count = `${this.#failed} of ${maxRetries}`;
    logger?.warn(`beatmarket: ${what} failed (${failure}); trying again in ${Math.round(waitMs)} ms (${count})`);
    await pause(waitMs, signal);
  }
}

/**
 * The milliseconds to wait: those of `Retry-After`, or without the header an exponential backoff with jitter. Null
 * means to give up, also if `Retry-After` is longer than `maxRetryAfterMs`.
 */
function waitAfter(failure: unknown, failed: number, maxRetryAfterMs: number): number | null {
  if (isOfHook(failure)) return null;
  if (failure instanceof APIStatusError) {
    const { status, retryAfterSeconds } = failure;
    if (!retriedStatuses.has(status) && !(status === 409 && retryAfterSeconds !== null)) return null;
    if (retryAfterSeconds !== null)
      return retryAfterSeconds * 1_000 > maxRetryAfterMs ? null : retryAfterSeconds * 1_000;
  } else if (!isConnectionError(failure) || isOfCertificate(failure.cause)) return null;
  return Math.min(firstWaitMs * 2 ** (failed - 1), longestWaitMs) * (0.5 + Math.random() / 2);
}

const isConnectionError = (failure: unknown): failure is APIConnectionError =>
  failure instanceof BeatMarketError && "idempotencyKey" in failure;

const certificateCodes =
  /CERT|UNABLE_TO_(VERIFY|GET_ISSUER|DECRYPT)|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH/;

/** Whether the server's certificate was refused. The next attempt would fail in the same way. */
export const isOfCertificate = (cause: unknown): boolean => {
  const { code, message } = innermost(cause);
  return certificateCodes.test(String(code)) || /certificate/i.test(String(message));
};

/** `fetch` rejects with "fetch failed"; the reason is in its cause. */
export const innermost = (error: unknown): { code?: unknown; name?: unknown; message?: unknown } =>
  error instanceof Error && error.cause instanceof Error ? error.cause : Object(error);

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** The seconds to wait by `Retry-After`, which is a number or a date; null if it is absent, past or invalid. */
export function retryAfterSeconds(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const seconds = httpDate.test(header) ? (Date.parse(header) - Date.now()) / 1_000 : Number.NaN;
  return seconds >= 0 ? seconds : null;
}

/** The number of retries of an upload or download, derived from the number for other calls. */
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
