import fc from "fast-check";
import { expect, test } from "vitest";
import { durationSpan, percentileError, percentileMs, spanMiddleMs } from "./duration-histogram.ts";

const duration = fc.double({ min: 0.1, max: 100_000, noNaN: true });

const exactPercentile = (durations: number[], share: number): number =>
  durations.sort((a, b) => a - b)[Math.max(1, Math.ceil(durations.length * share)) - 1] ?? 0;

test("a percentile is within 9.1 % of the true one, for any durations from 0.1 ms to 100 s", () => {
  expect(percentileError).toBeCloseTo(0.0905, 4);
  fc.assert(
    fc.property(
      fc.array(duration, { minLength: 1, maxLength: 300 }),
      fc.constantFrom(0.5, 0.95, 0.99, 0, 1),
      (durations, share) => {
        const calls = new Map<number, number>();
        for (const ms of durations) calls.set(durationSpan(ms), (calls.get(durationSpan(ms)) ?? 0) + 1);
        const ratio = (percentileMs(calls, share) ?? 0) / exactPercentile(durations, share);
        expect(Math.abs(Math.log(ratio))).toBeLessThanOrEqual(Math.log(1 + percentileError) + 1e-9);
      },
    ),
  );
});

test("twice a duration is at most four spans higher, and the middle of a span is in that span", () => {
  fc.assert(
    fc.property(duration, (ms) => {
      const span = durationSpan(ms);
      expect(durationSpan(ms * 2)).toBeLessThanOrEqual(Math.min(80, span + 4));
      expect(durationSpan(spanMiddleMs(span))).toBe(span);
    }),
  );
});

test.each([
  [0, 0],
  [-1, 0],
  [Number.NaN, 0],
  [0.1, 0],
  [0.101, 1],
  [1e9, 80],
  [Number.POSITIVE_INFINITY, 80],
])("a duration of %d ms is counted in span %d", (ms, span) => {
  expect(durationSpan(ms)).toBe(span);
});

test("a percentile of no calls is null", () => {
  expect(percentileMs(new Map(), 0.5)).toBeNull();
});
