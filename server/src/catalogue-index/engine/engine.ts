import type { CatalogueChange } from "../entry.ts";
import type { ListAnswer, ListQuery, SearchAnswer, SearchQuery, SimilarHit, SimilarQuery } from "../query.ts";

import type { Thresholds } from "./beats.ts";
import { CatalogueEngine } from "./catalogue-engine.ts";
import type { Texts } from "./texts.ts";

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
  /** Merges what `apply` has left for later, where that is worth it. */
  compact(): void;
  list(query: ListQuery): ListAnswer;
  search(query: SearchQuery): SearchAnswer;
  similar(query: SimilarQuery): SimilarHit[];
  /** The state, after a `compact`. `openEngine` makes the same engine of it. */
  save(): SavedArrays;
}

/** An empty index, or the one that was saved, whose arrays become its own. `thresholds`: for tests. */
export const openEngine = (saved?: SavedArrays, thresholds?: Thresholds): Engine =>
  new CatalogueEngine(() => new NoTexts(), saved, thresholds);

/** Stands for the text index. */
class NoTexts implements Texts {
  setTitle(): void {}
  removeTitle(): void {}
  setProducer(): void {}
  removeProducer(): void {}
  setGenre(): void {}
  removeGenre(): void {}
  compact(): void {}

  save(): SavedArrays {
    return {};
  }

  search(): never {
    throw new Error("This index has no texts to search.");
  }
}
