import type { BeatFilters, BeatSort, FacetName, Facets, SearchQuery, SearchResult } from "../query.ts";
import type { Bitmap } from "./columns/bitmap.ts";
import type { Columns } from "./columns/columns.ts";
import type { Ordinals } from "./columns/ordinals.ts";
import type { Postings } from "./columns/postings.ts";
import type { SavedArrays } from "./engine.ts";
import type { Members } from "./search/members.ts";

/** What a search needs of the engine. Its bitmaps are those of the query: no one keeps or changes them. */
export interface TextParts {
  columns: Columns;
  producers: Ordinals;
  genres: Ordinals;
  byProducer: Postings;
  /** Ids of the genres of a producer's listed beats, most used first, then by name. O(its beats). */
  genresOf(producer: number): number[];
  byGenre: Postings;
  /** The listed beats that pass the filters; null: all. */
  matching(filters: BeatFilters): Bitmap | null;
  /** Of the matches in order, `limit` without the first `skip`. Null: of all listed beats. */
  page(matches: Members | null, sort: BeatSort, skip: number, limit: number): number[];
  /** Of the found beats that pass the filters, without those that `copiesIn` finds among these. */
  facets(
    filters: BeatFilters,
    found: Bitmap,
    copiesIn: (found: Bitmap) => Uint32Array,
    names: readonly FacetName[],
  ): Facets;
}

/** Titles and names, and the search of them. */
export interface Texts {
  /** New, or changed, or of another producer; the columns have the beat already. */
  setTitle(slot: number, title: string, tags: readonly string[]): void;
  removeTitle(slot: number): void;
  setProducer(ordinal: number, name: string): void;
  removeProducer(ordinal: number): void;
  setGenre(ordinal: number, name: string): void;
  removeGenre(ordinal: number): void;
  /** Merges one part of what changed, where that is worth it; false: there is none. */
  compact(): boolean;
  save(): SavedArrays;
  search(query: SearchQuery): SearchResult;
}
