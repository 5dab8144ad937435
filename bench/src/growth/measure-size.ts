import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { startMs } from "../cases/process/start.ts";
import { filterValues } from "../cases/search/filters.ts";
import { searchTermsOf } from "../cases/search/search.ts";
import { writeImport } from "../catalogue/kept-catalogue.ts";
import { burst } from "../load/burst.ts";
import { loadOf } from "../load/compare-with-bare.ts";
import { shuffled } from "../load/shuffle.ts";
import { filterPaths } from "../paths/filter-paths.ts";
import { holdDatabase, makeDatabase } from "../processes/database.ts";
import { freePort } from "../processes/free-port.ts";
import { beatmarket, internalKey, serve } from "../processes/programs.ts";
import { peakMemory } from "../processes/resident-memory.ts";
import { median } from "../report/statistics.ts";

/** More than a server can answer in a second, so that nothing is requested twice in a burst. */
const pathsPerSecond = 6_000;

/** The measurements of a catalogue of one size. */
export interface SizeFigures {
  beats: number;
  /** Rows a second, from the start of the command to its end. */
  importRate: number;
  /** From the start of the process, database included, to the first response with beats, without a snapshot. */
  firstStartSeconds: number;
  /** The same with a snapshot of the index. */
  startSeconds: number;
  /** Requests a second at 64 connections. */
  byIdRate: number;
  filterRate: number;
  searchRate: number;
  /** The peak memory of the server's process under these requests. */
  peakMegabytes: number;
}

export type GrowthBench = Pick<Bench, "source" | "rounds" | "seconds" | "say" | "progress">;

/** Imports `beats` into a new data folder and measures a server on it. Takes about 100 s for each million beats. */
export async function measureSize(bench: GrowthBench, beats: number): Promise<SizeFigures> {
  const { rounds, seconds, say } = bench;
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-bench-growth-"));
  try {
    // If the bench runs as root, PostgreSQL runs under another account, which needs access.
    await chmod(dataDir, 0o711);
    const port = await freePort();
    const origin = `https://localhost:${port}`;
    const env = { DATA_DIR: dataDir, PORT: String(port), DEMO: "off", LOG_LEVEL: "fatal" };
    await makeDatabase(env);
    const files = await writeImport({ ...bench, folder: dataDir }, beats);
    say(`${beats.toLocaleString("en")} beats: importing …`);
    const importStartedMs = performance.now();
    await beatmarket(["import", files.catalogue, "--map", files.mapping, "--json"], env);
    const importRate = beats / ((performance.now() - importStartedMs) / 1_000);
    await rm(files.catalogue);
    const key = await internalKey(env);

    say(`${beats.toLocaleString("en")} beats: starting …`);
    const starting = { env, origin, key };
    const firstStartSeconds = (await startMs(starting)) / 1_000;
    const starts: number[] = [];
    for (let round = 0; round < rounds; round++) starts.push((await startMs(starting)) / 1_000);

    const database = await holdDatabase(dataDir);
    const server = await serve(env);
    const service = { origin, key, caFile: join(dataDir, "tls/ca.pem"), databaseUrl: database.url, beats };
    try {
      const requestCount = rounds * seconds * pathsPerSecond;
      const terms = await searchTermsOf(service, requestCount);
      const filters = filterPaths(await filterValues(service), Math.min(requestCount, 40_000));
      const paths = {
        byIdRate: shuffled(beats).map((id) => `/v1/beats/${id}`),
        filterRate: filters,
        searchRate: terms["two words"].map((term) => `/v1/search?q=${encodeURIComponent(term)}`),
      };
      const rates = { byIdRate: [] as number[], filterRate: [] as number[], searchRate: [] as number[] };
      const peakMegabytes = await peakMemory(server.processId, async () => {
        await burst(loadOf({ seconds: 3 }, service, paths.byIdRate.slice(0, 5_000)));
        for (let round = 0; round < rounds; round++)
          for (const name of ["byIdRate", "filterRate", "searchRate"] as const) {
            const pathsPerRound = Math.floor(paths[name].length / rounds);
            const load = loadOf(
              { seconds },
              service,
              paths[name].slice(round * pathsPerRound, (round + 1) * pathsPerRound),
            );
            rates[name].push((await burst(load)).requestsPerSecond);
          }
      });
      return {
        beats,
        importRate,
        firstStartSeconds,
        startSeconds: median(starts),
        byIdRate: median(rates.byIdRate),
        filterRate: median(rates.filterRate),
        searchRate: median(rates.searchRate),
        peakMegabytes,
      };
    } finally {
      await server.stop();
      await database.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
