import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { writeImport } from "../catalogue/kept-catalogue.ts";
import { beatmarket } from "../programs.ts";
import { median, percentile } from "../report.ts";
import { shuffled } from "../shuffle.ts";
import { steadyReads } from "../steady.ts";

const rowsASecond = { min: 30_000 };
const importedBeside = 200_000;
/** Rounds of the generator that the catalogue does not reach. */
const otherRound = 1_000;
const readsASecond = 50;
const words = ["love", "night", "summer rain", "midn", "remix", "dream", "baby blue", "heart"];

/** Loads the real rows into an empty database of their own, start-up included. */
export async function importSpeed(bench: Bench): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-bench-import-"));
  try {
    // As root: PostgreSQL's account has to pass, else the database is put where it would stay.
    await chmod(dataDir, 0o711);
    const env = { DATA_DIR: dataDir };
    await beatmarket(["migrate"], env);
    const rejects = join(dataDir, "rejects.jsonl");
    const { rows, seconds } = await importing(bench.realFile, "tracks_231k", env, rejects);
    bench.report({ case: "import into nothing: rows", value: rows, unit: "rows", reach: null });
    bench.report({ case: "import into nothing: speed", value: rows / seconds, unit: "rows/s", reach: rowsASecond });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Adds rows to the full catalogue while the API is read: one in ten reads searches, one is for similar beats. */
export async function importBeside(bench: Bench): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-bench-import-"));
  try {
    const files = await writeImport({ ...bench, folder }, importedBeside, otherRound);
    const ids = shuffled(bench.beats);
    const path = (n: number): string => {
      const id = ids[n % ids.length];
      if (n % 10 === 0) return `/v1/search?q=${encodeURIComponent(words[(n / 10) % words.length] ?? "")}`;
      if (n % 10 === 5) return `/v1/beats/${id}/similar`;
      return n % 2 === 0 ? `/v1/beats/${id}` : `/v1/beats?page=${1 + (n % 20)}`;
    };
    const stopping = new AbortController();
    const reads = steadyReads(bench, { perSecond: readsASecond, path, stop: stopping.signal });
    const { rows, seconds } = await importing(files.catalogue, files.mapping, bench.env, join(folder, "rejects.jsonl"));
    stopping.abort();
    const durationsMs = await reads;
    bench.report({ case: "import beside reads: rows", value: rows, unit: "rows", reach: null });
    bench.report({ case: "import beside reads: speed", value: rows / seconds, unit: "rows/s", reach: rowsASecond });
    bench.report({ case: "import: API p50 meanwhile", value: median(durationsMs), unit: "ms", reach: null });
    bench.report({
      case: "import: API p99 meanwhile",
      value: percentile(durationsMs, 0.99),
      unit: "ms",
      reach: { max: 50 },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importing(file: string, mapping: string, env: Record<string, string>, rejects: string) {
  const startedMs = performance.now();
  const text = await beatmarket(["import", file, "--map", mapping, "--rejects", rejects, "--json"], env);
  const seconds = (performance.now() - startedMs) / 1000;
  const { created, updated, unchanged, rejected } = JSON.parse(text) as Record<string, number>;
  const rows = (created ?? 0) + (updated ?? 0) + (unchanged ?? 0) + (rejected ?? 0);
  return { rows, seconds };
}
