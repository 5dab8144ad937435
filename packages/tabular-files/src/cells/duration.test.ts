import { describe, expect, test } from "vitest";
import { parseDuration, parseDurationUnit } from "./duration.ts";

describe("a duration", () => {
  test.each([
    ["194754", "ms", 195],
    ["243800.0", "ms", 244],
    ["1400", "ms", 1],
    ["100", "ms", 1],
    ["0", "ms", 0],
    ["189", "s", 189],
    ["189.5", "s", 190],
    ["3,59", "min", 215],
    ["3:59", "m:ss", 239],
    ["3:59", "ms", 239],
    ["388:00", "m:ss", 23_280],
    ["1:02:03", "m:ss", 3723],
    ["0:01.4", "m:ss", 1],
  ] as const)("%s in %s is %i s", (text, unit, seconds) => {
    expect(parseDuration(text, unit)).toBe(seconds);
  });

  test.each([
    ["-5", "s"],
    ["three", "min"],
    ["239", "m:ss"],
    ["3:60", "m:ss"],
    ["3:5", "m:ss"],
    ["", "s"],
    ["604801", "s"],
    ["NaN", "s"],
  ] as const)("%s in %s is not a duration", (text, unit) => {
    expect(parseDuration(text, unit)).toBeNull();
  });
});

test.each([
  ["ms", "ms"],
  ["Seconds", "s"],
  [" min ", "min"],
  ["mm:ss", "m:ss"],
  ["fortnight", null],
])("the unit %j is parsed as %s", (word, unit) => {
  expect(parseDurationUnit(word)).toBe(unit);
});
