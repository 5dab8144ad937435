import { expect, test } from "vitest";
import { retryDelayMs, retryDelaysMs } from "./attempts.ts";

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

test("the delays of ten attempts add up to about three days: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h", () => {
  const delays = Array.from({ length: 9 }, (_, index) => seconds(retryDelayMs(index + 1, null, 0.5)));
  expect(delays).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(retryDelayMs(10, null, 0.5)).toBeNull();
  expect(retryDelaysMs[0]).toBe(0);
});

test("each delay has a jitter of a tenth, up and down", () => {
  expect(retryDelayMs(2, null, 0)).toBe(270_000);
  expect(retryDelayMs(2, null, 1)).toBe(330_000);
});

test.each([
  ["is longer than the schedule extends the delay", 1, 60_000, 60_000],
  ["is shorter than the schedule changes nothing", 2, 1_000, 300_000],
  ["is longer than 24 hours extends the delay to 24 hours", 1, 40 * 3_600_000, 24 * 3_600_000],
  ["follows the tenth attempt causes no other attempt", 10, 60_000, null],
])("a Retry-After that %s", (_, attempts, retryAfterMs, expected) => {
  expect(retryDelayMs(attempts, retryAfterMs, 0.5)).toBe(expected);
});
