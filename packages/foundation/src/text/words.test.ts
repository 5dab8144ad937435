import { expect, test } from "vitest";
import { formatBytes } from "./bytes.ts";
import { formatDate } from "./date.ts";
import { formatAmount, formatCents } from "./money.ts";

test.each([
  [0, "0.00"],
  [5, "0.05"],
  [-5, "-0.05"],
  [2_990, "29.90"],
  [-100_000, "-1000.00"],
  [9_007_199_254_740_991, "90071992547409.91"],
])("%i cents are formatted as %s", (cents, text) => {
  expect(formatCents(cents)).toBe(text);
  expect(formatAmount(cents, "USD")).toBe(`${text} USD`);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1 kB"],
  [8_412_345, "8.4 MB"],
  [500_000_000, "500 MB"],
  [2_000_000_000, "2 GB"],
  [3_200_000_000_000, "3200 GB"],
])("%i bytes are formatted as %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test("a time is formatted in UTC", () =>
  expect(formatDate(new Date("2026-11-22T23:10:59Z"))).toBe("22 November 2026, 23:10 UTC"));
