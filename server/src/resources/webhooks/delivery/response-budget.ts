import type { Clock } from "@beatmarket/foundation/clock.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";

const burstBytes = 1_000_000;
const bytesPerDay = 1_000_000;
const daySeconds = 86_400;
/** Kept of every response, whatever the account has used. */
const keptAlwaysBytes = 256;

/**
 * Bounds what is stored of receivers' responses: a token bucket of bytes for each account, so that the 30 days for which
 * attempts are kept hold at most 31 MB of longer responses for one account and worker. Beyond it the first 256 bytes of
 * a response are kept.
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

/** The beginning of a text in UTF-8, of whole characters. */
export function clipBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
