import { readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { dirname, resolve } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import { isDatabaseError } from "@beatmarket/postgres/connection/database-error.ts";
import { openFileBytes } from "@beatmarket/tabular-files/file-bytes.ts";
import { rejectsFile, repairsFile } from "@beatmarket/tabular-files/report-file.ts";
import { type Encoding, encodings } from "@beatmarket/tabular-files/text-chunks.ts";
import { type Command, Option } from "commander";
import { sql } from "kysely";
import type { Database } from "../database/connect.ts";
import { dryRun } from "../resources/catalogue-import/dry-run.ts";
import { recordImport } from "../resources/catalogue-import/history/record-import.ts";
import { findRun, type ImportRun, listRuns, runJson } from "../resources/catalogue-import/history/runs.ts";
import { type Mapping, readMapping } from "../resources/catalogue-import/mapping.ts";
import type { BeatFile } from "../resources/catalogue-import/read-beats.ts";
import { dryRunReport, importReport } from "./import-report.ts";
import { reading, readWholeNumber } from "./terminal/arguments.ts";
import { tableText, wholeSecondsUtc } from "./terminal/output.ts";
import { progressBar } from "./terminal/progress-bar.ts";
import { printResult, printStream, runCommand, stopSignal, withDatabase } from "./terminal/run.ts";

/** The nice value of an import, which then gets about a tenth of the CPU if other processes compete. */
const niceness = 10;
const shippedMappings = new URL("../../../mappings/", import.meta.url);

interface ImportOptions {
  map: string;
  encoding?: Encoding;
  rejects?: string;
  repairs?: string;
  dryRun?: true;
  events?: true;
  json?: true;
}

/** `import`: imports a file of beats into the catalogue. */
export function importCommand(command: Command): void {
  command
    .argument("<file>", "the file, or - for standard input")
    .requiredOption("--map <mapping>", "how to read the columns: a JSON file, or the name of a shipped mapping")
    .addOption(
      new Option("--encoding <name>", "the file's encoding (default: the mapping's, or UTF-8)").choices(encodings),
    )
    .option("--rejects <file>", "where to write rejected rows (default: <file>.rejects.jsonl)")
    .option("--repairs <file>", "where to write replaced values (default: <file>.repairs.jsonl)")
    .addOption(
      new Option("--dry-run", "read the file, show the result, and write nothing").conflicts([
        "rejects",
        "repairs",
        "events",
      ]),
    )
    .option("--events", "send webhook events for created and updated beats")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket import mappings/example.csv --map example
  beatmarket import beats.csv --map my-columns.json --dry-run
  beatmarket import beats.csv --map my-columns.json --rejects bad-rows.jsonl
  zcat huge.jsonl.gz | beatmarket import - --map my-columns.json --json

Every row is created, updated, unchanged or rejected. The rejects file holds each rejected row with its line and the
reason, the repairs file each value that was replaced. A second import of the same file finds everything unchanged.
\`beatmarket imports\` lists imports. \`beatmarket beats\` withdraws, relists or deletes all beats of a source.
docs/import.md explains mappings.`,
    )
    .action((file: string, options: ImportOptions) => {
      if (options.dryRun === true) return runCommand(() => runDry(file, options));
      return withDatabase(
        (database, config) => {
          lowerPriority(process.pid);
          const isEmbedded = config.databaseUrl === undefined;
          return runImport(database, config.publicUrl, file, options, isEmbedded ? lowerPriority : undefined);
        },
        { makesDatabase: true },
      );
    });
}

/**
 * Updates statistics and visibility maps immediately instead of waiting for autovacuum, which may take minutes. It
 * costs a twentieth of the import's CPU, most of it for the statistics.
 */
const vacuumAnalyze = ({ query }: Database) =>
  Promise.all([
    sql`vacuum (analyze) beats`.execute(query),
    sql`vacuum (analyze) users, producer_counts, genres`.execute(query),
  ]);

/** Lowers the priority of a local process, so that a server that runs during the import stays as fast as before. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // The process belongs to another user, or has ended: import at normal priority.
  }
}

async function runImport(
  database: Database,
  publicUrl: string,
  path: string,
  options: ImportOptions,
  onBackendPid: ((pid: number) => void) | undefined,
): Promise<void> {
  const rejects = rejectsFile(path, options.rejects);
  const repairs = repairsFile(path, options.repairs);
  const source = await openBeatFile(path, options);
  const progress = readingBar(source.file.sizeBytes);
  try {
    const request = {
      ...source,
      rejects,
      repairs,
      events: options.events === true ? { publicUrl } : undefined,
      ...(onBackendPid !== undefined && { onBackend: onBackendPid }),
      onProgress: progress.show,
    };
    const outcome = await recordImport(database, request, options.map);
    progress.end();
    if (outcome.created + outcome.updated > 0) await vacuumAnalyze(database);
    const { json, text } = importReport(outcome, { rejects: rejects.path, repairs: repairs.path });
    printResult(options.json, json, text);
    requireWhole(source, outcome.stoppedBecause, resumeHint);
  } catch (error) {
    throw isDatabaseError(error) && !(error instanceof OperatorError)
      ? new OperatorError(`The database stopped the import: ${error.message}. ${resumeHint}`)
      : error;
  } finally {
    progress.end();
    await rejects.close();
    await repairs.close();
    source.file.close();
  }
}

/** Reads and checks the file without importing it. Needs no database. */
async function runDry(path: string, options: ImportOptions): Promise<void> {
  const source = await openBeatFile(path, options);
  const progress = readingBar(source.file.sizeBytes);
  try {
    const outcome = await dryRun({ ...source, onProgress: progress.show });
    progress.end();
    const { json, text } = dryRunReport(outcome);
    printResult(options.json, json, text);
    requireWhole(source, outcome.stoppedBecause, "The report covers only the rows that were read.");
  } finally {
    progress.end();
    source.file.close();
  }
}

