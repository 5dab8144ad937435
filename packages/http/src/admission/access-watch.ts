import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";

/** The channel on which triggers notify at commit; the payload is one of `HeldCall.names`. */
const channel = "access";
/** Slightly longer than a caller is cached (CallerCache), so that the check reads data newer than the notice. */
const checkDelayMs = 520;
const maxTimerMs = 3_600_000;

export interface Subscriber {
  onNotification(payload: string): void;
  /** Called when the subscription begins to receive notices. Earlier notices may have been missed. */
  onListening(): void;
}

/** Notices of the database. The returned function ends the subscription. */
export interface Notices {
  subscribe(channel: string, subscriber: Subscriber): Promise<() => void>;
}

/** A running call whose access may end. */
export interface HeldCall {
  /** The notices that may end the call's access: `key 7`, `user 7`. */
  names: readonly string[];
  /** Unix milliseconds. Absent: the access never expires. */
  expiresAtMs?: number | undefined;
  /** Rejects with the refusal if the call would be refused now. After a 5xx or another error, the check is repeated. */
  readmit(): Promise<void>;
  onRefused(refusal: ApiError): void;
}

/**
 * Ends running calls when their access ends: the key is revoked or expires, the account is suspended, the session or
 * membership ends. Every instance gets a notice and checks its calls within a second. A call is also checked when it
 * begins, since it may have been admitted from a cache, and when its key expires. No check runs at a regular interval.
 */
export class AccessWatch {
  readonly #clock: Clock;
  readonly #checksByName = new Map<string, Set<AccessCheck>>();
  #unfollow = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Subscribes to the database's notices, until `stop` is called. */
  async follow(listener: Notices): Promise<void> {
    this.#unfollow = await listener.subscribe(channel, {
      onNotification: (name) => {
        for (const check of this.#checksByName.get(name) ?? []) check.schedule();
      },
      // Notices may have been missed.
      onListening: () => {
        for (const checks of this.#checksByName.values()) for (const check of checks) check.schedule();
      },
    });
  }

  stop(): void {
    this.#unfollow();
  }

  /** Number of watched names. */
  get size(): number {
    return this.#checksByName.size;
  }

  /** Watches a call until the returned function is called. */
  hold(call: HeldCall): () => void {
    const check = new AccessCheck(call, this.#clock);
    for (const name of call.names) {
      const checks = this.#checksByName.get(name) ?? new Set();
      this.#checksByName.set(name, checks.add(check));
    }
    return () => {
      check.end();
      for (const name of call.names) {
        const checks = this.#checksByName.get(name);
        checks?.delete(check);
        if (checks?.size === 0) this.#checksByName.delete(name);
      }
    };
  }
}

/** The checks of one call. */
class AccessCheck {
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
    this.schedule();
  }

  /** Schedules a check. If one is scheduled or running, another follows it. */
  schedule(): void {
    if (this.#hasEnded) return;
    if (this.#timer !== null) this.#isDueAgain = true;
    else this.#timer = setTimeout(() => void this.#run(), checkDelayMs);
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer ?? undefined);
    clearTimeout(this.#expiry ?? undefined);
  }

  async #run(): Promise<void> {
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
    if (isDue) this.schedule();
  }

  #awaitExpiry(): void {
    const { expiresAtMs } = this.#call;
    if (expiresAtMs === undefined) return;
    const remainingMs = Math.max(0, expiresAtMs - this.#clock.nowMs());
    this.#expiry = setTimeout(
      () => {
        if (remainingMs <= maxTimerMs) this.schedule();
        else this.#awaitExpiry();
      },
      Math.min(remainingMs, maxTimerMs),
    );
  }
}
