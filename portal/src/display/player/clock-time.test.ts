import { expect, test } from "vitest";
import { clockTime } from "./clock-time.ts";

test.each([
  [0, "0:00"],
  [65.9, "1:05"],
  [1_200, "20:00"],
  [-1, "0:00"],
])("%d s are %s", (seconds, words) => {
  expect(clockTime(seconds)).toBe(words);
});