/** Opens the file with its mapping. A signal stops the reading. */
async function openBeatFile(path: string, { map, encoding }: ImportOptions): Promise<BeatFile> {
  const { mapping, folder } = await findMapping(map);
  const file = await openFileBytes(path);
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  return {
    file,
    mapping: { ...mapping, ...(encoding !== undefined && { encoding }) },
    openJoined: (joined) => openFileBytes(resolve(folder, joined)),
    clock: systemClock,
    signal: stop.signal,
  };
}

function requireWhole({ file }: BeatFile, stoppedBecause: string | null, hint: string): void {
  if (stoppedBecause !== null)
    throw new OperatorError(`${file.name} was not read to its end: ${stoppedBecause}. ${hint}`);
}

const resumeHint = "What has been written stays; importing again continues from there.";

/** Reads a mapping from a file, or a shipped mapping by name. `folder` contains the files that the mapping joins. */
async function findMapping(map: string): Promise<{ mapping: Mapping; folder: string }> {
  const shipped = new URL(`${encodeURIComponent(map)}.json`, shippedMappings);
  for (const place of [map, shipped]) {
    const text = await readFile(place, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw new OperatorError(`The mapping ${map} cannot be read: ${error.message}.`);
    });
    // The files that a mapping joins are the operator's: a shipped mapping finds them in the current folder.
    if (text !== null)
      return { mapping: readMapping(text, `The mapping ${map}`), folder: place === map ? dirname(map) : "." };
  }
  const names = (await readdir(shippedMappings)).map((name) => name.replace(/\.json$/, ""));
  throw new OperatorError(
    `There is no mapping ${map}. No file has this path, and the shipped mappings are ${names.sort().join(", ")}.`,
  );
}

/** Shows how much of a file has been read. */
function readingBar(sizeBytes: number | null) {
  const bar = progressBar(
    "{bar} {percentage}% | {rows} rows, {rate} a second | {rejected} rejected | {eta_formatted} left",
    sizeBytes,
    { rows: "0", rate: "0", rejected: "0" },
  );
  const startedMs = performance.now();
  return {
    end: bar.end,
    show: ({ readBytes, rows, rejected }: { readBytes: number; rows: number; rejected: number }) => {
      const rate = Math.round(rows / ((performance.now() - startedMs) / 1000));
      bar.show(readBytes, { rows: thousands(rows), rate: thousands(rate), rejected: thousands(rejected) });
    },
  };
}

/** `imports list` and `rejects`: show past imports. */
export function importsCommand(imports: Command): void {
  imports.addHelpText(
    "after",
    `
Examples:
  beatmarket imports list
  beatmarket imports rejects 12 > bad-rows.jsonl

The newest 100 imports are kept, each with its first 1,000 rejected rows.`,
  );

  imports
    .command("list")
    .description("List the imports that are kept, newest first.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const runs = await listRuns(query, now());
        printResult(options.json, runs.map(runJson), listText(runs));
      }),
    );

  imports
    .command("rejects")
    .description("Print the rejected rows of an import, in the form of its rejects file.")
    .argument("<id>", "the import, as in `imports list`", reading(readWholeNumber))
    .addOption(new Option("--json", "no effect: each line is always one JSON object"))
    .action((id: number) =>
      withDatabase(async ({ query }) => {
        await printStream([(await findRun(query, id, now())).rejects]);
      }),
    );
}

const now = () => new Date(systemClock.nowMs());

const columns: Record<string, (run: ImportRun) => string> = {
  ID: ({ id }) => String(id),
  STARTED: ({ started_at }) => wholeSecondsUtc(started_at) ?? "",
  STATE: ({ state }) => state,
  FILE: ({ file }) => file,
  MAPPING: ({ mapping }) => mapping,
  ROWS: ({ read_rows }) => thousands(read_rows),
  CREATED: ({ created }) => thousands(created),
  UPDATED: ({ updated }) => thousands(updated),
  UNCHANGED: ({ unchanged }) => thousands(unchanged),
  REJECTED: ({ rejected }) => thousands(rejected),
  ERROR: ({ error }) => error ?? "",
};

const listText = (runs: readonly ImportRun[]): string =>
  runs.length === 0
    ? "No imports yet."
    : tableText([Object.keys(columns), ...runs.map((run) => Object.values(columns).map((cellOf) => cellOf(run)))]);
