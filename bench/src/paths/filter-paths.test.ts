import { expect, test } from "vitest";
import { filterPaths } from "./filter-paths.ts";

const values = { genres: [1, 2, 3], producers: [7, 8], beats: 10_000 };

test("paths differ, and name each filter once", () => {
  const paths = filterPaths(values, 500);
  expect(new Set(paths).size).toBe(500);
  for (const path of paths) {
    const names = [...new URLSearchParams(path.split("?")[1]).keys()];
    expect(new Set(names).size).toBe(names.length);
  }
});

test("the same seed gives the same paths, and another seed gives other paths", () => {
  expect(filterPaths(values, 20, 5)).toEqual(filterPaths(values, 20, 5));
  expect(filterPaths(values, 20, 5)).not.toEqual(filterPaths(values, 20, 6));
});
