import type { Clock } from "@beatmarket/foundation/clock.ts";

/** `performance.now()` counts from the start of the thread; `process.hrtime` is the same in all threads. */
const startedMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** A clock whose monotonic time is the same in all threads of the process. */
export const processClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => startedMs + performance.now(),
};
