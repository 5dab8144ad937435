import type { Clock } from "../src/clock.ts";

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #wallMs: number;
  // Differs from the wall time, so that a test fails if code confuses the two.
  #monotonicMs = 1_000;

  constructor(wallMs = Date.UTC(2026, 0, 1)) {
    this.#wallMs = wallMs;
  }

  nowMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  now(): Date {
    return new Date(this.#wallMs);
  }

  /** Moves both times forward. */
  advance(ms: number): void {
    this.#wallMs += ms;
    this.#monotonicMs += ms;
  }

  /** Sets the wall clock forward or back, as an operator may. The monotonic time stays. */
  jumpWall(ms: number): void {
    this.#wallMs += ms;
  }
}
