import type { Similarity, Traits } from "./engine/similar/similarity.ts";

// What the index can be asked, and what it answers. Plain data, since it goes from one thread to another.

/** Both ends belong to it; an end that is absent is open. */
export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

/** Which listed beats are meant: those that pass every filter. Of several values in one, any. Absent: no filter. */
export interface BeatFilters {
  genres?: readonly number[] | undefined;
  producers?: readonly number[] | undefined;
  /** Key codes. */
  keys?: readonly number[] | undefined;
  /** Compared without regard to case and accents. */
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

/** Where a page starts: behind (forward) or before (backward) the beat with this sort key and id. */
export interface Seek {
  direction: "forward" | "backward";
  key: number;
  id: number;
}

export interface ListQuery {
  filters: BeatFilters;
  sort: BeatSort;
  /** Beats to skip; without effect next to `seek`. */
  offset: number;
  limit: number;
  seek?: Seek | undefined;
  facets?: readonly FacetName[] | undefined;
}

/** Beats with a value. Of bpm and price, `value` is the lowest of a range that ends in `max`. */
export interface FacetCount {
  value: number | string;
  max?: number;
  count: number;
}

/**
 * Exact counts under all filters but the facet's own, highest first; bpm and price in ascending order. genre: ids. key: key
 * codes. bpm: tens. price: at most ten ranges of cents. tag: the 100 most frequent, as first written.
 */
export type Facets = Partial<Record<FacetName, FacetCount[]>>;

export interface ListResult {
  /** In the order of the sort; with a backward seek in reverse. One more than `limit` if there are more. */
  ids: number[];
  /** The sort key of each, for a `Seek`. */
  keys: number[];
  total: number;
  facets?: Facets;
}

export interface SearchQuery {
  /** What was typed. */
  text: string;
  kinds: readonly ("beats" | "producers")[];
  /** Whether tempos and keys in the text become filters. */
  interpret: boolean;
  /** Of beats. */
  filters: BeatFilters;
  sort?: BeatSort | undefined;
  /** Of each kind. */
  offset: number;
  limit: number;
  facets?: readonly FacetName[] | undefined;
}

/** What was understood of a text. */
export interface Interpretation {
  /** The words that were searched for. */
  text: string;
  bpm?: Range;
  /** Key codes. */
  keys?: number[];
  priceCents?: Range;
  /** Typed words by those that were searched for instead. */
  corrected?: Record<string, string>;
  /** What was typed and left out, since nothing has it together with the rest. */
  ignored?: string[];
}

export interface SearchHit {
  kind: "beat" | "producer";
  id: number;
  /** Of a producer: the genres of the listed beats, most used first, then by name. */
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

/** `own` may be of a beat that is not listed. */
export interface SimilarQuery {
  own: Traits & { title: string };
  limit: number;
}

export interface SimilarHit {
  id: number;
  similarity: Similarity;
}

/** What answers, on whichever thread. */
export interface CatalogueQueries {
  list(query: ListQuery): Promise<ListResult>;
  search(query: SearchQuery): Promise<SearchResult>;
  similar(query: SimilarQuery): Promise<SimilarHit[]>;
}
