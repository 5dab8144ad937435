import { openEngine } from "@beatmarket/catalogue-index/engine/open-engine.ts";
import { readCatalogue } from "./catalogue-file.ts";
import { type Miss, missesOf, readExpectations } from "./judging.ts";

/** Reads a catalogue into the engine and asks it the queries of a list. */
export async function judge(
  catalogueFile: string,
  mapping: string,
  queries: string,
): Promise<{ asked: number; misses: Miss[] }> {
  const catalogue = await readCatalogue(catalogueFile, mapping);
  const engine = openEngine();
  engine.apply(catalogue.change);
  while (engine.compact());
  const expectations = readExpectations(queries);
  return { asked: expectations.length, misses: missesOf((query) => engine.search(query), catalogue, expectations) };
}
