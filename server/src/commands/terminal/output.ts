import { createWriteStream } from "node:fs";
import { lstat, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Logger } from "pino";
import pino from "pino";
import type { Config } from "../../config.ts";

/** Aligns the columns of rows; the first row holds the column names. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** ISO 8601 in UTC, whole seconds. */
export const wholeSecondsUtc = (date: Date | null): string | null => date && `${date.toISOString().slice(0, 19)}Z`;

interface OutputOptions {
  /** The option that names the file: "--out". */
  option: string;
  /** Makes the file readable for its owner only, and replaces no existing file. */
  isPrivate?: boolean;
}

/**
 * Writes `<file>.part` and renames it, so that the file is complete or absent. A device or a link is written to
 * directly. Throws an OperatorError when the file cannot be written, and any error that the text throws.
 */
export async function writeOutputFile(
  file: string,
  text: AsyncIterable<string>,
  { option, isPrivate = false }: OutputOptions,
): Promise<void> {
  const stats = await lstat(file).catch(() => null);
  if (isPrivate && stats !== null)
    throw new OperatorError(`The file ${file} exists already, and is not overwritten. Choose another with ${option}.`);
  // A rename would replace a device, or a link such as /dev/stdout.
  const isWrittenDirectly = stats !== null && !stats.isFile();
  const draft = isWrittenDirectly ? file : `${file}.part`;
  try {
    // Removes the file of an earlier, killed command, because its mode would remain.
    if (!isWrittenDirectly) await rm(draft, { force: true });
    await pipeline(Readable.from(text), createWriteStream(draft, { mode: isPrivate ? 0o600 : 0o666 }));
    if (!isWrittenDirectly) await rename(draft, file);
  } catch (error) {
    if (!isWrittenDirectly) await rm(draft, { force: true }).catch(() => {});
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new OperatorError(`The file ${file} cannot be written (${code}). Choose another with ${option}.`, {
      cause: error,
    });
  }
}

/** Logs to standard error, since standard output contains only a command's result. */
export function createLogger({ logLevel }: Pick<Config, "logLevel">): Logger {
  const options = { level: logLevel, redact: ["req.headers.authorization", "*.password", "*.key"] };
  return process.stderr.isTTY
    ? pino({ ...options, transport: { target: "pino-pretty", options: { destination: 2, ignore: "pid,hostname" } } })
    : pino(options, pino.destination(2));
}
