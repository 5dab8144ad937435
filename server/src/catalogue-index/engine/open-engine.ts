import type { Thresholds } from "./beats.ts";
import { CatalogueEngine } from "./catalogue-engine.ts";
import type { Engine, SavedArrays } from "./engine.ts";
import type { Texts } from "./texts.ts";

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
