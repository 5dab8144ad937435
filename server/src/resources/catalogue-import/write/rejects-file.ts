import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { OperatorError } from "../../../errors.ts";
import type { Row } from "../formats/row.ts";

/** Where the rows go that cannot be taken: a file of JSON lines `{line, reason, row}`, made when the first one comes. */
export class RejectsFile {
  readonly #candidates: readonly string[];
  #handle: FileHandle | undefined;
  #path: string | null = null;
  #waiting: string[] = [];

  /** The first of these paths that can be written. */
  constructor(candidates: readonly string[]) {
    this.#candidates = candidates;
  }

  /** Null while nothing has been rejected. */
  get path(): string | null {
    return this.#path;
  }

  add(row: Row, reason: string): void {
    this.#waiting.push(`${JSON.stringify({ line: row.line, reason, row: row.raw() })}\n`);
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#handle ??= await this.#open();
    await this.#handle.write(text);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #open(): Promise<FileHandle> {
    const problems: string[] = [];
    for (const candidate of this.#candidates) {
      try {
        // Root could write here all the same, and should not.
        const { mode } = await stat(dirname(resolve(candidate)));
        if ((mode & 0o222) === 0) throw new Error(`${dirname(resolve(candidate))} is read-only`);
        const handle = await open(candidate, "w");
        this.#path = resolve(candidate);
        return handle;
      } catch (error) {
        problems.push((error as Error).message);
      }
    }
    throw new OperatorError(
      `Some rows are rejected, and the file for them cannot be written (${problems.join("; ")}). Name one with --rejects.`,
    );
  }
}

/** Beside the file, or else in the current folder. */
export const usualRejectsFiles = (file: string): string[] =>
  file === "-" ? ["import.rejects.jsonl"] : [`${file}.rejects.jsonl`, `${basename(file)}.rejects.jsonl`];
