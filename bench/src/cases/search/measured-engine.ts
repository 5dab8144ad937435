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

/** The queries before the measurement, enough for the compilers of both engines. */
const warmUps = 400;
/** The longest warm-up, and the longest measurement of a kind: with ten million beats a query can take seconds of CPU. */
const maxMs = 60_000;
/** The number of queries that are measured even if they take longer. */
const minQueries = 20;
/** The target: a query of another engine costs as much CPU as this number of queries of the index in memory. */
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
 * Sends the queries one after another, all or as many as the time allows. Reports the median and the CPU time of the queries
 * after the warm-up. Returns the milliseconds of CPU of a query.
 */
export async function measure(
  { name, queries, cpuSeconds }: MeasuredEngine,
  kind: string,
  questions: readonly EngineQuery[],
  row: (name: string, value: number, unit: string) => void,
): Promise<number> {
  const warmUpEnd = performance.now() + maxMs;
  for (const ask of questions.slice(0, warmUps)) {
    if (performance.now() > warmUpEnd) break;
    await ask(queries);
  }
  const durationsMs: number[] = [];
  const before = await cpuSeconds();
  const end = performance.now() + maxMs;
  for (const ask of questions.slice(warmUps)) {
    if (durationsMs.length >= minQueries && performance.now() > end) break;
    const startedMs = performance.now();
    await ask(queries);
    durationsMs.push(performance.now() - startedMs);
  }
  row(`${name}, ${kind}: p50`, median(durationsMs), "ms");
  const cpuMs = (((await cpuSeconds()) - before) * 1_000) / durationsMs.length;
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
