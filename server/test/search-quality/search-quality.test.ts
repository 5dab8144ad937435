import { expect, test } from "vitest";
import { catalogues } from "./catalogues.ts";
import { judge } from "./judge.ts";

test.each(catalogues)(
  "for the queries that people type, $least find what is meant among the first five hits: $name",
  async ({ read, queries, least }) => {
    const { asked, misses } = await judge(await read(), queries);
    expect(asked).toBeGreaterThanOrEqual(150);
    expect(1 - misses.length / asked, JSON.stringify(misses, null, 1)).toBeGreaterThanOrEqual(least);
  },
);
