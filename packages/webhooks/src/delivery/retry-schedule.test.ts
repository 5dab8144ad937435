import { expect, test } from "vitest";
import { retryDelayMs, retryDelaysMs } from "./attempts.ts";

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

test("ten attempts over about three days: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h", () => {
  const delays = Array.from({ length: 9 }, (_, made) => seconds(retryDelayMs(made + 1, null, 0.5)));
  expect(delays).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(retryDelayMs(10, null, 0.5)).toBeNull();
  expect(retryDelaysMs[0]).toBe(0);
});

test("each delay has a jitter of a tenth, up and down", () => {
  expect(retryDelayMs(2, null, 0)).toBe(270_000);
  expect(retryDelayMs(2, null, 1)).toBe(330_000);
});

test.each([
  ["longer than the schedule is honoured", 1, 60_000, 60_000],
  ["shorter than the schedule changes nothing", 2, 1_000, 300_000],
  ["is honoured up to 24 hours", 1, 40 * 3_600_000, 24 * 3_600_000],
  ["brings no eleventh attempt", 10, 60_000, null],
])("a Retry-After that %s", (_, made, retryAfterMs, expected) => {
  expect(retryDelayMs(made, retryAfterMs, 0.5)).toBe(expected);
});
