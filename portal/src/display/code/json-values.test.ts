import { expect, test } from "vitest";
import { pathText, valueAt } from "./json-values.ts";

test.each([
  [["data", 0, "title"], "data[0].title"],
  [[2, "license_prices"], "[2].license_prices"],
  [["x-rate", "7", "a\u202Eb"], '["x-rate"]["7"]["a\\u202eb"]'],
  [[], ""],
])("the path %j is written %s", (path, text) => {
  expect(pathText(path)).toBe(text);
});

test("finds the value at a path, but no inherited property", () => {
  const value = { data: [{ title: "Dawn" }] };
  expect(valueAt(value, ["data", 0, "title"])).toBe("Dawn");
  expect(valueAt(value, [])).toBe(value);
  expect(valueAt(value, ["data", 1, "title"])).toBeUndefined();
  expect(valueAt(value, ["data", "length"])).toBeUndefined();
  expect(valueAt({}, ["constructor"])).toBeUndefined();
});
