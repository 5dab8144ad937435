import type { Thresholds } from "./beats.ts";
import { CatalogueEngine } from "./catalogue-engine.ts";
import type { Engine, SavedArrays } from "./engine.ts";
import { TextIndex } from "./search/text-index.ts";

/** An empty index, or the one that was saved, whose arrays become its own. `thresholds`: for tests. */
export const openEngine = (saved?: SavedArrays, thresholds?: Thresholds): Engine =>
  new CatalogueEngine((parts, texts) => new TextIndex(parts, texts), saved, thresholds);
