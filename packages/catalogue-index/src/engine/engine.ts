import type { CatalogueChange } from "../entry.ts";
import type { ListQuery, ListResult, SearchQuery, SearchResult, SimilarHit, SimilarQuery } from "../query.ts";

/** A part of the engine's state as it is saved: a name, and typed arrays of it. */
export type SavedArrays = Record<string, Uint8Array | Uint16Array | Uint32Array | Float64Array>;

/** The whole index in memory. Synchronous: a query sees all changes that were applied before it, and nothing else. */
export interface Engine {
  /** How many beats are listed. */
  readonly beats: number;
  /** The producer of a listed beat. */
  producerOf(beatId: number): number | undefined;
  /** Takes in changes. Applying one again changes nothing. */
  apply(change: CatalogueChange): void;
  /** Merges one part of what `apply` has left for later, where that is worth it. False: nothing is left. */
  compact(): boolean;
  list(query: ListQuery): ListResult;
  search(query: SearchQuery): SearchResult;
  similar(query: SimilarQuery): SimilarHit[];
  /** The state, merged; views of it, which the next change overwrites. `openEngine` makes the same engine of a copy. */
  save(): SavedArrays;
}
