import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";

/** The channel on which triggers notify at commit; the payload is one of `HeldCall.names`. */
const channel = "access";
/** Slightly longer than a caller is cached (CallerCache), so the look-up sees data newer than the notice. */
const lookAgainMs = 520;
const longestTimerMs = 3_600_000;

export interface Subscriber {
  onNotification(payload: string): void;
  /** Called when all notices arrive from now on. Earlier ones may have been missed. */
  onListening(): void;
}

/** Notices of the database. The returned function ends the subscription. */
export interface Notices {
  subscribe(channel: string, subscriber: Subscriber): Promise<() => void>;
}

/** A call that continues after its admission. */
export interface HeldCall {
  /** The names in notices that may end its access: `key 7`, `user 7`. */
  names: readonly string[];
  /** Unix milliseconds; absent: never. */
  expiresAtMs?: number | undefined;
  /** Rejects if the call would be refused now. */
  readmit(): Promise<void>;
  onRefused(refusal: ApiError): void;
}

/**
 * Ends running calls when their access ends: a key revoked or expired, an account suspended, a session or membership
 * ended. Every instance gets the notice and checks again within a second. A call is also checked once as it begins,
 * since it was admitted from a cache; after that, waiting costs no statement.
 */
export class AccessWatch {
  readonly #clock: Clock;
  readonly #held = new Map<string, Set<Held>>();
  #unfollow = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Subscribes to the database's notices, until `stop` is called. */
  async follow(listener: Notices): Promise<void> {
    this.#unfollow = await listener.subscribe(channel, {
      onNotification: (name) => {
        for (const held of this.#held.get(name) ?? []) held.lookAgain();
      },
      // Notices may have been missed.
      onListening: () => {
        for (const named of this.#held.values()) for (const held of named) held.lookAgain();
      },
    });
  }

  stop(): void {
    this.#unfollow();
  }

  /** Number of watched names. */
  get size(): number {
    return this.#held.size;
  }

  /** Watches a call until the returned function is called. */
  hold(call: HeldCall): () => void {
    const held = new Held(call, this.#clock);
    for (const name of call.names) {
      const named = this.#held.get(name) ?? new Set();
      this.#held.set(name, named.add(held));
    }
    return () => {
      held.end();
      for (const name of call.names) {
        const named = this.#held.get(name);
        named?.delete(held);
        if (named?.size === 0) this.#held.delete(name);
      }
    };
  }
}

class Held {
  readonly #call: HeldCall;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | null = null;
  #expiry: NodeJS.Timeout | null = null;
  #isDueAgain = false;
  #hasEnded = false;

  constructor(call: HeldCall, clock: Clock) {
    this.#call = call;
    this.#clock = clock;
    this.#awaitExpiry();
    this.lookAgain();
  }

  lookAgain(): void {
    if (this.#hasEnded) return;
    if (this.#timer !== null) this.#isDueAgain = true;
    else this.#timer = setTimeout(() => void this.#look(), lookAgainMs);
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer ?? undefined);
    clearTimeout(this.#expiry ?? undefined);
  }

  async #look(): Promise<void> {
    let isUndecided = false;
    try {
      await this.#call.readmit();
    } catch (error) {
      if (this.#hasEnded) return;
      if (error instanceof ApiError && error.status < 500) {
        this.end();
        this.#call.onRefused(error);
        return;
      }
      isUndecided = true;
    }
    this.#timer = null;
    const isDue = isUndecided || this.#isDueAgain;
    this.#isDueAgain = false;
    if (isDue) this.lookAgain();
  }

  #awaitExpiry(): void {
    const { expiresAtMs } = this.#call;
    if (expiresAtMs === undefined) return;
    const leftMs = Math.max(0, expiresAtMs - this.#clock.nowMs());
    this.#expiry = setTimeout(
      () => {
        if (leftMs <= longestTimerMs) this.lookAgain();
        else this.#awaitExpiry();
      },
      Math.min(leftMs, longestTimerMs),
    );
  }
}
