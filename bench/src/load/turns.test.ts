import { expect, test } from "vitest";
import { cpuRatioOf, medianOf, shareOf } from "./turns.ts";

const bursts = (...rates: number[]) =>
  rates.map((requestsPerSecond) => ({
    requestsPerSecond,
    p50Ms: 1,
    p99Ms: 2,
    failures: 0,
    cpuMicros: 1_000 / requestsPerSecond,
  }));

test("shares and CPU ratios are medians of the rounds, so a slow moment of the machine does not affect them", () => {
  expect(shareOf(bursts(50, 10, 60), bursts(100, 100, 100))).toBe(0.5);
  // The machine was slow in the second round, for both.
  expect(shareOf(bursts(50, 5, 50), bursts(100, 10, 100))).toBe(0.5);
  expect(cpuRatioOf(bursts(50, 5, 50), bursts(100, 10, 100))).toBe(2);
  expect(medianOf(bursts(50, 10, 60), "requestsPerSecond")).toBe(50);
});
