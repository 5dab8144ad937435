import type { Engine } from "@beatmarket/catalogue-index/engine/engine.ts";
import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import type { Row } from "../../report/report.ts";
import { median } from "../../report/statistics.ts";

/** An engine that runs queries, and the CPU time that all its processes have used. */
export interface MeasuredEngine {
  name: string;
  queries: CatalogueQueries;
  cpuSeconds(): Promise<number>;
}

export type EngineQuery = (queries: CatalogueQueries) => Promise<unknown>;

/** The number of queries before the measurement, enough for the JIT compilers of both engines. */
const warmUps = 400;
/**
 * The longest warm-up, and the longest measurement of a kind: with ten million beats a query can take seconds of CPU.
 */
const maxMs = 60_000;
/** The number of queries that are measured even if they take longer. */
const minQueries = 20;
/** The target: the other engine needs at least this many times the CPU time per query of the in-memory index. */
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
 * Sends the queries one after another, all or as many as the time allows. Reports the median and the CPU time of the
 * queries after the warm-up. Returns the milliseconds of CPU of a query.
 */
export async function measure(
  { name, queries: catalogue, cpuSeconds }: MeasuredEngine,
  kind: string,
  queries: readonly EngineQuery[],
  row: (name: string, value: number, unit: string) => void,
): Promise<number> {
  const warmUpEnd = performance.now() + maxMs;
  for (const query of queries.slice(0, warmUps)) {
    if (performance.now() > warmUpEnd) break;
    await query(catalogue);
  }
  const durationsMs: number[] = [];
  const before = await cpuSeconds();
  const end = performance.now() + maxMs;
  for (const query of queries.slice(warmUps)) {
    if (durationsMs.length >= minQueries && performance.now() > end) break;
    const startedMs = performance.now();
    await query(catalogue);
    durationsMs.push(performance.now() - startedMs);
  }
  row(`${name}, ${kind}: p50`, median(durationsMs), "ms");
  const cpuMs = (((await cpuSeconds()) - before) * 1_000) / durationsMs.length;
  row(`${name}, ${kind}`, cpuMs, "ms of CPU");
  return cpuMs;
}

/** Compares the CPU time per query of another engine with that of the in-memory index. */
export const ratioOfCpu = (name: string, otherMs: number, inMemoryMs: number): Row => ({
  case: `${name}: CPU of the other engine`,
  value: otherMs / inMemoryMs,
  unit: "× the CPU time of the in-memory index",
  target: { min: targetRatio },
});
