import { DatabaseSync, type StatementSync } from "node:sqlite";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { DamagedFile } from "../formats/damaged-file.ts";
import type { FileBytes } from "../formats/file-bytes.ts";
import { openRows } from "../formats/rows.ts";
import { textChunks } from "../formats/text-chunks.ts";
import type { Join, joinedColumns } from "../mapping.ts";
import type { Row } from "../row.ts";

/** More of SQLite's pages than that go into its temporary file. */
const cacheKb = 32 * 1024;

/**
 * The rows of a joined file by their key. They are in a temporary database of SQLite, which spills into a file of its own
 * and deletes it: memory is bounded, however many rows there are.
 */
export class JoinedFile {
  readonly #store: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #name: string;
  #repeated = 0;
  #unusable = 0;
  #firstUnusable = "";

  private constructor(name: string) {
    this.#name = name;
    this.#store = new DatabaseSync("");
    this.#store.exec(`
      pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${cacheKb};
      create table joined (key text primary key, cells text not null) without rowid`);
    this.#insert = this.#store.prepare("insert or ignore into joined (key, cells) values (?, ?)");
    this.#select = this.#store.prepare("select cells from joined where key = ?");
  }

  /**
   * Reads a file whose rows have these columns, until the signal aborts. Throws an OperatorError if it is not readable to
   * its end.
   */
  static async read(
    file: FileBytes,
    join: Join,
    columns: ReturnType<typeof joinedColumns>,
    signal: AbortSignal | undefined,
  ): Promise<JoinedFile> {
    const joined = new JoinedFile(join.file);
    try {
      const all = [...new Set([join.key, ...columns.all])];
      const rows = await openRows(
        textChunks(file.chunks, join.encoding, file.name),
        join,
        { ...columns, all, required: [join.key] },
        file.name,
      );
      const keyIndex = rows.indexOf(join.key);
      const indexes = columns.all.map((column) => rows.indexOf(column));
      for await (const piece of rows.pieces) {
        if (signal?.aborted === true) break;
        joined.#add(piece, keyIndex, indexes);
      }
      return joined;
    } catch (error) {
      joined.close();
      if (error instanceof DamagedFile)
        throw new OperatorError(`${join.file} cannot be joined: ${error.message}. Repair the file and import again.`);
      throw error;
    }
  }

  /** The cells of the row with this key; null if there is none. */
  find(key: string): readonly string[] | null {
    const found = this.#select.get(key) as { cells: string } | undefined;
    return found === undefined ? null : (JSON.parse(found.cells) as string[]);
  }

  /** Findings about the file, as sentences. */
  remarks(): string[] {
    const remarks: string[] = [];
    if (this.#repeated > 0)
      remarks.push(`${this.#name} repeats the key of an earlier row ${times(this.#repeated)}; the first row counts.`);
    if (this.#unusable > 0)
      remarks.push(`${this.#name} has rows that cannot be joined, ${this.#unusable} in all; ${this.#firstUnusable}.`);
    return remarks;
  }

  close(): void {
    this.#store.close();
  }

  #add(rows: readonly Row[], keyIndex: number, indexes: readonly number[]): void {
    this.#store.exec("begin");
    for (const row of rows) {
      const key = (row.values[keyIndex] ?? "").trim();
      const problem = row.problem ?? problemOf(row, key);
      if (problem !== null) {
        if (this.#unusable++ === 0) this.#firstUnusable = `the first is in line ${row.line}: ${problem}`;
        continue;
      }
      const cells = JSON.stringify(indexes.map((index) => row.values[index] ?? ""));
      if (this.#insert.run(key, cells).changes === 0) this.#repeated++;
    }
    this.#store.exec("commit");
  }
}

function problemOf({ values }: Row, key: string): string | null {
  if (key === "") return "its key is empty";
  return values.every((value) => value.isWellFormed()) ? null : "it is not valid UTF-8";
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);
