import { DatabaseSync, type StatementSync } from "node:sqlite";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";
import { readList } from "@beatmarket/tabular-files/cells/list.ts";
import { detached } from "@beatmarket/tabular-files/cells/remembered.ts";
import { DamagedFile } from "@beatmarket/tabular-files/damaged-file.ts";
import type { FileBytes } from "@beatmarket/tabular-files/file-bytes.ts";
import type { Row } from "@beatmarket/tabular-files/row.ts";
import { openRows } from "@beatmarket/tabular-files/rows.ts";
import { LRUCache } from "lru-cache";
import type { Rejection } from "../fields/read-beat.ts";
import { type Join, joinedColumns, joinOf, type Mapping } from "../mapping.ts";

/** The memory that SQLite may use for pages. */
const cacheKb = 32 * 1024;

/**
 * The rows of a joined file by their key, in a temporary SQLite database. Beyond `cacheKb`, SQLite uses a temporary
 * file, so memory is bounded for any number of rows.
 */
class JoinedFile {
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
   * Reads a file whose rows have these columns, until the signal aborts. Throws an OperatorError if the file is not
   * readable to its end.
   */
  static async read(
    file: FileBytes,
    join: Join,
    columns: ReturnType<typeof joinedColumns>,
    signal: AbortSignal | undefined,
  ): Promise<JoinedFile> {
    const joined = new JoinedFile(join.file);
    try {
      const names = [...new Set([join.key, ...columns.all])];
      const rows = await openRows(file, join, { ...columns, all: names, required: [join.key] }, nearestName);
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
    const row = this.#select.get(key) as { cells: string } | undefined;
    return row === undefined ? null : (JSON.parse(row.cells) as string[]);
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
      const problem = row.problem ?? problemWithRow(row, key);
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

function problemWithRow({ values }: Row, key: string): string | null {
  if (key === "") return "its key is empty";
  return values.every((value) => value.isWellFormed()) ? null : "it is not valid UTF-8";
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** Cached, since neighbouring rows often have the same keys. */
const maxCachedKeys = 5_000;

interface OpenJoin {
  join: Join;
  columns: readonly string[];
  joined: JoinedFile;
  /** The position of the key among the values of an imported row. */
  keyIndex: number;
  /** The position of the first joined cell. */
  firstIndex: number;
  cache: LRUCache<string, readonly string[]>;
}

/** Adds the cells of joined files to rows, after the values of the imported file. */
export class Joins {
  readonly #joins: readonly OpenJoin[];
  readonly #mapping: Mapping;

  private constructor(mapping: Mapping, joins: readonly OpenJoin[]) {
    this.#mapping = mapping;
    this.#joins = joins;
  }

  /**
   * Reads the joined files of a mapping. `indexOf` and `width` belong to the imported file's rows. Throws an
   * OperatorError for a file that cannot be read.
   */
  static async open(
    mapping: Mapping,
    openFile: (file: string) => Promise<FileBytes>,
    { indexOf, width }: { indexOf(column: string): number; width: number },
    signal: AbortSignal | undefined,
  ): Promise<Joins> {
    const joins: OpenJoin[] = [];
    let firstIndex = width;
    try {
      for (const [name, join] of Object.entries(mapping.joins ?? {})) {
        const columns = joinedColumns(mapping, name);
        const file = await openFile(join.file);
        const joined = await JoinedFile.read(file, join, columns, signal).finally(() => file.close());
        const cache = new LRUCache<string, readonly string[]>({ max: maxCachedKeys });
        joins.push({ join, columns: columns.all, joined, keyIndex: indexOf(join.column), firstIndex, cache });
        firstIndex += columns.all.length;
      }
    } catch (error) {
      for (const { joined } of joins) joined.close();
      throw error;
    }
    return new Joins(mapping, joins);
  }

  /**
   * The position of a joined column such as `artists.name` among a row's values; undefined for a column of the imported
   * file.
   */
  indexOf(column: string): number | undefined {
    const source = joinOf(this.#mapping, column);
    const open = this.#joins.find(({ join }) => join === source?.join);
    return open && open.firstIndex + open.columns.indexOf(source?.column ?? "");
  }

  /** Appends the joined cells to a row, or returns the reason why the row has no joined cells. */
  extend({ values }: Row): Rejection | null {
    for (const openJoin of this.#joins) {
      const key = (values[openJoin.keyIndex] ?? "").trim();
      const cells = this.#cells(openJoin, key);
      if (cells === null) return noMatch(openJoin.join, key);
      values.push(...cells);
    }
    return null;
  }

  /** Findings about the joined files, as sentences. */
  remarks(): string[] {
    return this.#joins.flatMap(({ joined }) => joined.remarks());
  }

  close(): void {
    for (const { joined } of this.#joins) joined.close();
  }

  #cells(openJoin: OpenJoin, key: string): readonly string[] | null {
    const cached = openJoin.cache.get(key);
    if (cached !== undefined) return cached;
    const cells = openJoin.joined.find(key) ?? cellsOfList(openJoin, readList(key));
    if (cells !== null) openJoin.cache.set(detached(key), cells);
    return cells;
  }
}

/**
 * Joins the rows of a list of keys; null without keys, or if a key has no row. Each joined cell is the JSON list of the
 * rows' cells, which `readList` reads; of a single row, it is the cell itself.
 */
function cellsOfList({ joined, columns }: OpenJoin, keys: readonly string[] | null): readonly string[] | null {
  if (keys === null || keys.length === 0) return null;
  const rows = keys.map((key) => joined.find(key));
  if (!rows.every((row) => row !== null)) return null;
  return columns.map((_, place) => {
    const cells = rows.map((row) => row[place] ?? "");
    return cells.length === 1 ? (cells[0] ?? "") : JSON.stringify(cells);
  });
}

const printable = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

const noMatch = ({ file, column, key }: Join, original: string): Rejection =>
  original === ""
    ? { problem: `${column}: empty`, reason: `column ${column} is empty, so no row of ${file} can be joined` }
    : {
        problem: `${column}: not in ${file}`,
        reason: `${file} has no row with the ${key} ${printable(original)} (column ${column})`,
      };
