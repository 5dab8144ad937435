import "../../../../test/english.ts";
import { expect, test } from "vitest";
import { facetValues, numberIn, priceText, tempoText } from "./facet-text.ts";

test("each value has the parameter's text and a readable label", () => {
  const genre = [{ value: { id: 3, name: "Ambient" }, count: 7 }];
  expect(facetValues(genre, [])).toEqual([{ value: "3", label: "Ambient", count: 7 }]);
  expect(facetValues([{ value: "", count: 2 }], [])).toEqual([{ value: "unknown", label: "Unknown", count: 2 }]);
});

test("a chosen value without remaining beats comes first, with a count of 0", () => {
  expect(facetValues([{ value: "dark", count: 1 }], ["dark", "gone"])).toEqual([
    { value: "gone", label: "gone", count: 0 },
    { value: "dark", label: "dark", count: 1 },
  ]);
});

test.each([
  [120, 140, "120 to 140 BPM"],
  [140, 140, "140 BPM"],
  [120, undefined, "from 120 BPM"],
  [undefined, 140, "up to 140 BPM"],
  [undefined, undefined, null],
])("a tempo from %s to %s is %s", (low, high, words) => {
  expect(tempoText(low, high)).toBe(words);
});

test("prices contain the currency", () => {
  expect(priceText(10, 29.9, "USD")).toBe("$10.00 to $29.90");
});

test.each([
  ["120", 0, 120],
  ["120.7", 0, 120],
  ["1e9", 0, 999],
  ["29,90", 2, 29.9],
  ["29.999", 2, 29.99],
  ["0", 0, undefined],
  ["-5", 2, undefined],
  ["fast", 0, undefined],
  [" ", 0, undefined],
])("%j with %i decimals is %s", (typed, decimals, number) => {
  expect(numberIn(typed, decimals, 999)).toBe(number);
});
