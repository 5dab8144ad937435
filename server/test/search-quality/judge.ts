import { openEngine } from "@beatmarket/catalogue-index/engine/open-engine.ts";
import type { FileCatalogue } from "./catalogue-file.ts";
import { type Miss, missesOf, readExpectations } from "./judging.ts";

/** Loads a catalogue into the engine and runs the queries of a list. */
export function judge(catalogue: FileCatalogue, queries: string): { asked: number; misses: Miss[] } {
  const engine = openEngine();
  engine.apply(catalogue.change);
  while (engine.compact());
  const expectations = readExpectations(queries);
  return { asked: expectations.length, misses: missesOf((query) => engine.search(query), catalogue, expectations) };
}
