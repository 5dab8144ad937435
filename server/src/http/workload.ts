import type { Clock } from "../clock.ts";
import { ApiError } from "../errors.ts";

/** Reads and writes are bounded apart: orders that wait for a payment provider take no room from reads. */
export type WorkKind = "read" | "write";

export const kindOf = (method: string): WorkKind => (method === "GET" || method === "HEAD" ? "read" : "write");

/** After which a caller is answered 503, whatever is still waited for. The reader's clients wait for 30 seconds. */
export const timeLimitMs = 20_000;
/** More than a process can have under way and be well. */
const mostAtOnce = 1_000;
/** Enough to keep every connection to the database busy. */
const leastAtOnce = 32;
/** What takes longer waits for the rest more than it works. */
const slowMs = 300;
const slowShare = 0.1;
const adjustEveryMs = 100;
const shrinkTo = 0.8;
const growBy = 1.05;

/**
 * Bounds how much is waited for at a time, and for how long. The bound finds itself: while more than a tenth of what ends
 * took longer than 300 ms, it shrinks, else it grows again, so that under any load those who are let in are answered
 * soon, and the others are told at once.
 */
export class Workload {
  readonly #clock: Clock;
  readonly #bounds: Record<WorkKind, Bound> = { read: new Bound(), write: new Bound() };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How much is under way. */
  underWay(kind: WorkKind): number {
    return this.#bounds[kind].underWay;
  }

  /** How much may be under way at present. */
  atMost(kind: WorkKind): number {
    return this.#bounds[kind].atMost;
  }

  /** 503 when as much is under way as may be. */
  refusal(kind: WorkKind): ApiError | undefined {
    return this.#bounds[kind].isFull ? overloaded() : undefined;
  }

  /**
   * What work comes to, or 503 when that takes longer than the time limit. What was given up still counts until it has
   * ended, since it still takes room.
   */
  run<T>(kind: WorkKind, work: Promise<T>): Promise<T> {
    const bound = this.#bounds[kind];
    const startedMs = this.#clock.monotonicMs();
    bound.begin();
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(tooSlow()), timeLimitMs);
      const end = () => {
        clearTimeout(limit);
        const nowMs = this.#clock.monotonicMs();
        bound.end(nowMs, nowMs - startedMs);
      };
      work.then(
        (value) => {
          end();
          resolve(value);
        },
        (error) => {
          end();
          reject(error);
        },
      );
    });
  }
}

class Bound {
  underWay = 0;
  atMost = mostAtOnce;
  #adjustedMs = 0;
  #wasFull = false;
  #ended = 0;
  #slow = 0;

  get isFull(): boolean {
    if (this.underWay < this.atMost) return false;
    this.#wasFull = true;
    return true;
  }

  begin(): void {
    this.underWay++;
  }

  end(nowMs: number, tookMs: number): void {
    const underWay = this.underWay--;
    this.#ended++;
    if (tookMs > slowMs) this.#slow++;
    if (nowMs - this.#adjustedMs < adjustEveryMs) return;
    // A few slow ones by themselves are no sign of too many.
    if (this.#slow > this.#ended * slowShare && underWay > leastAtOnce)
      this.atMost = Math.max(leastAtOnce, Math.floor(Math.min(this.atMost, underWay) * shrinkTo));
    else if (this.#wasFull || this.atMost < mostAtOnce)
      this.atMost = Math.min(mostAtOnce, Math.ceil(this.atMost * growBy));
    this.#adjustedMs = nowMs;
    this.#wasFull = false;
    this.#ended = 0;
    this.#slow = 0;
  }
}

const unavailable = (details: string, refusedBy: string): ApiError =>
  new ApiError(503, "server_error", "Service unavailable", details, { headers: { "retry-after": "2" }, refusedBy });

const overloaded = (): ApiError =>
  unavailable("The service has more to do than it can at the moment. Try again in two seconds.", "overload");

const tooSlow = (): ApiError =>
  unavailable(
    `The request was not answered within ${timeLimitMs / 1000} seconds. Try again, with the same Idempotency-Key if it had one.`,
    "time-limit",
  );
