import { expect, test } from "vitest";
import { bytesInWords } from "./bytes.ts";
import { dateInWords } from "./date.ts";
import { amountText, decimal } from "./money.ts";

test.each([
  [0, "0.00"],
  [5, "0.05"],
  [-5, "-0.05"],
  [2_990, "29.90"],
  [-100_000, "-1000.00"],
  [9_007_199_254_740_991, "90071992547409.91"],
])("%i cents are %s", (cents, text) => {
  expect(decimal(cents)).toBe(text);
  expect(amountText(cents, "USD")).toBe(`${text} USD`);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1 kB"],
  [8_412_345, "8.4 MB"],
  [500_000_000, "500 MB"],
  [2_000_000_000, "2 GB"],
  [3_200_000_000_000, "3200 GB"],
])("%i bytes are %s", (bytes, text) => expect(bytesInWords(bytes)).toBe(text));

test("a time is in UTC, whatever the zone of the server", () =>
  expect(dateInWords(new Date("2026-11-22T23:10:59Z"))).toBe("22 November 2026, 23:10 UTC"));
