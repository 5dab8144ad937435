import type { Engine } from "@beatmarket/catalogue-index/engine/engine.ts";
import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import { median } from "../../report/statistics.ts";

/** An engine that answers queries, and the CPU time that all its processes have used. */
export interface MeasuredEngine {
  name: string;
  queries: CatalogueQueries;
  cpuSeconds(): Promise<number>;
}

export type EngineQuery = (queries: CatalogueQueries) => Promise<unknown>;

const warmUps = 30;

/** The CPU time of this process. */
export async function ownCpuSeconds(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

export const inMemory = (engine: Engine): MeasuredEngine => ({
  name: "in memory",
  queries: {
    list: async (query) => engine.list(query),
    search: async (query) => engine.search(query),
    similar: async (query) => engine.similar(query),
  },
  cpuSeconds: ownCpuSeconds,
});

/** Sends the queries one after another, and reports the median and the CPU time of the queries after the warm-up. */
export async function measure(
  { name, queries, cpuSeconds }: MeasuredEngine,
  kind: string,
  questions: readonly EngineQuery[],
  row: (name: string, value: number, unit: string) => void,
): Promise<void> {
  for (const ask of questions.slice(0, warmUps)) await ask(queries);
  const measuredQueries = questions.slice(warmUps);
  const durationsMs: number[] = [];
  const before = await cpuSeconds();
  for (const ask of measuredQueries) {
    const startedMs = performance.now();
    await ask(queries);
    durationsMs.push(performance.now() - startedMs);
  }
  row(`${name}, ${kind}: p50`, median(durationsMs), "ms");
  row(`${name}, ${kind}`, (((await cpuSeconds()) - before) * 1_000) / measuredQueries.length, "ms of CPU");
}
