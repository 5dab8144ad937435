import { expect, test } from "vitest";
import { catalogues } from "./catalogues.ts";
import { judge } from "./judge.ts";

test.each(catalogues)(
  "$name: at least $minShare of the typed queries have the intended hit among the first five",
  async ({ read, queriesFile, minShare }) => {
    const { queryCount, misses } = await judge(await read(), queriesFile);
    expect(queryCount).toBeGreaterThanOrEqual(150);
    expect(1 - misses.length / queryCount, JSON.stringify(misses, null, 1)).toBeGreaterThanOrEqual(minShare);
  },
);
