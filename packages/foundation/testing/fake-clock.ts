import type { Clock } from "../src/clock.ts";

/** A clock that stands still until it is told to move. */
export class FakeClock implements Clock {
  #wallMs: number;
  // Unlike the wall's, so that a mix-up of the two shows.
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

  /** Lets time pass. */
  advance(ms: number): void {
    this.#wallMs += ms;
    this.#monotonicMs += ms;
  }

  /** Sets the wall clock forward or back, as an operator may; no time passes. */
  jumpWall(ms: number): void {
    this.#wallMs += ms;
  }
}
