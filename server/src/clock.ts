/** Time as a parameter, so that tests need not wait for it. */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds that only ever grow, whatever happens to the wall clock. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
