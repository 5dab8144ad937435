import { readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { SingleBar } from "cli-progress";
import { type Command, Option } from "commander";
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

/** A tenth of the processor where others want it. */
const lowPriority = 10;
const shippedMappings = new URL("../../../mappings/", import.meta.url);

interface ImportOptions {
  map: string;
  encoding?: Encoding;
  rejects?: string;
  events?: true;
  json?: true;
}

/** `import`: brings a file of beats into the catalogue. */
export function importCommand(program: Command): void {
  program
    .command("import")
    .description("bring a file of beats into the catalogue: CSV, TSV or JSON lines, plain or gzip")
    .argument("<file>", "the file, or - for standard input")
    .requiredOption("--map <mapping>", "how its columns are read: a JSON file, or the name of a shipped mapping")
    .addOption(
      new Option("--encoding <name>", "of the file (default: UTF-8, or what the mapping says)").choices(encodings),
    )
    .option("--rejects <file>", "where rows go that cannot be taken (default: <file>.rejects.jsonl)")
    .option("--events", "tell webhooks of every beat that is made or changed")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket import tracks.csv.gz --map tracks_231k
  beatmarket import beats.csv --map my-columns.json --rejects bad-rows.jsonl
  zcat huge.jsonl.gz | beatmarket import - --map my-columns.json --json

Every row is created, updated, unchanged or rejected; rejected ones stand in the rejects file with their line and the
reason. A second import of the same file finds everything unchanged. docs/import.md tells how to write a mapping.`,
    )
    .action((file: string, options: ImportOptions) =>
      withDatabase((database, config) => {
        giveWay(process.pid);
        const isHere = config.databaseUrl === undefined;
        return runImport(database, config.publicUrl, file, options, isHere ? giveWay : undefined);
      }),
    );
}

/**
 * Brings statistics and visibility maps up to date at once instead of when PostgreSQL gets round to it: until then, walks
 * over an index fetch every row they pass from the table, at fifteen times the cost.
 */
const settle = ({ driver }: Database) =>
  Promise.all([driver`vacuum (analyze) beats`, driver`vacuum (analyze) users, producer_counts, genres`]);

/**
 * Lets a process of this machine run where no other wants to: a server beside the import answers as usual, and without
 * one the import is as fast.
 */
function giveWay(pid: number): void {
  try {
    setPriority(pid, lowPriority);
  } catch {
    // Somebody else's, or gone: the import goes on as it is.
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
    if (outcome.created + outcome.updated > 0) await settle(database);
    const { created, updated, unchanged, rejected, unread } = outcome;
    const result = { created, updated, unchanged, rejected, rejects_file: rejects.path };
    printResult(options.json, result, summary(outcome, rejects.path));
    if (unread !== null) throw new OperatorError(`${file.name} was not read to its end: ${unread}. ${goOn}`);
  } catch (error) {
    throw isOfDatabase(error) ? new OperatorError(`The database stopped the import: ${error.message}. ${goOn}`) : error;
  } finally {
    progress.end();
    await rejects.close();
    file.close();
  }
}

const goOn = "What has been written stays; importing again goes on from there.";

/** Whatever PostgreSQL or the connection to it reports has a code. */
const isOfDatabase = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && !(error instanceof OperatorError) && typeof (error as { code?: unknown }).code === "string";

/** The mapping in a file, or the shipped one of that name. */
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

/** A bar on a terminal, nothing elsewhere. */
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
