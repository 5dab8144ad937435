import { type RestoredFiles, type RestoreResult, restore, restoreStorage } from "@beatmarket/backup/restore/restore.ts";
import type { Vault } from "@beatmarket/backup/vault/vault.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import { countObjects } from "@beatmarket/storage/verify-objects.ts";
import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { openDatabase } from "../../database/open.ts";
import { licenseLogFolder } from "../../resources/licenses/log/license-log.ts";
import { parseMoment, reading } from "../terminal/arguments.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { printResult } from "../terminal/run.ts";
import { backupJson, filesText, segmentsText, type VaultOptions, vaultOption, withVault } from "./vault.ts";

interface RestoreOptions extends VaultOptions {
  at?: Date;
}

/** The time limit for stopping PostgreSQL while it replays the log. */
const stopGraceMs = 10_000;

export function restoreCommand(backup: Command): void {
  backup
    .command("restore")
    .description("Fill an empty DATA_DIR with the database and the files as they were at a moment.")
    .option(...vaultOption)
    .option("--at <time>", "the moment, such as 2026-11-23T06:27:30Z (default: the newest)", reading(readTime))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
DATA_DIR must be new or empty: the command overwrites nothing. After an interruption, run the same command again; until it
has succeeded, no other command works on that folder. Files go to STORAGE_URL or DATA_DIR/objects, and existing files there stay.

With DATABASE_URL, restore the database with its own tools first, and leave out --at. This command then copies the files
that the database names.

The output names the restored moment. If the archived log has a gap, that is the last change before the gap.

Exit status: 0 when everything is restored; 1 when files are missing, or when the log has a gap before the moment.`,
    )
    .action((options: RestoreOptions) =>
      withVault(
        options,
        (vault, config, signal) =>
          config.databaseUrl === undefined
            ? restoreAll(vault, config, options, signal)
            : restoreFiles(vault, config, options, signal),
        stopGraceMs,
      ),
    );
}

async function restoreAll(vault: Vault, config: Config, options: RestoreOptions, signal: AbortSignal): Promise<void> {
  const { dataDir, storage } = config;
  const progress = { copied: "0 B", segments: segmentsText(0), files: filesText(0) };
  const bar = progressBar("{bar} {copied} | {segments} | {files}", 100, progress);
  try {
    const restored = await restore({
      vault,
      dataDir,
      storage,
      logFolder: licenseLogFolder,
      at: options.at ?? null,
      signal,
      log: (text) => process.stderr.write(`${text}\n`),
      onProgress: ({ bytes, totalBytes, segments, objects }) =>
        bar.show(Math.floor((bytes / Math.max(1, totalBytes)) * 100), {
          copied: formatBytes(bytes),
          segments: segmentsText(segments),
          files: filesText(objects),
        }),
    });
    bar.end();
    const { backup, until, gap, files, filesFault } = restored;
    const value = {
      data_dir: dataDir,
      backup: backupJson(backup),
      until,
      gap,
      files,
      files_fault: filesFault,
      ...storageJson(restored),
    };
    printResult(options.json, value, textOf(restored, dataDir, config.secretKey !== undefined));
    if (!isComplete(restored) || filesFault !== null || gap !== null) process.exitCode = 1;
  } finally {
    bar.end();
  }
}

async function restoreFiles(vault: Vault, config: Config, options: RestoreOptions, signal: AbortSignal): Promise<void> {
  if (options.at !== undefined)
    throw new OperatorError(
      "With DATABASE_URL, the database's own tools choose the moment. Restore the database with them first, then leave out --at.",
    );
  await vault.require();
  const database = await openDatabase(config, { log: () => {}, applicationName: "beatmarket backup" });
  try {
    const { dataDir, storage: place } = config;
    const parts = { db: database.query, vault, place, logFolder: licenseLogFolder, dataDir, signal };
    const restored = await withFilesBar(await countObjects(database.query), (show) => restoreStorage(parts, show));
    printResult(options.json, storageJson(restored), copiedText(restored));
    if (!isComplete(restored)) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

const storageJson = ({ copied, missing, log }: RestoredFiles) => ({
  copied_files: copied,
  missing_files: missing,
  log_leaves: log.leaves,
  log_fault: log.fault,
});

const isComplete = ({ missing, log }: RestoredFiles): boolean => missing.length === 0 && log.fault === null;

async function withFilesBar<T>(
  { objects }: { objects: number },
  work: (show: (count: number) => void) => Promise<T>,
): Promise<T> {
  const total = filesText(objects);
  const bar = progressBar<{ of: string }>("{bar} {value} of {of}", objects, { of: total });
  try {
    return await work((count) => bar.show(count, { of: total }));
  } finally {
    bar.end();
  }
}

function textOf(
  { backup, until, gap, files, filesFault, ...restoredFiles }: RestoreResult,
  dataDir: string,
  hasSecretKey: boolean,
): string {
  const key =
    files.includes("secret-key") || hasSecretKey
      ? ""
      : `\nThe vault has no secret key: set SECRET_KEY, or put the file secret-key into ${dataDir}, before the service starts.`;
  const fault = filesFault === null ? "" : `\n${filesFault} The files of DATA_DIR in the backup were not restored.`;
  const gapText = gap === null ? "" : `\n${gap}`;
  return `Restored ${dataDir} as of ${until}, from backup ${backup.id}. ${copiedText(restoredFiles)}${gapText}${fault}${key}\nStart the service: npm start`;
}

const copiedText = ({ copied, missing, log }: RestoredFiles): string =>
  `${filesText(copied)} ${copied === 1 ? "was" : "were"} copied.${missingText(missing)}${logText(log)}`;

function missingText(missing: readonly string[]): string {
  if (missing.length === 0) return "";
  const verb = missing.length === 1 ? "is" : "are";
  const examples = missing.slice(0, 3).join(", ");
  const more = missing.length > 3 ? " …" : "";
  return ` ${thousands(missing.length)} ${verb} missing in the vault, too: ${examples}${more}`;
}

const withoutLog =
  "Put its files back before the service starts, from a copy of licenses/log/. Otherwise the log is built again from the database, and audits report a fork if the database lacks leaves that were published.";

function logText({ leaves, fault }: RestoredFiles["log"]): string {
  if (fault !== null) return `\nThe license log was not restored from the vault: ${fault} ${withoutLog}`;
  return leaves === null ? `\nThe vault has no license log. ${withoutLog}` : "";
}

/**
 * A time, but not a duration from now, since the moment to restore is in the past. Takes fractions of a second, which
 * `backup list` prints.
 */
function readTime(text: string): Date {
  // Splits off a fraction of a second. `parseMoment` parses every other text unchanged.
  const [, seconds = text, fraction = "0", zone = ""] =
    /^(\d{4}-\d\d-\d\d.*)(\.\d{1,3})(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  try {
    if (!/^\d{4}-/.test(text)) throw new OperatorError("It takes a time such as 2026-11-23T06:27:30Z.");
    return new Date(parseMoment(`${seconds}${zone}`, new Date()).getTime() + Math.round(Number(fraction) * 1_000));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(
      "It takes a time with its zone, such as 2026-11-23T06:27:30Z or 2026-11-23T08:27:30+02:00.",
    );
  }
}
