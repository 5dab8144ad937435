import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SlidingLog } from "./sliding-log.ts";

const keepMs = 1_000;

/** Compares every query about the last `keepMs` with a plain list of times. */
function expectSame(log: SlidingLog, times: readonly number[], nowMs: number): void {
  for (const windowMs of [0, 1, 10, 500, keepMs]) {
    const inside = times.filter((time) => time + windowMs > nowMs).length;
    for (const atMost of [0, 1, 5, 1_000_000])
      expect(log.countWithin(windowMs, nowMs, atMost)).toBe(Math.min(inside, atMost));
  }
  const recent = times.filter((time) => time + keepMs > nowMs);
  expect(recent.map((_, i) => log.nthNewest(recent.length - i))).toEqual(recent);
}

const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.constantFrom(500, 999, 1_000, 1_001)), {
  maxLength: 150,
});

describe("a sliding log", () => {
  test("returns the same results as a plain list, even after older times are prepended", () => {
    fc.assert(
      fc.property(gaps, gaps, gaps, (before, between, after) => {
        const log = new SlidingLog(keepMs);
        let nowMs = 0;
        const pass = (gapMs: number): number => {
          nowMs += gapMs;
          return nowMs;
        };
        const earlier = before.map(pass);
        const times: number[] = [];
        const push = (gapMs: number) => {
          log.push(pass(gapMs));
          times.push(nowMs);
          expectSame(log, times, nowMs);
        };
        for (const gapMs of between) push(gapMs);
        log.prepend(earlier);
        times.unshift(...earlier);
        expectSame(log, times, nowMs);
        for (const gapMs of after) push(gapMs);
      }),
      { numRuns: 200 },
    );
  });

  test("drops old times, so that a steady stream needs only one window of memory", () => {
    const log = new SlidingLog(keepMs);
    for (let timeMs = 0; timeMs < 100_000; timeMs += 10) log.push(timeMs);
    expect(log.capacity).toBe(128);
  });
});
