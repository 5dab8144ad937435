import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { CsvReader, detectDelimiter, separatorLine } from "./csv.ts";
import { DamagedFile } from "./damaged-file.ts";
import type { FileBytes } from "./file-bytes.ts";
import { JsonObjects } from "./json-objects.ts";
import { JsonValuesReader } from "./json-values.ts";
import type { FileColumns, Row } from "./row.ts";
import { type Encoding, textChunks } from "./text-chunks.ts";

/** Longer lines are rejected, which bounds memory. */
const maxLineLength = 1024 * 1024;

/** Splits JSON lines into rows as they arrive. */
export class JsonLinesReader {
  readonly #objects: JsonObjects;
  #text = "";
  #line = 1;
  #isSkippingLine = false;

  constructor(columns: FileColumns) {
    this.#objects = new JsonObjects(columns);
  }

  get names(): string[] {
    return this.#objects.names;
  }

  get endsWithinLine(): boolean {
    return this.#text !== "";
  }

  /** Returns the rows that this piece of text completes. */
  push(piece: string): Row[] {
    const lines = (this.#text + piece).split("\n");
    this.#text = lines.pop() ?? "";
    const rows = lines.flatMap((line) => this.#rowsOf(line));
    if (this.#text.length > maxLineLength) {
      const text = this.#text;
      const line = this.#line;
      if (!this.#isSkippingLine)
        rows.push({ line, values: [], problem: "the line is longer than a row can be", raw: () => text });
      this.#isSkippingLine = true;
      this.#text = "";
    }
    return rows;
  }

  /** Returns the last row if the file does not end in a line break. */
  end(): Row[] {
    return this.#text === "" ? [] : this.#rowsOf(this.#text);
  }

  /** Returns the row of a line. Empty for an empty line, and for the end of a rejected line. */
  #rowsOf(text: string): Row[] {
    const line = this.#line++;
    if (this.#isSkippingLine) {
      this.#isSkippingLine = false;
      return [];
    }
    const trimmed = text.trim();
    return trimmed === "" ? [] : [this.#objects.row(trimmed, line, "line", text)];
  }
}

/** The form of a file. Absent properties are detected, except `quote`, which is then `"`. */
export interface FileForm {
  format?: "csv" | "tsv" | "jsonl" | "json";
  /** One character. */
  delimiter?: string;
  /** One character, or "" when fields are never quoted. */
  quote?: string;
  encoding?: Encoding;
}

/** Returns the most similar of `names`, for the sentence about a missing column. */
export type NearestName = (name: string, names: readonly string[]) => string | undefined;

/** The rows of a file as they arrive. Can be iterated once. */
export interface Rows {
  /** The position of a column in `values`. */
  indexOf(column: string): number;
  /** The number of values in a row. */
  width: number;
  /** Throws a DamagedFile after the last readable row. */
  pieces: AsyncIterable<Row[]>;
  /** Whether the last line has no line break, so that the file may be truncated. Valid after the last row. */
  endsWithinLine(): boolean;
  /** The requested columns that no row has. Valid after the last row. */
  missingColumns(): string[];
}

/**
 * Reads the beginning of a file to detect its format and columns. Throws an OperatorError if it is empty or lacks a
 * requested column. JSON needs only the required columns, since its rows may omit properties; these columns are checked
 * when rows are read.
 */
export async function openRows(
  { name: fileName, chunks }: Pick<FileBytes, "name" | "chunks">,
  form: FileForm,
  columns: FileColumns,
  nearestName: NearestName,
): Promise<Rows> {
  const texts = textChunks(chunks, form.encoding, fileName);
  const first = await firstLines(texts).catch((error) => {
    throw error instanceof DamagedFile ? new OperatorError(`${fileName}: ${error.message}.`) : error;
  });
  if (first === "") throw new OperatorError(`${fileName} is empty.`);
  const format = form.format ?? detectFormat(first, fileName);
  if (format === "jsonl" || format === "json") {
    const reader = format === "json" ? new JsonValuesReader(columns, first) : new JsonLinesReader(columns);
    const check = () => requireColumns(columns.required, reader.names, fileName, nearestName);
    return {
      indexOf: (column) => columns.all.indexOf(column),
      width: columns.all.length,
      pieces: checkOnce(readPieces(reader, first, texts), check),
      // Half an object is invalid JSON, so truncation is always detected.
      endsWithinLine: () => false,
      missingColumns: () => columns.all.filter((column) => !reader.names.includes(column)),
    };
  }
  const quote = form.quote ?? '"';
  const { delimiter: excelDelimiter, rest } = separatorLine(first);
  const delimiter =
    form.delimiter ??
    excelDelimiter ??
    (format === "tsv" ? "\t" : detectDelimiter(rest.split(/[\r\n]/)[0] ?? "", quote));
  const reader = new CsvReader({ delimiter, quote }, excelDelimiter === null ? 1 : 2);
  const pieces = readPieces(reader, rest, texts);
  const header = await readHeader(pieces, fileName);
  requireColumns(columns.all, header.names, fileName, nearestName);
  return {
    indexOf: (column) => header.names.indexOf(column),
    width: header.names.length,
    pieces: withRightWidth(header.names.length, header.rest, pieces),
    endsWithinLine: () => reader.endsWithinLine,
    missingColumns: () => [],
  };
}

/** Reads a file until its second line begins, or at least 64 k characters. Returns "" if the file is empty. */
async function firstLines(texts: AsyncGenerator<string>): Promise<string> {
  let text = "";
  while (text.length < maxStartLength && !/[\r\n]/.test(text.trim())) {
    const { value, done } = await texts.next();
    if (done === true) break;
    text += value;
  }
  return text;
}

const maxStartLength = 64 * 1024;

function detectFormat(start: string, fileName: string): "csv" | "tsv" | "jsonl" | "json" {
  const name = fileName.toLowerCase().replace(/\.gz$/, "");
  // An array, or an object whose first line is only the bracket.
  if (/^\s*(\[\s*(\{|\]\s*$)|\{\s*[\r\n])/.test(start)) return "json";
  if (/\.(jsonl|ndjson)$/.test(name) || start.trimStart().startsWith("{")) return "jsonl";
  return /\.(tsv|tab)$/.test(name) ? "tsv" : "csv";
}

/** Converts a file's text to rows, piece by piece. */
interface RowReader {
  push(piece: string): Row[];
  /** The last rows. */
  end(): Row[];
  readonly endsWithinLine: boolean;
  /** The damage that ended the reading after the returned rows. */
  readonly damage?: DamagedFile | null;
}

async function* readPieces(reader: RowReader, first: string, rest: AsyncGenerator<string>): AsyncGenerator<Row[]> {
  try {
    yield* checkedRows(reader, reader.push(first));
    for await (const text of rest) yield* checkedRows(reader, reader.push(text));
  } catch (error) {
    if (!(error instanceof DamagedFile) || error === reader.damage) throw error;
    const isCut = reader.endsWithinLine && !error.endsWithCompleteLine;
    const rows = reader.end();
    const last = rows.at(-1);
    if (isCut && last !== undefined) last.problem = `the file is cut off in this row: ${error.message}`;
    yield rows;
    throw error;
  }
  yield* checkedRows(reader, reader.end());
}

function* checkedRows(reader: RowReader, rows: Row[]): Generator<Row[]> {
  yield rows;
  if (reader.damage) throw reader.damage;
}

async function readHeader(pieces: AsyncGenerator<Row[]>, fileName: string): Promise<{ names: string[]; rest: Row[] }> {
  for (;;) {
    const { value: rows, done } = await pieces.next();
    if (done === true) throw new OperatorError(`${fileName} has no header line.`);
    const [header, ...rest] = rows;
    if (header === undefined) continue;
    if (header.problem !== null)
      throw new OperatorError(`${fileName}, line ${header.line}, should name the columns, but ${header.problem}.`);
    return { names: header.values.map((name) => name.trim()), rest };
  }
}

async function* withRightWidth(width: number, rest: Row[], pieces: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  yield checkWidths(width, rest);
  for await (const rows of pieces) yield checkWidths(width, rows);
}

function checkWidths(width: number, rows: Row[]): Row[] {
  for (const row of rows)
    if (row.values.length !== width && row.problem === null)
      row.problem = `the row has ${row.values.length} columns, the header has ${width}`;
  return rows;
}

/**
 * Calls `check` after 1,000 rows: rows of JSON may omit properties, so the first rows may lack a column. For fewer
 * rows, calls it at the end if one of them is well-formed.
 */
async function* checkOnce(pieces: AsyncGenerator<Row[]>, check: () => void): AsyncGenerator<Row[]> {
  const enough = 1000;
  let waiting: Row[] | null = [];
  let damage: DamagedFile | undefined;
  try {
    for await (const rows of pieces) {
      if (waiting === null) {
        yield rows;
        continue;
      }
      waiting.push(...rows);
      if (waiting.length < enough) continue;
      check();
      yield waiting;
      waiting = null;
    }
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    damage = error;
  }
  if (waiting !== null) {
    if (waiting.some(({ problem }) => problem === null)) check();
    yield waiting;
  }
  if (damage !== undefined) throw damage;
}

function requireColumns(
  columns: readonly string[],
  names: readonly string[],
  fileName: string,
  nearestName: NearestName,
): void {
  for (const column of columns) {
    const count = names.filter((name) => name === column).length;
    if (count === 1) continue;
    const listed = names.slice(0, 60).map((name) => name.slice(0, 60).toWellFormed());
    const suggestion = nearestName(column, names);
    throw new OperatorError(
      count > 1
        ? `${fileName} has ${count} columns with the name ${column}.`
        : `${fileName} has no column ${column}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`} Its columns are ${listed.join(", ")}.`,
    );
  }
}
