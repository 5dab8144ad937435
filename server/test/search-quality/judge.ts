import { openEngine } from "@beatmarket/catalogue-index/engine/open-engine.ts";
import type { CatalogueChange } from "@beatmarket/catalogue-index/entry.ts";
import type { SearchQuery, SearchResult } from "@beatmarket/catalogue-index/query.ts";
import type { FileCatalogue } from "./catalogue-file.ts";
import { type Miss, missesOf, readExpectations } from "./judging.ts";

/** Loads rows into an engine, and returns its search. */
export type LoadEngine = (
  rows: CatalogueChange,
) => Promise<(query: SearchQuery) => SearchResult | Promise<SearchResult>>;

/** The index in memory. */
export const inMemory: LoadEngine = async (rows) => {
  const engine = openEngine();
  engine.apply(rows);
  while (engine.compact());
  return (query) => engine.search(query);
};

/** Loads a catalogue into an engine and runs the queries of a list. */
export async function judge(
  catalogue: FileCatalogue,
  queries: string,
  load: LoadEngine = inMemory,
): Promise<{ queryCount: number; misses: Miss[] }> {
  const search = await load(catalogue.change);
  const expectations = readExpectations(queries);
  return { queryCount: expectations.length, misses: await missesOf(search, catalogue, expectations) };
}
