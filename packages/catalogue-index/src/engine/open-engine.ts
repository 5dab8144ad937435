import type { Thresholds } from "./beats.ts";
import { CatalogueEngine } from "./catalogue-engine.ts";
import type { Engine, SavedArrays } from "./engine.ts";
import { TextIndex } from "./search/text-index.ts";

/** Opens an empty index, or a saved one, whose arrays it takes over. `thresholds`: for tests. */
export const openEngine = (saved?: SavedArrays, thresholds?: Thresholds): Engine =>
  new CatalogueEngine((parts, texts) => new TextIndex(parts, texts), saved, thresholds);
