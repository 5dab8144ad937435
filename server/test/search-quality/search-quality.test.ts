import { expect, test } from "vitest";
import { catalogues } from "./catalogues.ts";
import { judge } from "./judge.ts";

test.each(catalogues)(
  "of what people type, 0.9 finds what is meant among the first five: $name",
  async ({ extract, mapping, queries }) => {
    const { asked, misses } = await judge(extract, mapping, queries);
    expect(asked).toBe(200);
    expect(misses.length, JSON.stringify(misses, null, 1)).toBeLessThanOrEqual(20);
  },
);
