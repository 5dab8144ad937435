import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchRate } from "./least-rate.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const leastRate = { bytes: 100, windowMs: 1_000 };

test("a transfer is too slow as soon as it moves fewer bytes than the minimum within a window", () => {
  let bytes = 0;
  const onSlow = vi.fn();
  watchRate(leastRate, () => bytes, onSlow);
  for (let window = 0; window < 3; window++) {
    bytes += 100;
    vi.advanceTimersByTime(1_000);
  }
  expect(onSlow).not.toHaveBeenCalled();
  bytes += 99;
  vi.advanceTimersByTime(5_000);
  expect(onSlow).toHaveBeenCalledTimes(1);
});

test("a transfer is not too slow while no bytes wait to be transferred", () => {
  let bytes = Number.NaN;
  const onSlow = vi.fn();
  watchRate(leastRate, () => bytes, onSlow);
  vi.advanceTimersByTime(60_000);
  expect(onSlow).not.toHaveBeenCalled();
  bytes = 0;
  vi.advanceTimersByTime(2_000);
  expect(onSlow).toHaveBeenCalledTimes(1);
});
