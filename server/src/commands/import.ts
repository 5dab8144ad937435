import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import type { Command } from "commander";
import { systemClock } from "../clock.ts";
import type { Database } from "../database/connect.ts";
import { OperatorError } from "../errors.ts";
import { openFileBytes } from "../resources/catalogue-import/file-bytes.ts";
import {
  type ImportOutcome,
  type ImportProgress,
  importCatalogue,
} from "../resources/catalogue-import/import-catalogue.ts";
import { type Mapping, readMapping } from "../resources/catalogue-import/mapping.ts";
import { RejectsFile, usualRejectsFiles } from "../resources/catalogue-import/rejects-file.ts";
import { printResult, withDatabase } from "./run.ts";

const shippedMappings = new URL("../../../mappings/", import.meta.url);

interface ImportOptions {
  map: string;
  rejects?: string;
  events?: boolean;
  json?: boolean;
}

export function importCommand(program: Command): void {
  program
    .command("import")
    .description("Bring a file of beats into the catalogue: CSV, TSV or JSON lines, plain or gzip.")
    .argument("<file>", "the file, or - for standard input")
    .requiredOption("--map <mapping>", "a mapping's JSON file, or the name of one that is shipped")
    .option("--rejects <file>", "where rows go that cannot be taken (default: beside the file, .rejects.jsonl)")
    .option("--events", "tell webhooks of every beat that is made or changed")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Examples:
  npx beatmarket import tracks.csv.gz --map tracks_231k
  npx beatmarket import beats.csv --map my-columns.json --rejects bad-rows.jsonl

A second import of the same file finds everything unchanged. docs/import.md explains mappings.`,
    )
    .action((file: string, options: ImportOptions) =>
      withDatabase((database, { publicUrl }) => run(database, file, options, publicUrl)),
    );
}

async function run(database: Database, file: string, options: ImportOptions, publicUrl: string): Promise<void> {
  const mapping = await findMapping(options.map);
  const rejects = new RejectsFile(options.rejects === undefined ? usualRejectsFiles(file) : [options.rejects]);
  const bytes = await openFileBytes(file);
  const stop = new AbortController();
  const ask = () => stop.abort();
  process.once("SIGINT", ask).once("SIGTERM", ask);
  const progress = progressBar(bytes.sizeBytes);
  try {
    const request = {
      file: bytes,
      mapping,
      rejects,
      clock: systemClock,
      events: options.events === true ? { publicUrl } : undefined,
      signal: stop.signal,
      onProgress: progress.show,
    };
    const outcome = await importCatalogue(database, request);
    progress.end();
    const { created, updated, unchanged, rejected, unread } = outcome;
    const result = { created, updated, unchanged, rejected, rejects_file: rejects.path };
    printResult(options.json, result, summary(outcome, rejects.path));
    if (unread !== null) throw new OperatorError(`${file} was not read to its end: ${unread}.`);
  } finally {
    progress.end();
    process.off("SIGINT", ask).off("SIGTERM", ask);
    await rejects.close();
    await bytes.close();
  }
}

/** The mapping in a file, or the shipped one of that name. */
async function findMapping(map: string): Promise<Mapping> {
  if (existsSync(map)) return readMapping(await readFile(map, "utf8"), map);
  const shipped = new URL(`${encodeURIComponent(map)}.json`, shippedMappings);
  if (existsSync(shipped)) return readMapping(await readFile(shipped, "utf8"), map);
  const names = (await readdir(shippedMappings)).map((name) => name.replace(/\.json$/, ""));
  throw new OperatorError(`There is no mapping ${map}: neither a file nor one of those shipped (${names.join(", ")}).`);
}

/** A bar on a terminal, nothing elsewhere. */
function progressBar(sizeBytes: number | null): { show(progress: ImportProgress): void; end(): void } {
  if (!process.stderr.isTTY || sizeBytes === null) return { show: () => {}, end: () => {} };
  const bar = new SingleBar({
    format: "{bar} {percentage}% | {rows} rows, {rate} rows/s | {rejected} rejected | {eta_formatted} left",
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
  const lines = [
    `${thousands(outcome.rows)} rows: ${thousands(outcome.created)} created, ${thousands(outcome.updated)} updated, ${thousands(outcome.unchanged)} unchanged, ${thousands(outcome.rejected)} rejected.`,
  ];
  if (rejectsFile !== null) lines.push(`Rejected rows with their reasons: ${rejectsFile}`);
  for (const [what, times] of outcome.repairs) lines.push(`Repaired: ${what} (${thousands(times)} times)`);
  return [...lines, ...outcome.remarks].join("\n");
}

const thousands = (value: number): string => value.toLocaleString("en");
