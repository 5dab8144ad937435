import { openEngine } from "@beatmarket/catalogue-index/engine/open-engine.ts";
import type { ReportingBench } from "../../bench.ts";
import { entriesOf } from "../../catalogue/entries.ts";
import { searchTerms } from "../../paths/search-terms.ts";
import { engineQueries } from "./engine-queries.ts";
import { type EngineQuery, inMemory, measure, ownCpuSeconds } from "./measured-engine.ts";

const termsPerKind = 630;
const sampledTitles = 60_000;

/** Measures only the index (no server, no PostgreSQL, no threads): its build, filters and searches. */
export async function engine({ beats, source, report, say }: ReportingBench): Promise<void> {
  const row = (name: string, value: number, unit: string) =>
    report({ case: `engine: ${name}`, value, unit, target: null });
  say("reading the rows …");
  const rows = await entriesOf(source, beats);
  const index = openEngine();
  const before = await ownCpuSeconds();
  index.apply(rows);
  while (index.compact()) {
    // Repeat until nothing is left to compact.
  }
  row("a build", (((await ownCpuSeconds()) - before) * 1e6) / beats, "µs of CPU a beat");
  const step = Math.max(1, Math.floor(beats / sampledTitles));
  const titles = rows.beats.filter((_, position) => position % step === 0).map(({ title }) => title);
  const searches = Object.entries(searchTerms(titles, termsPerKind)).map(
    ([kind, terms]) => [`search, ${kind}`, terms.map(searchOf)] as const,
  );
  for (const [kind, queries] of [...Object.entries(engineQueries(rows)), ...searches])
    await measure(inMemory(index), kind, queries, row);
}

/** Every second search is for beats only, as in `searchRate`. */
const searchOf =
  (text: string, index: number): EngineQuery =>
  (queries) =>
    queries.search({
      text,
      kinds: index % 2 === 0 ? ["beats", "producers"] : ["beats"],
      interpret: true,
      filters: {},
      offset: 0,
      limit: 20,
    });
