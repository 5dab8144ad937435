import type { Similarity, Traits } from "./engine/similar/similarity.ts";

// Queries and results of the index. Plain data, since it is copied between threads.

/** Both ends are inclusive; an absent end is open. */
export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

/** Selects the listed beats that pass every filter. Several values in one filter: any of them. Absent: no filter. */
export interface BeatFilters {
  genres?: readonly number[] | undefined;
  producers?: readonly number[] | undefined;
  /** Key codes. */
  keys?: readonly number[] | undefined;
  /** Compared without regard to case, accents, spaces and punctuation. */
  tags?: readonly string[] | undefined;
  /** Whole beats per minute, as they are shown; any of the ranges. */
  bpm?: readonly Range[] | undefined;
  priceCents?: Range | undefined;
  durationSeconds?: Range | undefined;
  createdAtMicroseconds?: Range | undefined;
  /** Only beats of which one of these licenses can be bought: bits as in `BeatEntry.availableLicenses`. */
  availableLicenses?: number | undefined;
}

export type BeatSort = "newest" | "popular" | "price_asc" | "price_desc" | "bpm_asc" | "bpm_desc";

export const facetNames = ["genre", "key", "bpm", "price", "tag"] as const;
export type FacetName = (typeof facetNames)[number];

/** Start of a page: after (forward) or before (backward) the beat with this sort key and id. */
export interface Seek {
  direction: "forward" | "backward";
  key: number;
  id: number;
}

export interface ListQuery {
  filters: BeatFilters;
  sort: BeatSort;
  /** Beats to skip; ignored with `seek`. */
  offset: number;
  limit: number;
  seek?: Seek | undefined;
  facets?: readonly FacetName[] | undefined;
}

/** Number of beats with a value. For bpm and price, `value` is the lowest of a range that ends in `max`. */
export interface FacetCount {
  value: number | string;
  max?: number;
  count: number;
}

/**
 * Exact counts under all filters but the facet's own, highest first; bpm and price in ascending order. genre: ids. key:
 * key codes. bpm: tens. price: at most ten ranges of cents. tag: the 100 most frequent, as first written.
 */
export type Facets = Partial<Record<FacetName, FacetCount[]>>;

export interface ListResult {
  /** In the order of the sort; reversed with a backward seek. One more than `limit` if there are more. */
  ids: number[];
  /** The sort key of each, for a `Seek`. */
  keys: number[];
  total: number;
  facets?: Facets;
}

export interface SearchQuery {
  /** The text as typed. */
  text: string;
  kinds: readonly ("beats" | "producers")[];
  /** Whether tempos, keys and prices in the text become filters. */
  interpret: boolean;
  /** Filters of the beats. */
  filters: BeatFilters;
  sort?: BeatSort | undefined;
  /** For each kind. */
  offset: number;
  limit: number;
  facets?: readonly FacetName[] | undefined;
}

/** How the text was interpreted. */
export interface Interpretation {
  /** The words that were searched for. */
  text: string;
  bpm?: Range;
  /** Key codes. */
  keys?: number[];
  priceCents?: Range;
  /** Maps the typed tempo to the range that was searched for, since nothing has the tempo together with the rest. */
  widened?: Record<string, string>;
  /** Maps each corrected word as typed to the word that was searched for. */
  corrected?: Record<string, string>;
  /** Typed words that were left out, since nothing matches them together with the others. */
  ignored?: string[];
}

export interface SearchHit {
  kind: "beat" | "producer";
  id: number;
  /** Only of a producer: the genres of the listed beats, most used first, then by name. */
  genres?: number[];
}

export interface SearchResult {
  /** Best first, at most `limit` of each kind. */
  hits: SearchHit[];
  /** Exact. */
  totals: { beats: number; producers: number };
  interpretation?: Interpretation;
  facets?: Facets;
}

/** `own` may belong to a beat that is not listed. */
export interface SimilarQuery {
  own: Traits & { title: string };
  limit: number;
}

export interface SimilarHit {
  id: number;
  similarity: Similarity;
}

/** Answers queries, on whichever thread. */
export interface CatalogueQueries {
  list(query: ListQuery): Promise<ListResult>;
  search(query: SearchQuery): Promise<SearchResult>;
  similar(query: SimilarQuery): Promise<SimilarHit[]>;
}
