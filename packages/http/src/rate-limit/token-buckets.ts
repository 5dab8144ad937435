import type { Clock } from "@beatmarket/foundation/clock.ts";
import { LRUCache } from "lru-cache";

export interface TokenBucketRate {
  /** Capacity of a bucket. */
  burst: number;
  /** Tokens added in a second. */
  perSecond: number;
}

/** Token buckets by name: in the memory of a thread, or shared by all threads of the process. */
export interface Tokens {
  /** Takes tokens. Returns false and takes none if there are too few. */
  take(name: string, tokens?: number): boolean;
  /**
   * Returns tokens to a bucket. A negative number takes tokens, if necessary into a debt, from which the bucket then
   * fills.
   */
  add(name: string, tokens: number): void;
}

interface Bucket {
  tokens: number;
  filledMs: number;
}

export const defaultMaxBuckets = 10_000;

/**
 * A token bucket for each name, in memory: cheap and approximate, to protect the process itself. Plans have exact
 * sliding windows instead. Evicts the least recently used buckets. A bucket takes about 100 bytes.
 */
export class TokenBuckets implements Tokens {
  readonly #clock: Clock;
  readonly #rate: TokenBucketRate;
  readonly #maxBuckets: number;
  #buckets: LRUCache<string, Bucket> | undefined;

  constructor(clock: Clock, rate: TokenBucketRate, maxBuckets = defaultMaxBuckets) {
    this.#clock = clock;
    this.#rate = rate;
    this.#maxBuckets = maxBuckets;
  }

  take(name: string, tokens = 1): boolean {
    const bucket = this.#refilled(name);
    if (bucket.tokens < tokens) return false;
    bucket.tokens -= tokens;
    return true;
  }

  /** The tokens that a bucket holds now. */
  level(name: string): number {
    return this.#refilled(name).tokens;
  }

  add(name: string, tokens: number): void {
    const bucket = this.#refilled(name);
    bucket.tokens = Math.min(this.#rate.burst, bucket.tokens + tokens);
  }

  /** The bucket of a name, with the tokens added since the last use. */
  #refilled(name: string): Bucket {
    const { burst, perSecond } = this.#rate;
    const nowMs = this.#clock.monotonicMs();
    // Created on first use, since it allocates memory for all buckets: 0.2 MB in 2 ms for each of about twenty limits.
    this.#buckets ??= new LRUCache({ max: this.#maxBuckets });
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = { tokens: burst, filledMs: nowMs };
      this.#buckets.set(name, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.filledMs) / 1000) * perSecond);
    bucket.filledMs = nowMs;
    return bucket;
  }
}
