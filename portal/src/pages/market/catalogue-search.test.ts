import { describe, expect, test } from "vitest";
import { typedCall } from "../../../../contract/snippets/call.ts";
import { catalogueCall, catalogueQuery, readCatalogueSearch, toggled, withoutFilters } from "./catalogue-search.ts";

describe("the address", () => {
  test("contains every filter under the API's name", () => {
    const search = {
      q: "night",
      genre: "3,7",
      bpm_min: 120,
      bpm_max: 140,
      key: "A minor,F# major",
      key_compatible: "A minor",
      price_min: 10,
      price_max: 29.9,
      tag: "lo-fi,dark",
      sort: "bpm_asc",
      view: "list",
    } as const;
    const texts = Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));
    expect(readCatalogueSearch(texts)).toEqual(search);
  });

  test("may contain digits as search words", () => {
    expect(readCatalogueSearch({ q: 140 })).toEqual({ q: "140" });
  });

  test.each([
    { q: "  " },
    { genre: "a,0,-1" },
    { bpm_min: "1000" },
    { key: "H minor,Am" },
    { key_compatible: "unknown" },
    { price_max: "1.999" },
    { price_min: "-1" },
    { tag: ",,\0" },
    { sort: "dearest" },
    { view: "grid" },
    { beat: 1.5 },
  ])("omits an invalid or unknown parameter: %j", (search) => {
    expect(readCatalogueSearch(search)).toEqual({});
  });

  test("keeps each valid value of a list once, and the lower end of an inverted range", () => {
    expect(readCatalogueSearch({ genre: "3,x,3,7", bpm_min: "150", bpm_max: "140" })).toEqual({
      genre: "3,7",
      bpm_min: 150,
    });
  });
});

test("toggling a value adds it to a list or removes it", () => {
  expect(toggled(undefined, "3")).toBe("3");
  expect(toggled("3", "7")).toBe("3,7");
  expect(toggled("3,7", "3")).toBe("7");
  expect(toggled("7", "7")).toBeUndefined();
});

test("removing the filters keeps words, order and view", () => {
  const unchanged = { q: "night", sort: "popular", view: "list" } as const;
  expect(withoutFilters({ ...unchanged, genre: "3", bpm_min: 1, key: "A minor", price_max: 5, tag: "x" })).toEqual(
    unchanged,
  );
});

describe("the catalogue's call", () => {
  test("lists popular beats with counts for the whole catalogue", () => {
    expect(catalogueCall({ view: "list" })).toEqual({
      operationId: "listBeats",
      query: { sort: "popular", facets: "genre,bpm,key,price,tag", limit: 24 },
    });
  });

  test("is a search by relevance for words, and requests counts only for the first page", () => {
    expect(catalogueQuery({ q: "night", read: "words", genre: "3" }, 2)).toEqual({
      q: "night",
      type: "beats",
      interpret: false,
      genre: "3",
      page: 2,
      limit: 24,
    });
  });

  test("has a method in the client libraries", () => {
    expect(typedCall(catalogueCall({ genre: "3,7", bpm_min: 120, key: "A minor", tag: "dark" }))).toBeDefined();
    expect(typedCall(catalogueCall({ q: "night", price_max: 29.9, read: "words" }))).toBeDefined();
  });
});
