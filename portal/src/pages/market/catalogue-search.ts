import type { Call, Scalar } from "../../../../contract/snippets/call.ts";
import { id, integer, oneOf, searchParams, text } from "../../api/search-params.ts";

// The search parameters of the catalogue, named as the API's. The first load includes this file, so it imports no page.

export const catalogueSorts = ["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"] as const;

export interface CatalogueSearch {
  /** The search text: words, tempos, keys and prices. */
  q?: string;
  /** With `words`, tempos, keys and prices in `q` are treated as ordinary words. */
  read?: "words";
  /** Ids of genres, any of which may match: `3,7`. */
  genre?: string;
  bpm_min?: number;
  bpm_max?: number;
  /** Keys, any of which may match: `A minor,C major`. */
  key?: string;
  /** A key with which the beats' keys mix well. */
  key_compatible?: string;
  price_min?: number;
  price_max?: number;
  /** Tags, any of which may match. */
  tag?: string;
  sort?: (typeof catalogueSorts)[number];
  /** Without this parameter, beats are shown as covers. */
  view?: "list";
}

const maxValues = 20;
const keyPattern = /^([A-G][#b]? (major|minor)|unknown)$/;
const price = (value: string): number | undefined => (/^\d{1,6}(\.\d{1,2})?$/.test(value) ? Number(value) : undefined);

/** The first 20 valid values of a list separated by commas, without duplicates; undefined if there are none. */
const listOf =
  (fits: (value: string) => boolean) =>
  (value: string): string | undefined => {
    const values = [...new Set(value.split(",").map((part) => part.trim()))].filter(fits).slice(0, maxValues);
    return values.length === 0 ? undefined : values.join(",");
  };

const readEach = searchParams<CatalogueSearch>({
  q: text(200),
  read: oneOf(["words"]),
  genre: listOf((value) => id(value) !== undefined),
  bpm_min: integer(1, 999),
  bpm_max: integer(1, 999),
  key: listOf((value) => keyPattern.test(value)),
  key_compatible: (value) => (keyPattern.test(value) && value !== "unknown" ? value : undefined),
  price_min: price,
  price_max: price,
  tag: listOf((value) => value !== "" && value.length <= 60 && !value.includes("\0") && value.isWellFormed()),
  sort: oneOf(catalogueSorts),
  view: oneOf(["list"]),
});

/** Reads the search parameters of the address. If a range is inverted, its upper end is left out. */
export function readCatalogueSearch(address: Record<string, unknown>): CatalogueSearch {
  const search = readEach(address);
  const isInverted = (low?: number, high?: number) => low !== undefined && high !== undefined && low > high;
  return {
    ...search,
    ...(isInverted(search.bpm_min, search.bpm_max) && { bpm_max: undefined }),
    ...(isInverted(search.price_min, search.price_max) && { price_max: undefined }),
  } as CatalogueSearch;
}

export const valuesOf = (list: string | undefined): string[] => (list === undefined ? [] : list.split(","));

/** Toggles a value in the list; undefined for an empty list. */
export function toggled(list: string | undefined, value: string): string | undefined {
  const values = valuesOf(list);
  const otherValues = values.filter((each) => each !== value);
  const next = otherValues.length === values.length ? [...values, value] : otherValues;
  return next.length === 0 ? undefined : next.join(",");
}

const filters = [
  "genre",
  "bpm_min",
  "bpm_max",
  "key",
  "key_compatible",
  "price_min",
  "price_max",
  "tag",
] as const satisfies (keyof CatalogueSearch)[];

/** Removes all filters from a search. */
export const withoutFilters = (search: CatalogueSearch): CatalogueSearch =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !(filters as readonly string[]).includes(name)));

export const pageSize = 24;
/** The last page that can be read without an account. */
export const lastPage = 40;
const facetNames = ["genre", "bpm", "key", "price", "tag"] as const;

/**
 * The parameters of a page of the catalogue, in the API's names. Only the first page asks for facets, which count the
 * beats of all pages.
 */
export function catalogueQuery(search: CatalogueSearch, page: number): Record<string, Scalar> {
  const { q, sort } = search;
  const setFilters = filters.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]] as const]));
  return {
    ...(q !== undefined && { q, type: "beats" }),
    ...(q !== undefined && search.read === "words" && { interpret: false }),
    ...Object.fromEntries(setFilters),
    ...(sort !== undefined ? { sort } : q === undefined && { sort: "popular" }),
    ...(page === 1 ? { facets: facetNames.join(",") } : { page }),
    limit: pageSize,
  };
}

/** The API call of the first page of the catalogue. */
export const catalogueCall = (search: CatalogueSearch): Call => ({
  operationId: search.q === undefined ? "listBeats" : "search",
  query: catalogueQuery(search, 1),
});
