import type { Engine } from "@beatmarket/catalogue-index/engine/engine.ts";
import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import type { Row } from "../../report/report.ts";
import { median } from "../../report/statistics.ts";

/** An engine that answers queries, and the CPU time that all its processes have used. */
export interface MeasuredEngine {
  name: string;
  queries: CatalogueQueries;
  cpuSeconds(): Promise<number>;
}

export type EngineQuery = (queries: CatalogueQueries) => Promise<unknown>;

/** Enough for the compilers of both engines. */
const warmUps = 400;
/** How many questions of the index in memory cost as much CPU as one of another engine. */
const targetRatio = 3;

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

/**
 * Sends the queries one after another, and reports the median and the CPU time of the queries after the warm-up. Returns the
 * milliseconds of CPU of a query.
 */
export async function measure(
  { name, queries, cpuSeconds }: MeasuredEngine,
  kind: string,
  questions: readonly EngineQuery[],
  row: (name: string, value: number, unit: string) => void,
): Promise<number> {
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
  const cpuMs = (((await cpuSeconds()) - before) * 1_000) / measuredQueries.length;
  row(`${name}, ${kind}`, cpuMs, "ms of CPU");
  return cpuMs;
}

/** The CPU of a query of another engine, in queries of the index in memory. */
export const ratioOfCpu = (name: string, otherMs: number, ownMs: number): Row => ({
  case: `${name}: CPU of the peer`,
  value: otherMs / ownMs,
  unit: "times ours",
  target: { min: targetRatio },
});
