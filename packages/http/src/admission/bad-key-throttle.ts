import type { Clock } from "@beatmarket/foundation/clock.ts";
import { SlidingLog } from "../rate-limit/sliding-log.ts";
import { clientNetwork } from "./client-network.ts";

export const failuresAMinute = 100;
export const minuteMs = 60_000;
export const maxNetworks = 10_000;

/** Failures with bad keys by client network: in the memory of a thread, or shared by all threads of the process. */
export interface BadKeys {
  /** Number of networks with their own count. These networks had a failure in the last minute. */
  readonly size: number;
  /**
   * Counts a bad key from a client address, or refuses the request without counting it. Rounds `retryAfterSeconds` up.
   */
  recordFailure(address: string): { refused: boolean; retryAfterSeconds: number };
  /** Returns whether the next bad key from this address would be refused. */
  isThrottled(address: string): boolean;
}

/**
 * Throttles bad keys by client network: 100 failures in any minute get 401, further failures 429. Only bad keys are
 * passed to the throttle, so valid keys are never refused (docs/api/authentication.md, Invalid keys). Beyond 10,000
 * networks with failures in a minute, further networks share one count, so that a flood from many networks resets no
 * count.
 */
export class BadKeyThrottle implements BadKeys {
  readonly #clock: Clock;
  readonly #maxNetworks: number;
  /** Ordered by newest failure, oldest first. */
  readonly #networks = new Map<string, SlidingLog>();
  readonly #furtherNetworks = new SlidingLog(minuteMs);

  constructor(clock: Clock, networks = maxNetworks) {
    this.#clock = clock;
    this.#maxNetworks = networks;
  }

  get size(): number {
    this.#forgetIdle(this.#clock.monotonicMs());
    return this.#networks.size;
  }

  recordFailure(address: string): { refused: boolean; retryAfterSeconds: number } {
    const nowMs = this.#clock.monotonicMs();
    this.#forgetIdle(nowMs);
    const network = clientNetwork(address);
    const failures = this.#failuresOf(network) ?? new SlidingLog(minuteMs);
    if (isFull(failures, nowMs)) {
      const waitMs = failures.nthNewest(failuresAMinute) + minuteMs - nowMs;
      return { refused: true, retryAfterSeconds: Math.ceil(waitMs / 1000) };
    }
    failures.push(nowMs);
    if (failures !== this.#furtherNetworks) {
      this.#networks.delete(network);
      this.#networks.set(network, failures);
    }
    return { refused: false, retryAfterSeconds: 0 };
  }

  isThrottled(address: string): boolean {
    const failures = this.#failuresOf(clientNetwork(address));
    return failures !== undefined && isFull(failures, this.#clock.monotonicMs());
  }

  /** Undefined for a network without failures as long as it can get its own count. */
  #failuresOf(network: string): SlidingLog | undefined {
    return this.#networks.get(network) ?? (this.#networks.size < this.#maxNetworks ? undefined : this.#furtherNetworks);
  }

  /** Takes constant time on average, since each network is removed once. */
  #forgetIdle(nowMs: number): void {
    for (const [network, failures] of this.#networks) {
      if (failures.nthNewest(1) + minuteMs > nowMs) return;
      this.#networks.delete(network);
    }
  }
}

const isFull = (failures: SlidingLog, nowMs: number): boolean =>
  failures.countWithin(minuteMs, nowMs, failuresAMinute) === failuresAMinute;
