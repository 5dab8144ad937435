import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { TokenBuckets, type Tokens } from "../rate-limit/token-buckets.ts";
import { clientNetwork } from "./client-network.ts";

/** For each client network. A browser that opens the portal needs about 40 requests, a health check one a second. */
export const anonymousRate = { burst: 1_000, perSecond: 100 };
export const delayMs = 1_000;

/**
 * Delays responses to requests without a valid key or session, beyond a rate for each client network. Since the
 * requests of a connection are handled one after another, a flood then gets one response a second for each of its
 * connections, and nobody is refused.
 */
export class AnonymousPacing {
  readonly #buckets: Tokens;
  readonly #sleep: (ms: number) => Promise<unknown>;

  constructor(
    clock: Clock,
    wait: (ms: number) => Promise<unknown> = sleep,
    buckets: Tokens = new TokenBuckets(clock, anonymousRate),
  ) {
    this.#buckets = buckets;
    this.#sleep = wait;
  }

  /** Resolves when the response to a client's IP address may be sent. */
  async pace(address: string): Promise<void> {
    if (!this.#buckets.take(clientNetwork(address))) await this.#sleep(delayMs);
  }
}
