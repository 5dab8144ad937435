import { expect, test } from "vitest";
import { readMarketSearch } from "./market-search.ts";

test("reads words, genre, order, page and beat", () => {
  const search = { q: "night", genre: 3, sort: "popular", page: 2, beat: 7 } as const;
  expect(readMarketSearch({ ...search, genre: "3" })).toEqual(search);
});

test("words may be digits", () => {
  expect(readMarketSearch({ q: 140 })).toEqual({ q: "140" });
});

test.each([{ q: "  " }, { q: ["a"] }, { genre: 0 }, { sort: "dearest" }, { page: 1e300 }, { beat: 1.5 }])(
  "drops what is none of them: %j",
  (search) => {
    expect(readMarketSearch(search)).toEqual({});
  },
);
