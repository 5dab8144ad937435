import { stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { MediaTaskError } from "@beatmarket/audio/media-task.ts";
import { runMediaTask } from "@beatmarket/audio/run-media-task.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { ApiError, OperatorError } from "@beatmarket/foundation/errors.ts";
import { openTerms } from "@beatmarket/license-terms/open-terms.ts";
import { boundsOf } from "@beatmarket/license-terms/terms.ts";
import { requireStorage } from "@beatmarket/storage/claim-storage.ts";
import { openKnownObjects, openObjects, openStorage } from "@beatmarket/storage/open-storage.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Command } from "commander";
import { scratchFolders, startPreviewJobs } from "../../app/media-jobs.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../database/connect.ts";
import {
  type FieldTexts,
  type PublishedFile,
  type PublishFileOptions,
  type PublishFileParts,
  publishFile,
  readFieldTexts,
  textFieldNames,
} from "../../resources/beats/from-disk/publish-file.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";
import { createLogger, tableText } from "../terminal/output.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { printResult, stopSignal, withDatabase } from "../terminal/run.ts";
import { filesOf, MissingFile, readTitles } from "./files-on-disk.ts";

interface PublishOptions extends FieldTexts {
  email: string;
  csv?: string;
  cover?: string;
  stems?: string;
  draft?: true;
  json?: true;
}

/** `beats publish`: creates beats from files on this machine. */
export function publishCommand(beats: Command): void {
  beats
    .command("publish")
    .description("Publish an audio file, or the files of a folder that a CSV file lists, as beats of an account.")
    .argument("<path>", "an audio file, or a folder together with --csv")
    .requiredOption("--email <address>", "the producer's account, which is created if it does not exist")
    .option("--csv <file>", "the titles of a folder's files, with the columns file, title, genre, price and others")
    .option("--title <title>", "the title of the beat")
    .option("--genre <genre>", "a genre, by its name or id")
    .option("--price <amount>", "the price of the basic license, such as 29.90")
    .option("--premium <amount>", "the price of the premium license (default: derived from --price)")
    .option("--unlimited <amount>", "the price of the unlimited license (default: derived from --price)")
    .option("--exclusive <amount>", "the price of the exclusive license (default: derived from --price)")
    .option("--bpm <tempo>", "the tempo (default: as analysed)")
    .option("--key <key>", "the musical key, such as Am (default: as analysed)")
    .option("--tags <list>", "comma-separated")
    .option("--description <text>", "a text for buyers")
    .option("--cover <file>", "a picture: PNG, JPEG or WebP")
    .option("--stems <file>", "a ZIP archive of the tracks")
    .option("--draft", "create drafts, which only the producer sees")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket beats publish dusk.wav --email ana@example.com --title Dusk --genre Trap --price 29.90
  beatmarket beats publish ./album --csv titles.csv --email ana@example.com
  beatmarket beats publish ./album --csv titles.csv --email ana@example.com --genre Trap --price 29.90 --draft

The CSV file names its columns in the first row: file, title, genre, price, premium, unlimited, exclusive, bpm, key, tags,
description, cover, stems. The files must be in the folder. An option applies to rows that leave its column empty. A row
that cannot be published is reported with its line number, and the command continues with the next row.

The command works with or without a running server. If the account already has a recording, the command creates no second
beat of it, so it can be repeated after an interruption. Without --draft it publishes existing drafts of the recordings. It
changes nothing else.

Exit status: 0 when no file is reported with an error, 1 otherwise.`,
    )
    .action((path: string, options: PublishOptions) =>
      withDatabase(async (database, config) => {
        const rows = await rowsOf(path, options);
        const objects = await openOwnObjects(database, config);
        const account = await findOrCreateAccount(database.query, { email: options.email });
        const stop = new AbortController();
        void stopSignal().then(() => stop.abort(new Error("Stopped.")));
        const stopPreviews = await startPreviewJobs({
          config,
          database,
          clock: systemClock,
          log: createLogger(config),
          objects,
        });
        const parts: PublishFileParts = {
          db: database.query,
          clock: systemClock,
          publicUrl: config.publicUrl,
          allowsDuplicates: config.allowsDuplicates,
          licenseBounds: boundsOf(await openTerms(config.licenseTerms)),
          objects,
          scratch: scratchFolders(config.dataDir),
          run: runMediaTask,
        };
        const results = await publishRows(parts, account.id, rows, stop.signal).finally(stopPreviews);
        report(results, options.json);
        if (results.length < rows.length)
          throw new OperatorError(
            `Stopped after ${results.length} of ${rows.length} files; the same command continues from there.`,
          );
      }),
    );
}

/** A beat to publish: the file of the command line, or a row of the CSV file. */
interface Row {
  /** The line in the CSV file; null without a CSV file. */
  line: number | null;
  /** The path as the operator typed it. */
  file: string;
  text: FieldTexts;
  isDraft: boolean;
  paths: { audio: string; cover?: string; stems?: string };
  problem: string | null;
}

async function rowsOf(path: string, options: PublishOptions): Promise<Row[]> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) throw new OperatorError(`There is no file or folder ${path}.`);
  const sharedText: FieldTexts = Object.fromEntries(
    textFieldNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const { csv, cover, stems, draft = false } = options;
  if (stats.isDirectory()) {
    if (csv === undefined) throw new OperatorError(`${path} is a folder; name the CSV file of its beats with --csv.`);
    if (cover !== undefined || stems !== undefined)
      throw new OperatorError(
        "--cover and --stems are for a single beat; for a folder, use the columns cover and stems of the CSV file.",
      );
    return titledRows(path, csv, sharedText, draft);
  }
  if (csv !== undefined) throw new OperatorError(`--csv is for folders; ${path} is a file. Leave it out.`);
  const row: Row = {
    line: null,
    file: path,
    text: sharedText,
    isDraft: draft,
    paths: { audio: path, ...(cover !== undefined && { cover }), ...(stems !== undefined && { stems }) },
    problem: null,
  };
  // Checked before an account is created.
  readFieldTexts(row.text, statusOf(row));
  return [row];
}

async function titledRows(folder: string, csv: string, sharedText: FieldTexts, isDraft: boolean): Promise<Row[]> {
  const isHere = (await stat(csv).catch(() => null)) !== null;
  const titles = await readTitles(isHere || isAbsolute(csv) ? csv : join(folder, csv));
  return titles.map(({ line, problem, files, text }) => {
    const ownText = Object.fromEntries(Object.entries(text).filter(([, value]) => value !== ""));
    const outside = Object.values(files).find((name) => name !== undefined && !isWithin(folder, name));
    return {
      line,
      file: files.file ?? "",
      text: { ...sharedText, ...ownText },
      isDraft,
      paths: {
        audio: join(folder, files.file ?? ""),
        ...(files.cover && { cover: join(folder, files.cover) }),
        ...(files.stems && { stems: join(folder, files.stems) }),
      },
      problem:
        problem ??
        (files.file === "" ? "The file column is empty." : null) ??
        (outside === undefined ? null : `${outside} is not in the folder ${folder}.`),
    };
  });
}

function isWithin(folder: string, name: string): boolean {
  const path = relative(folder, resolve(folder, name));
  return !isAbsolute(path) && path.split(/[/\\]/)[0] !== "..";
}

const statusOf = ({ isDraft }: Pick<Row, "isDraft">) => (isDraft ? "draft" : "published");

/**
 * Opens the storage that the server uses. With the embedded database there is only one server, so the command may be
 * the first to use the storage.
 */
async function openOwnObjects({ query }: Database, config: Config): Promise<StoredObjects> {
  if (config.databaseUrl === undefined) return openObjects(query, config);
  const objects = await openKnownObjects(query, config);
  if (objects !== null) return objects;
  await requireStorage(query, await openStorage(config.storage));
  throw new OperatorError("No server has chosen a storage for this database yet; start the service once.");
}

interface RowResult {
  line: number | null;
  file: string;
  beat_id: number | null;
  status: PublishedFile["status"] | null;
  /** False for a recording that the account already had, and for a row without a beat. */
  is_new: boolean;
  error: string | null;
}

/** Publishes one row after the other, until a signal. */
async function publishRows(
  parts: PublishFileParts,
  userId: number,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<RowResult[]> {
  const sizes = await Promise.all(rows.map(({ paths }) => stat(paths.audio).catch(() => null)));
  const totalBytes = sizes.reduce((sum, size) => sum + (size?.size ?? 0), 0);
  const bar = progressBar("{bar} {percentage}% | {place} | {step} {file}", totalBytes, {
    place: "",
    step: "",
    file: "",
  });
  const results: RowResult[] = [];
  let doneBytes = 0;
  try {
    for (const [index, row] of rows.entries()) {
      let readBytes = 0;
      let step = "";
      const show = () =>
        bar.show(doneBytes + readBytes, { place: `${index + 1} of ${rows.length}`, step, file: basename(row.file) });
      const result = await publishRow(parts, userId, row, {
        signal,
        onStep: (progress) => {
          step = progress;
          show();
        },
        onBytes: (bytes) => {
          readBytes += bytes;
          show();
        },
      });
      if (result === null) break;
      results.push(result);
      doneBytes += sizes[index]?.size ?? 0;
    }
  } finally {
    bar.end();
  }
  return results;
}

/** The result; null if the command was stopped. */
async function publishRow(
  parts: PublishFileParts,
  userId: number,
  row: Row,
  options: PublishFileOptions,
): Promise<RowResult | null> {
  const { line, file, text, paths, problem } = row;
  const failed = (error: string): RowResult => ({ line, file, beat_id: null, status: null, is_new: false, error });
  if (problem !== null) return failed(problem);
  try {
    options.signal.throwIfAborted();
    const fields = readFieldTexts(text, statusOf(row));
    const files = await filesOf(paths);
    const { beatId, isNew, status, rejection } = await publishFile(parts, userId, { files, fields }, options);
    const isComplete = row.isDraft || status === "published" || status === "withdrawn";
    return {
      line,
      file,
      beat_id: beatId,
      status,
      is_new: isNew,
      error: isComplete
        ? null
        : (rejection ?? "The beat is still being processed; run the same command again to see the result."),
    };
  } catch (error) {
    if (options.signal.aborted) return null;
    if (error instanceof ApiError) return failed(error.details);
    if (error instanceof MediaTaskError) return failed(error.reason);
    if (error instanceof MissingFile) return failed(error.message);
    throw error;
  }
}

function report(results: readonly RowResult[], json: true | undefined): void {
  const good = results.filter(({ error }) => error === null);
  const bad = results.filter(({ error }) => error !== null);
  const rows = good.map(({ file, beat_id, status, is_new }) => [
    file,
    String(beat_id),
    status ?? "",
    is_new ? "new" : "existed already",
  ]);
  if (json === true || good.length > 0)
    printResult(json, results, tableText([["FILE", "BEAT", "STATUS", ""], ...rows]).trimEnd());
  for (const { line, file, error } of bad)
    process.stderr.write(`error: ${line === null ? "" : `line ${line}, `}${file}: ${error}\n`);
  if (bad.length > 0) process.exitCode = 1;
}
