import { spawnSync } from "node:child_process";
import { openEngine } from "@beatmarket/catalogue-index/engine/open-engine.ts";
import { type CatalogueChange, noChange } from "@beatmarket/catalogue-index/entry.ts";
import { Build } from "@beatmarket/catalogue-opensearch/cluster/build.ts";
import { Cluster } from "@beatmarket/catalogue-opensearch/cluster/cluster.ts";
import { Engine } from "@beatmarket/catalogue-opensearch/engine.ts";
import { startOpenSearch } from "@beatmarket/catalogue-opensearch/testing/opensearch-node.ts";
import { indexedText } from "@beatmarket/foundation/text/search-words.ts";
import type { ReportingBench } from "../../bench.ts";
import { entriesOf } from "../../catalogue/entries.ts";
import { processCpuSeconds } from "../../processes/database-cpu.ts";
import { median } from "../../report/statistics.ts";
import { engineQueries } from "./engine-queries.ts";
import { inMemory, type MeasuredEngine, measure, ownCpuSeconds, ratioOfCpu } from "./measured-engine.ts";

const heapMb = 1_024;
const changes = 20;
const beatsPerWrite = 20_000;

/**
 * Sends the same queries to the index in memory and to a node of OpenSearch on this machine. Reports milliseconds and
 * CPU of a query, bytes, the time of a build, and the time until a search finds a change. The service and PostgreSQL do
 * not run.
 */
export async function openSearch({ beats, source, report, say }: ReportingBench): Promise<void> {
  const row = (name: string, value: number, unit: string) =>
    report({ case: `opensearch: ${name}`, value, unit, target: null });
  if (spawnSync("java", ["-version"]).error) return say("There is no Java: install openjdk-17-jdk-headless and maven.");
  say("reading the rows …");
  const rows = await entriesOf(source, beats);
  const memory = openEngine();
  const cpuBeforeBuild = await ownCpuSeconds();
  memory.apply(rows);
  while (memory.compact());
  row("in memory, a build", (((await ownCpuSeconds()) - cpuBeforeBuild) * 1e6) / beats, "µs of CPU a beat");
  const bytes = Object.values(memory.save()).reduce((sum, { byteLength }) => sum + byteLength, 0);
  row("in memory, size", bytes / beats, "bytes a beat");
  const node = await startOpenSearch({ heapMb, isMeasured: true });
  const cluster = new Cluster({ nodes: [`http://${node.host}`], prefix: "bench" });
  const nodeCpu = () => processCpuSeconds(node.process.pid as number);
  try {
    const build = new Build(cluster, "bench");
    say("writing the rows into OpenSearch …");
    const [ownCpuBefore, nodeCpuBefore, startedMs] = [await ownCpuSeconds(), await nodeCpu(), performance.now()];
    await write(build, rows, beats);
    const seconds = (performance.now() - startedMs) / 1_000;
    row("OpenSearch, a build", (((await nodeCpu()) - nodeCpuBefore) * 1e6) / beats, "µs of CPU a beat");
    row(
      "OpenSearch, a build, the server's part",
      (((await ownCpuSeconds()) - ownCpuBefore) * 1e6) / beats,
      "µs of CPU a beat",
    );
    row("OpenSearch, a build", beats / seconds, "beats/s");
    row("OpenSearch, size", (await sizeOf(cluster, build)) / beats, "bytes a beat");
    const openSearch: MeasuredEngine = {
      name: "OpenSearch",
      queries: new Engine(cluster, (kind) => build.index(kind)),
      cpuSeconds: async () => (await ownCpuSeconds()) + (await nodeCpu()),
    };
    for (const [kind, queries] of Object.entries(engineQueries(rows))) {
      const own = await measure(inMemory(memory), kind, queries, row);
      report(ratioOfCpu(`opensearch: ${kind}`, await measure(openSearch, kind, queries, row), own));
    }
    await freshness(build, new Engine(cluster, (kind) => build.index(kind)), rows, row);
  } finally {
    await cluster.close();
    await node.close();
  }
}

/** Measures the time from the change of a row to the first result that has the change. */
async function freshness(
  build: Build,
  engine: Engine,
  rows: CatalogueChange,
  row: (name: string, value: number, unit: string) => void,
): Promise<void> {
  const durationsMs: number[] = [];
  for (const [index, beat] of rows.beats.slice(0, changes).entries()) {
    const changedBeat = { ...beat, priceCents: 1_000_000 + index };
    const startedMs = performance.now();
    await build.write({ ...noChange, beats: [changedBeat] }, 10 + index, namesOf(rows));
    await build.refresh();
    const { ids } = await engine.list({ filters: {}, sort: "price_desc", offset: 0, limit: 1 });
    if (ids[0] !== beat.id) throw new Error(`The changed beat ${beat.id} was not found.`);
    durationsMs.push(performance.now() - startedMs);
  }
  row("OpenSearch, a change until it is found: p50", median(durationsMs), "ms");
}

async function write(build: Build, rows: CatalogueChange, beats: number): Promise<void> {
  await build.create(beats);
  const names = namesOf(rows);
  await build.write({ ...rows, beats: [] }, 1, names);
  for (let index = 0; index < rows.beats.length; index += beatsPerWrite)
    await build.write({ ...noChange, beats: rows.beats.slice(index, index + beatsPerWrite) }, 1, names);
  await build.refresh();
}

const namesOf = (rows: CatalogueChange) => new Map(rows.producers.map(({ id, name }) => [id, indexedText(name)]));

/** The bytes of all segments. The sizes in the statistics of the index are up to ten seconds old. */
async function sizeOf(cluster: Cluster, build: Build): Promise<number> {
  type Shard = { segments: Record<string, { size_in_bytes: number }> };
  const path = `/${build.index("beats")}/_segments`;
  const response = await cluster.request<{ indices: Record<string, { shards: Record<string, Shard[]> }> }>("GET", path);
  return Object.values(response.indices)
    .flatMap(({ shards }) => Object.values(shards).flat())
    .flatMap(({ segments }) => Object.values(segments))
    .reduce((sum, { size_in_bytes }) => sum + size_in_bytes, 0);
}
