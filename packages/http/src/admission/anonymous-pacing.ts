import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { TokenBuckets, type Tokens } from "../rate-limit/token-buckets.ts";
import { clientNetwork } from "./client-network.ts";

/**
 * The rate of a client network above which responses are delayed. A browser that opens a web app needs about 40
 * requests, a health check one a second.
 */
export const anonymousRate = { burst: 1_000, perSecond: 100 };
export const delayMs = 1_000;

/**
 * Delays responses to requests without a valid key or session, if their client network exceeds a rate. Refuses no
 * request: since the requests of a connection are handled one after another, a flood gets one response a second on each
 * of its connections.
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

  /** Resolves when the response to the client with this IP address may be sent. */
  async pace(address: string): Promise<void> {
    if (!this.#buckets.take(clientNetwork(address))) await this.#sleep(delayMs);
  }
}
