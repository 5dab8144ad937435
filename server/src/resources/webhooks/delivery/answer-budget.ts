const burstBytes = 1_000_000;
const bytesPerDay = 1_000_000;
const dayMs = 86_400_000;
/** Kept of every answer, whatever the account has used. */
const keptAlwaysBytes = 256;
const maxAccounts = 10_000;

interface Bucket {
  bytes: number;
  atMs: number;
}

/**
 * Bounds what is stored of receivers' answers: a token bucket of bytes for each account, so that the 30 days for which
 * attempts are kept hold at most 31 MB of longer answers for one account and worker. Beyond it the first 256 bytes of
 * an answer are kept. Buckets are in memory; those of the accounts used least recently are dropped.
 */
export class AnswerBudget {
  readonly #buckets = new Map<number, Bucket>();

  /** The part of an answer to keep. `nowMs` is monotonic. */
  keep(userId: number, answer: string, nowMs: number): string {
    const size = Buffer.byteLength(answer);
    if (size <= keptAlwaysBytes) return answer;
    const bucket = this.#buckets.get(userId) ?? { bytes: burstBytes, atMs: nowMs };
    const bytes = Math.min(bucket.bytes + ((nowMs - bucket.atMs) * bytesPerDay) / dayMs, burstBytes);
    const isWithin = size <= bytes;
    this.#buckets.delete(userId);
    this.#buckets.set(userId, { bytes: isWithin ? bytes - size : bytes, atMs: nowMs });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= maxAccounts) break;
      this.#buckets.delete(oldest);
    }
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
