import type { Clock } from "@beatmarket/foundation/clock.ts";
import { type TokenBucketRate, TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";

/** What one reader used lately: it is forgotten at this rate, and counts up to this much. */
const lately: TokenBucketRate = { burst: 120, perSecond: 0.1 };
/** How many of the common tokens a reader leaves to those who used less: few reads count in full, many count less and less. */
const leftToOthers = (used: number) => used / (1 + used / 50);
const all = "all";

/** A reader's network, or one around it that may have `times` as much. */
export interface Reader {
  name: string;
  times: number;
}

/**
 * The reads of many readers: so many of each, and so many of all together. When all together use up theirs, those who
 * read least lately are served first: a read leaves the more of the common tokens, the more its reader used lately.
 */
export class ReadBudget {
  readonly #each: TokenBuckets;
  readonly #used: TokenBuckets;
  readonly #all: TokenBuckets;

  constructor(clock: Clock, rates: { each: TokenBucketRate; all: TokenBucketRate }) {
    this.#each = new TokenBuckets(clock, rates.each);
    this.#used = new TokenBuckets(clock, lately);
    this.#all = new TokenBuckets(clock, rates.all, 1);
  }

  /** Takes a read for a reader, and the networks around it. Which bound refuses it; null for none. */
  take(readers: readonly Reader[]): "each" | "all" | null {
    if (readers.some(({ name, times }) => this.#each.level(name) < 1 / times)) return "each";
    const used = Math.max(...readers.map(({ name }) => lately.burst - this.#used.level(name)));
    if (this.#all.level(all) < 1 + leftToOthers(used)) return "all";
    this.#all.take(all);
    for (const { name, times } of readers) {
      this.#each.take(name, 1 / times);
      this.#used.take(name, 1 / times);
    }
    return null;
  }
}
