import { readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { SingleBar } from "cli-progress";
import { type Command, Option } from "commander";
import { sql } from "kysely";
import { systemClock } from "../clock.ts";
import type { Database } from "../database/connection/connect.ts";
import { OperatorError } from "../errors.ts";
import { openFileBytes } from "../resources/catalogue-import/formats/file-bytes.ts";
import {
  type ImportOutcome,
  type ImportProgress,
  importCatalogue,
} from "../resources/catalogue-import/import-catalogue.ts";
import { type Encoding, encodings, type Mapping, readMapping } from "../resources/catalogue-import/mapping.ts";
import { RejectsFile, usualRejectsFiles } from "../resources/catalogue-import/write/rejects-file.ts";
import { printResult, withDatabase } from "./terminal/run.ts";
import { stopSignal } from "./terminal/stop-signal.ts";

/** A nice value: about a tenth of the CPU when other processes compete. */
const niceness = 10;
const shippedMappings = new URL("../../../mappings/", import.meta.url);

interface ImportOptions {
  map: string;
  encoding?: Encoding;
  rejects?: string;
  events?: true;
  json?: true;
}

/** `import`: imports a file of beats into the catalogue. */
export function importCommand(program: Command): void {
  program
    .command("import")
    .description("import a file of beats into the catalogue: CSV, TSV or JSON lines, plain or gzip")
    .argument("<file>", "the file, or - for standard input")
    .requiredOption("--map <mapping>", "how to read the columns: a JSON file, or the name of a shipped mapping")
    .addOption(
      new Option("--encoding <name>", "the file's encoding (default: the mapping's, or UTF-8)").choices(encodings),
    )
    .option("--rejects <file>", "where to write rejected rows (default: <file>.rejects.jsonl)")
    .option("--events", "send webhook events for created and updated beats")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket import tracks.csv.gz --map tracks_231k
  beatmarket import beats.csv --map my-columns.json --rejects bad-rows.jsonl
  zcat huge.jsonl.gz | beatmarket import - --map my-columns.json --json

Every row is created, updated, unchanged or rejected. The rejects file holds each rejected row with its line and the
reason. A second import of the same file finds everything unchanged. docs/import.md explains mappings.`,
    )
    .action((file: string, options: ImportOptions) =>
      withDatabase(
        (database, config) => {
          lowerPriority(process.pid);
          const isEmbedded = config.databaseUrl === undefined;
          return runImport(database, config.publicUrl, file, options, isEmbedded ? lowerPriority : undefined);
        },
        { makesDatabase: true },
      ),
    );
}

/**
 * Updates statistics and visibility maps at once instead of waiting for autovacuum. Until then, index-only scans fetch
 * every row from the table, at fifteen times the cost.
 */
const vacuumAnalyze = ({ query }: Database) =>
  Promise.all([
    sql`vacuum (analyze) beats`.execute(query),
    sql`vacuum (analyze) users, producer_counts, genres`.execute(query),
  ]);

/** Lowers the priority of a local process, so that a server beside the import stays as fast as before. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // Another user's process, or ended: import at normal priority.
  }
}

async function runImport(
  database: Database,
  publicUrl: string,
  path: string,
  options: ImportOptions,
  onBackend: ((pid: number) => void) | undefined,
): Promise<void> {
  const mapping = await findMapping(options.map);
  const rejects = new RejectsFile(options.rejects === undefined ? usualRejectsFiles(path) : [options.rejects]);
  const file = await openFileBytes(path);
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  const progress = progressBar(file.sizeBytes);
  try {
    const outcome = await importCatalogue(database, {
      file,
      mapping: { ...mapping, ...(options.encoding !== undefined && { encoding: options.encoding }) },
      rejects,
      clock: systemClock,
      events: options.events === true ? { publicUrl } : undefined,
      signal: stop.signal,
      ...(onBackend !== undefined && { onBackend }),
      onProgress: progress.show,
    });
    progress.end();
    if (outcome.created + outcome.updated > 0) await vacuumAnalyze(database);
    const { created, updated, unchanged, rejected, unread } = outcome;
    const result = { created, updated, unchanged, rejected, rejects_file: rejects.path };
    printResult(options.json, result, summary(outcome, rejects.path));
    if (unread !== null) throw new OperatorError(`${file.name} was not read to its end: ${unread}. ${resumeHint}`);
  } catch (error) {
    throw isDatabaseError(error)
      ? new OperatorError(`The database stopped the import: ${error.message}. ${resumeHint}`)
      : error;
  } finally {
    progress.end();
    await rejects.close();
    file.close();
  }
}

const resumeHint = "What has been written stays; importing again goes on from there.";

/** Errors of PostgreSQL and of its connection have a code. */
const isDatabaseError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && !(error instanceof OperatorError) && typeof (error as { code?: unknown }).code === "string";

/** Reads a mapping from a file, or the shipped one of that name. */
async function findMapping(map: string): Promise<Mapping> {
  const shipped = new URL(`${encodeURIComponent(map)}.json`, shippedMappings);
  for (const place of [map, shipped]) {
    const text = await readFile(place, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw new OperatorError(`The mapping ${map} cannot be read: ${error.message}.`);
    });
    if (text !== null) return readMapping(text, `The mapping ${map}`);
  }
  const names = (await readdir(shippedMappings)).map((name) => name.replace(/\.json$/, ""));
  throw new OperatorError(`There is no mapping ${map}: no such file, and shipped are ${names.sort().join(", ")}.`);
}

/** Shows a progress bar on a terminal, nothing elsewhere. */
function progressBar(sizeBytes: number | null): { show(progress: ImportProgress): void; end(): void } {
  if (!process.stderr.isTTY || sizeBytes === null) return { show: () => {}, end: () => {} };
  const bar = new SingleBar({
    format: "{bar} {percentage}% | {rows} rows, {rate} a second | {rejected} rejected | {eta_formatted} left",
    stream: process.stderr,
    hideCursor: true,
  });
  const startedMs = performance.now();
  bar.start(sizeBytes, 0, { rows: 0, rate: 0, rejected: 0 });
  return {
    show: ({ readBytes, rows, rejected }) => {
      const rate = Math.round(rows / ((performance.now() - startedMs) / 1000));
      bar.update(readBytes, { rows: thousands(rows), rate: thousands(rate), rejected: thousands(rejected) });
    },
    end: () => bar.stop(),
  };
}

function summary(outcome: ImportOutcome, rejectsFile: string | null): string {
  const { rows, created, updated, unchanged, rejected, repairs, remarks } = outcome;
  return [
    `${thousands(rows)} rows: ${thousands(created)} created, ${thousands(updated)} updated, ${thousands(unchanged)} unchanged, ${thousands(rejected)} rejected.`,
    ...(rejectsFile === null ? [] : [`Rejected rows and why: ${rejectsFile}`]),
    ...Array.from(repairs, ([what, times]) => `Taken with a repair, ${thousands(times)} times: ${what}`),
    ...remarks,
  ].join("\n");
}

const thousands = (value: number): string => value.toLocaleString("en");
