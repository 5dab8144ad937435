import type { Clock } from "@beatmarket/foundation/clock.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";

const burstBytes = 1_000_000;
const bytesPerDay = 1_000_000;
const daySeconds = 86_400;
/** Stored of every response, even when the account's budget is used up. */
const keptAlwaysBytes = 256;

/**
 * Limits how much of receivers' responses is stored: a token bucket of bytes for each account. So the 30 days for which
 * attempts are kept hold at most 31 MB of longer responses for one account and worker. Above the limit, only the first
 * 256 bytes of a response are stored.
 */
export class ResponseBudget {
  readonly #bytes: TokenBuckets;

  constructor(clock: Clock) {
    this.#bytes = new TokenBuckets(clock, { burst: burstBytes, perSecond: bytesPerDay / daySeconds });
  }

  /** The part of a response to keep. */
  keep(userId: number, response: string): string {
    const size = Buffer.byteLength(response);
    const isWithin = size <= keptAlwaysBytes || this.#bytes.take(String(userId), size);
    return isWithin ? response : clipBytes(response, keptAlwaysBytes);
  }
}

/** The beginning of a text, at most `maxBytes` bytes of UTF-8, without a cut character. */
export function clipBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
