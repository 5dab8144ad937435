import type { Clock } from "../../../clock.ts";
import { TokenBuckets } from "../../../http/rate-limit/token-buckets.ts";

const burstBytes = 1_000_000;
const bytesPerDay = 1_000_000;
const daySeconds = 86_400;
/** Kept of every answer, whatever the account has used. */
const keptAlwaysBytes = 256;

/**
 * Bounds what is stored of receivers' answers: a token bucket of bytes for each account, so that the 30 days for which
 * attempts are kept hold at most 31 MB of longer answers for one account and worker. Beyond it the first 256 bytes of
 * an answer are kept.
 */
export class AnswerBudget {
  readonly #bytes: TokenBuckets;

  constructor(clock: Clock) {
    this.#bytes = new TokenBuckets(clock, { burst: burstBytes, perSecond: bytesPerDay / daySeconds });
  }

  /** The part of an answer to keep. */
  keep(userId: number, answer: string): string {
    const size = Buffer.byteLength(answer);
    const isWithin = size <= keptAlwaysBytes || this.#bytes.take(String(userId), size);
    return isWithin ? answer : clipBytes(answer, keptAlwaysBytes);
  }
}

/** The beginning of a text in UTF-8, of whole characters. */
export function clipBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
