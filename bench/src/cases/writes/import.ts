import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../../bench.ts";
import { writeImport } from "../../catalogue/kept-catalogue.ts";
import { constantRateReads } from "../../load/constant-rate.ts";
import { shuffled } from "../../load/shuffle.ts";
import { holdDatabase, makeDatabase, withDatabase } from "../../processes/database.ts";
import { beatmarket } from "../../processes/programs.ts";
import { median, percentile } from "../../report/statistics.ts";
import { copyImportedRows, emptyTables, insertImportedRows, tablesWithRows } from "./imported-rows.ts";

const rowsIntoEmpty = 200_000;
const rowsBesideReads = 100_000;
/** Editions of the source whose rows are not in the catalogue. */
const otherEditions = { intoEmpty: 1, alone: 2, besideReads: 1 };
const readsPerSecond = 50;
const readsAloneSeconds = 30;
const words = ["love", "night", "summer rain", "midn", "remix", "dream", "baby blue", "heart"];
/**
 * The minimum rate of an import into an empty database, as a share of the rate of INSERT … SELECT; and beside reads, as
 * a share of its rate without reads.
 */
const targets = { intoEmpty: 0.8, besideReads: 0.25 };

/**
 * Imports rows into a separate, empty database, and includes the start of the process in the time. Then empties the
 * tables and inserts the same rows with INSERT … SELECT: with the same indexes and triggers, but without parsing and
 * look-ups.
 */
export async function importSpeed(bench: Bench): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-bench-import-"));
  // If the bench runs as root, PostgreSQL's account needs access. Without access, the database would be created in
  // another folder and remain there.
  await chmod(dataDir, 0o711);
  const env = { DATA_DIR: dataDir };
  await makeDatabase(env);
  const database = await holdDatabase(dataDir);
  try {
    const rowCount = Math.min(bench.beats, rowsIntoEmpty);
    const files = await writeImport({ ...bench, folder: dataDir }, rowCount, otherEditions.intoEmpty);
    const rates: number[] = [];
    const ratios: number[] = [];
    await withDatabase(database.url, async (client) => {
      const seeded = await tablesWithRows(client);
      for (let round = 0; round < bench.rounds; round++) {
        await client.query("checkpoint");
        const { rows, seconds } = await runImport(files, env, join(dataDir, "rejects.jsonl"));
        await copyImportedRows(client);
        await emptyTables(client, seeded);
        const insertSeconds = await insertImportedRows(client);
        await emptyTables(client, seeded);
        rates.push(rows / seconds);
        ratios.push(insertSeconds / seconds);
      }
    });
    bench.report({ case: "import into an empty database: rows", value: rowCount, unit: "rows", target: null });
    bench.report({ case: "import into an empty database: speed", value: median(rates), unit: "rows/s", target: null });
    bench.report({
      case: "import into an empty database: relative to INSERT … SELECT",
      value: median(ratios),
      unit: "× the rate",
      target: { min: targets.intoEmpty },
    });
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Imports rows into the full catalogue during reads of the API, then as many without reads: one read in ten is a search,
 * and one is for similar beats. Compares the imports, and the reads with the same reads without an import.
 */
export async function importBeside(bench: Bench): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-bench-import-"));
  const rowCount = Math.min(bench.beats, rowsBesideReads);
  const importEdition = async (edition: number) => {
    const files = await writeImport({ ...bench, folder }, rowCount, edition);
    return () => runImport(files, bench.env, join(folder, "rejects.jsonl"));
  };
  try {
    const importBesideReads = await importEdition(otherEditions.besideReads);
    const alone = await readWhile(bench, () => sleep(readsAloneSeconds * 1_000));
    const duringImport = await readWhile(bench, importBesideReads);
    const { rows, seconds } = duringImport.result;
    const importAlone = await importEdition(otherEditions.alone);
    const importedAlone = await importAlone();
    const rateAlone = importedAlone.rows / importedAlone.seconds;
    const p99 = (durationsMs: number[]) => percentile(durationsMs, 0.99);

    bench.report({ case: "import beside reads: rows", value: rows, unit: "rows", target: null });
    bench.report({ case: "import beside reads: speed", value: rows / seconds, unit: "rows/s", target: null });
    bench.report({
      case: "import beside reads: relative to the same without reads",
      value: rows / seconds / rateAlone,
      unit: "× the rate",
      target: { min: targets.besideReads },
    });
    const readsMs = duringImport.durationsMs;
    bench.report({ case: "import: API p50 during it", value: median(readsMs), unit: "ms", target: null });
    bench.report({ case: "import: API p99 during it", value: p99(readsMs), unit: "ms", target: null });
    bench.report({
      case: "import: API p99 during it, relative to p99 before it",
      value: p99(readsMs) / p99(alone.durationsMs),
      unit: "×",
      target: { max: 3 },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readWhile<Result>(bench: Bench, work: () => Promise<Result>) {
  const ids = shuffled(bench.beats);
  const path = (n: number): string => {
    const id = ids[n % ids.length];
    if (n % 10 === 0) return `/v1/search?q=${encodeURIComponent(words[(n / 10) % words.length] ?? "")}`;
    if (n % 10 === 5) return `/v1/beats/${id}/similar`;
    return n % 2 === 0 ? `/v1/beats/${id}` : `/v1/beats?page=${1 + (n % 20)}`;
  };
  const stopping = new AbortController();
  const reads = constantRateReads(bench, { perSecond: readsPerSecond, path, stop: stopping.signal });
  const result = await work().finally(() => stopping.abort());
  return { result, durationsMs: await reads };
}

/** Runs an import. Returns the duration of the command, and the number of rows that it read. */
async function runImport(
  { catalogue, mapping }: { catalogue: string; mapping: string },
  env: Record<string, string>,
  rejects: string,
): Promise<{ rows: number; seconds: number }> {
  const startedMs = performance.now();
  const text = await beatmarket(["import", catalogue, "--map", mapping, "--rejects", rejects, "--json"], env);
  const seconds = (performance.now() - startedMs) / 1_000;
  const counts = Object.entries(JSON.parse(text) as Record<string, number>);
  const rows = counts.reduce((sum, [, count]) => (typeof count === "number" ? sum + count : sum), 0);
  return { rows, seconds };
}
