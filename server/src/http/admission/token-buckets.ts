import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import { clientNetwork } from "./client-network.ts";

const maxNetworks = 10_000;

interface Bucket {
  tokens: number;
  sinceMs: number;
}

/** A token bucket for each client network: `burst` at once, then `perSecond`. Evicts the networks seen longest ago. */
export class TokenBuckets {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: maxNetworks });

  constructor(clock: Clock, { burst, perSecond }: { burst: number; perSecond: number }) {
    this.#clock = clock;
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes a token for a client's IP address. Returns 0, or the seconds until there is one, rounded up. */
  take(address: string): number {
    const network = clientNetwork(address);
    const nowMs = this.#clock.monotonicMs();
    const { tokens, sinceMs } = this.#buckets.get(network) ?? { tokens: this.#burst, sinceMs: nowMs };
    const now = Math.min(this.#burst, tokens + ((nowMs - sinceMs) / 1000) * this.#perSecond);
    if (now < 1) return Math.ceil((1 - now) / this.#perSecond);
    this.#buckets.set(network, { tokens: now - 1, sinceMs: nowMs });
    return 0;
  }
}
