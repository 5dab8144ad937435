/** Injected, so that tests control time. */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds that never go back, even if the wall clock does. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
