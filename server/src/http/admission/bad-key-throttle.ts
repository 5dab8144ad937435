import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import { SlidingLog } from "../rate-limit/sliding-log.ts";
import { clientNetwork } from "./client-network.ts";

const failuresAMinute = 100;
const minuteMs = 60_000;
const defaultMaxAddresses = 10_000;

/**
 * Throttles bad keys by client address: 100 failures in any minute get 401, further ones 429. Valid keys never reach
 * it, so they are never affected (docs/api/authentication.md, Invalid keys). Evicts the addresses seen longest ago.
 */
export class BadKeyThrottle {
  readonly #clock: Clock;
  readonly #failures: LRUCache<string, SlidingLog>;

  constructor(clock: Clock, maxAddresses = defaultMaxAddresses) {
    this.#clock = clock;
    this.#failures = new LRUCache({ max: maxAddresses });
  }

  /** Counts a bad key from a client address; refused ones are not counted. `retryAfterSeconds` is rounded up. */
  recordFailure(address: string): { refused: boolean; retryAfterSeconds: number } {
    const nowMs = this.#clock.monotonicMs();
    const source = clientNetwork(address);
    let failures = this.#failures.get(source);
    if (failures === undefined) {
      failures = new SlidingLog(minuteMs);
      this.#failures.set(source, failures);
    }
    if (failures.countWithin(minuteMs, nowMs, failuresAMinute) === failuresAMinute) {
      const waitMs = failures.nthNewest(failuresAMinute) + minuteMs - nowMs;
      return { refused: true, retryAfterSeconds: Math.ceil(waitMs / 1000) };
    }
    failures.push(nowMs);
    return { refused: false, retryAfterSeconds: 0 };
  }
}
