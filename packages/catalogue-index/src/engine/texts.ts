import type { BeatFilters, BeatSort, FacetName, Facets, SearchQuery, SearchResult } from "../query.ts";
import type { Bitmap } from "./columns/bitmap.ts";
import type { Columns } from "./columns/columns.ts";
import type { Ordinals } from "./columns/ordinals.ts";
import type { Postings } from "./columns/postings.ts";
import type { SavedArrays } from "./engine.ts";
import type { Members } from "./search/members.ts";

/**
 * The parts of the engine that a search needs. Its bitmaps are reused by the next query: do not keep or change them.
 */
export interface TextParts {
  columns: Columns;
  producers: Ordinals;
  genres: Ordinals;
  byProducer: Postings;
  /** Ids of the genres of a producer's listed beats, most used first, then by name. O(the producer's beats). */
  genresOf(producer: number): number[];
  byGenre: Postings;
  /** The listed beats that pass the filters; null: all. */
  matching(filters: BeatFilters): Bitmap | null;
  /** Returns the matches in order, `limit` after the first `skip`. Null: all listed beats. */
  page(matches: Members | null, sort: BeatSort, skip: number, limit: number): number[];
  /** Counts the found beats that pass the filters, without the copies that `copiesIn` finds among them. */
  facets(
    filters: BeatFilters,
    matched: Bitmap,
    copiesIn: (matches: Bitmap) => Uint32Array,
    names: readonly FacetName[],
  ): Facets;
}

/** Titles and names, and the search of them. */
export interface Texts {
  /** Adds or updates a beat whose title, tags or producer changed. The columns already have the beat. */
  setTitle(slot: number, title: string, tags: readonly string[]): void;
  removeTitle(slot: number): void;
  setProducer(ordinal: number, name: string): void;
  removeProducer(ordinal: number): void;
  setGenre(ordinal: number, name: string): void;
  removeGenre(ordinal: number): void;
  /** Merges the changes of one part if that is worthwhile; returns false if no part needed it. */
  compact(): boolean;
  save(): SavedArrays;
  search(query: SearchQuery): SearchResult;
}
