import { LRUCache } from "lru-cache";
import { readList } from "../fields/parsers/list-field.ts";
import type { Rejection } from "../fields/read-beat.ts";
import { detached } from "../fields/remembered.ts";
import type { FileBytes } from "../formats/file-bytes.ts";
import { type Join, joinedColumns, joinOf, type Mapping } from "../mapping.ts";
import type { Row } from "../row.ts";
import { JoinedFile } from "./joined-file.ts";

/** Neighbouring rows share their producers. */
const maxKeysKnown = 5_000;

interface OpenJoin {
  join: Join;
  columns: readonly string[];
  joined: JoinedFile;
  /** The place of the key among the values of an imported row. */
  keyIndex: number;
  /** The place of the first joined cell. */
  firstIndex: number;
  known: LRUCache<string, readonly string[]>;
}

/** Adds the cells of joined files to rows, behind the values of the imported file. */
export class Joins {
  readonly #joins: readonly OpenJoin[];
  readonly #mapping: Mapping;

  private constructor(mapping: Mapping, joins: readonly OpenJoin[]) {
    this.#mapping = mapping;
    this.#joins = joins;
  }

  /**
   * Reads the joined files of a mapping. `indexOf` and `width` are of the imported file's rows. Throws an OperatorError for
   * a file that cannot be read.
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
        const known = new LRUCache<string, readonly string[]>({ max: maxKeysKnown });
        joins.push({ join, columns: columns.all, joined, keyIndex: indexOf(join.column), firstIndex, known });
        firstIndex += columns.all.length;
      }
    } catch (error) {
      for (const { joined } of joins) joined.close();
      throw error;
    }
    return new Joins(mapping, joins);
  }

  /** The place of a joined column such as `artists.name` among a row's values; undefined for one of the imported file. */
  indexOf(column: string): number | undefined {
    const wanted = joinOf(this.#mapping, column);
    const open = this.#joins.find(({ join }) => join === wanted?.join);
    return open && open.firstIndex + open.columns.indexOf(wanted?.column ?? "");
  }

  /** Adds the joined cells to a row; or says why it has none. */
  extend({ values }: Row): Rejection | null {
    for (const open of this.#joins) {
      const key = (values[open.keyIndex] ?? "").trim();
      const cells = this.#cells(open, key);
      if (cells === null) return unmatched(open.join, key);
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

  #cells(open: OpenJoin, key: string): readonly string[] | null {
    const known = open.known.get(key);
    if (known !== undefined) return known;
    const cells = open.joined.find(key) ?? ofList(open, readList(key));
    if (cells !== null) open.known.set(detached(key), cells);
    return cells;
  }
}

/** A cell may be a list of keys: each joined cell is then the list of theirs, which `lists` and `split` read. */
function ofList({ joined, columns }: OpenJoin, keys: readonly string[] | null): readonly string[] | null {
  if (keys === null || keys.length === 0) return null;
  const rows = keys.map((key) => joined.find(key));
  if (!rows.every((row) => row !== null)) return null;
  return columns.map((_, place) => {
    const cells = rows.map((row) => row[place] ?? "");
    return cells.length === 1 ? (cells[0] ?? "") : JSON.stringify(cells);
  });
}

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

const unmatched = ({ file, column, key }: Join, given: string): Rejection =>
  given === ""
    ? { problem: `${column}: empty`, reason: `column ${column} is empty, so that nothing of ${file} can be joined` }
    : {
        problem: `${column}: not in ${file}`,
        reason: `${file} has no row with the ${key} ${shown(given)} (column ${column})`,
      };
