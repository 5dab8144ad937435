import type { CatalogueChange } from "../entry.ts";
import type { ListQuery, ListResult, SearchQuery, SearchResult, SimilarHit, SimilarQuery } from "../query.ts";

/** The saved state of the engine: typed arrays by name. */
export type SavedArrays = Record<string, Uint8Array | Uint16Array | Uint32Array | Float64Array>;

/** The whole index in memory. Synchronous: a query sees exactly the changes that were applied before it. */
export interface Engine {
  /** Number of listed beats. */
  readonly beats: number;
  /** Returns the producer of a listed beat. */
  producerOf(beatId: number): number | undefined;
  /** Applies changes. Applying the same change again has no effect. */
  apply(change: CatalogueChange): void;
  /**
   * Merges one part of the changes that `apply` has deferred, if that is worthwhile. Returns false if no part needs it.
   */
  compact(): boolean;
  list(query: ListQuery): ListResult;
  search(query: SearchQuery): SearchResult;
  similar(query: SimilarQuery): SimilarHit[];
  /**
   * Returns the merged state as views of the engine's arrays, which the next change overwrites. `openEngine` restores
   * the engine from a copy.
   */
  save(): SavedArrays;
}
