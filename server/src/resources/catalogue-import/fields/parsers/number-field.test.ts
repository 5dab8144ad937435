import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCount, parseDecimal, parsePriceCents } from "./number-field.ts";

test.each([
  ["122.036", 122.036],
  ["130.94299999999998", 130.94299999999998],
  ["120,5", 120.5],
  ["1.2e2", 120],
  [" 90 ", 90],
  ["+90", 90],
  ["-1", -1],
  [".5", 0.5],
])("the number %j", (text, value) => {
  expect(parseDecimal(text)).toBe(value);
});

test.each(["", "NaN", "Infinity", "fast", "1e999", "0x10", "1,234.5", "12 bpm", "1.2.3"])("%j is no number", (text) => {
  expect(parseDecimal(text)).toBeNull();
});

test("a number that JavaScript writes is read back exactly", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      // String(-0) is 0.
      expect(parseDecimal(String(value))).toBe(value + 0);
    }),
  );
});

test.each([
  ["12", 12],
  ["12.0", 12],
  ["1,234,567", 1_234_567],
  ["1.234", 1234],
  ["1 234", 1234],
  ["0", 0],
  ["-1", null],
  ["1.5", null],
  ["many", null],
  ["99999999999999999999", null],
])("the count %j is %s", (text, count) => {
  expect(parseCount(text)).toBe(count);
});

describe("a price", () => {
  test.each([
    ["29.9", 2990],
    ["29.99", 2999],
    ["29,99 €", 2999],
    ["$29", 2900],
    ["USD 29.90", 2990],
    ["0", 0],
    ["0.1", 10],
    ["1.005", 100],
  ])("%j in whole units is %i cents", (text, cents) => {
    expect(parsePriceCents(text, "units")).toBe(cents);
  });

  test("in cents is taken as it is", () => {
    expect(parsePriceCents("2990", "cents")).toBe(2990);
  });

  test.each(["free", "-5", "1.234,56", ""])("%j is none", (text) => {
    expect(parsePriceCents(text, "units")).toBeNull();
  });
});
