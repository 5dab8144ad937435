import type { Clock } from "@beatmarket/foundation/clock.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";

const burstBytes = 1_000_000;
const bytesPerDay = 1_000_000;
const daySeconds = 86_400;
/** This many bytes of every response are stored, even when the account's budget is used up. */
const minStoredBytes = 256;

/**
 * Limits the stored size of responses with a token bucket of bytes for each account. In 30 days, after which attempts
 * are deleted, one worker stores at most 31 MB of responses over 256 bytes for an account. Above the limit, only the
 * first 256 bytes of a response are stored.
 */
export class ResponseBudget {
  readonly #bytes: TokenBuckets;

  constructor(clock: Clock) {
    this.#bytes = new TokenBuckets(clock, { burst: burstBytes, perSecond: bytesPerDay / daySeconds });
  }

  /** The part of a response to store. */
  clip(userId: number, response: string): string {
    const size = Buffer.byteLength(response);
    const isWithinBudget = size <= minStoredBytes || this.#bytes.take(String(userId), size);
    return isWithinBudget ? response : clipBytes(response, minStoredBytes);
  }
}

/** The beginning of a text, in at most `maxBytes` bytes of UTF-8. Ends after a whole character. */
export function clipBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
