import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/**
 * A file of JSON lines about the file that is read, such as its rejected rows. It is created with its first line.
 */
export class ReportFile {
  readonly #candidates: readonly string[];
  readonly #why: string;
  readonly #option: string;
  #handle: FileHandle | undefined;
  #path: string | null = null;
  #unwritten: string[] = [];

  /**
   * Uses the first writable path. If no path is writable, the error begins with `why`. `option` is the option that
   * names another file.
   */
  constructor(candidates: readonly string[], { why, option }: { why: string; option: string }) {
    this.#candidates = candidates;
    this.#why = why;
    this.#option = option;
  }

  /** Null before the first line is written. */
  get path(): string | null {
    return this.#path;
  }

  add(line: object): void {
    this.#unwritten.push(`${JSON.stringify(line)}\n`);
  }

  async flush(): Promise<void> {
    if (this.#unwritten.length === 0) return;
    const text = this.#unwritten.join("");
    this.#unwritten = [];
    this.#handle ??= await this.#open();
    // Unlike `write`, `appendFile` writes all of the text or throws.
    await this.#handle.appendFile(text).catch((error: Error) => {
      throw this.#unwritable([error.message]);
    });
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #open(): Promise<FileHandle> {
    const problems: string[] = [];
    for (const candidate of this.#candidates) {
      try {
        // `open` does not refuse a read-only folder to root.
        const { mode } = await stat(dirname(resolve(candidate)));
        if ((mode & 0o222) === 0) throw new Error(`${dirname(resolve(candidate))} is read-only`);
        const handle = await open(candidate, "w");
        this.#path = resolve(candidate);
        return handle;
      } catch (error) {
        problems.push((error as Error).message);
      }
    }
    throw this.#unwritable(problems);
  }

  #unwritable(problems: readonly string[]): OperatorError {
    return new OperatorError(
      `${this.#why}, and the file for them cannot be written (${problems.join("; ")}). Name one with ${this.#option}.`,
    );
  }
}

const rejects = { why: "Some rows are rejected", option: "--rejects" };
const repairs = { why: "Some values are repaired", option: "--repairs" };

/**
 * Creates the file of rejected rows, with lines of `{line, reason, row}`. Its path is `path`, else
 * `FILE.rejects.jsonl`.
 */
export const rejectsFile = (file: string, path: string | undefined): ReportFile =>
  new ReportFile(path === undefined ? nextTo(file, "rejects.jsonl") : [path], rejects);

/**
 * Creates the file of repairs, with lines of `{line, field, problem, given, taken}`. Its path is `path`, else
 * `FILE.repairs.jsonl`.
 */
export const repairsFile = (file: string, path: string | undefined): ReportFile =>
  new ReportFile(path === undefined ? nextTo(file, "repairs.jsonl") : [path], repairs);

/** The candidates for a report: next to the file, and in the current folder. */
const nextTo = (file: string, ending: string): string[] =>
  file === "-" ? [`import.${ending}`] : [`${file}.${ending}`, `${basename(file)}.${ending}`];
