import { DamagedFile } from "./damaged-file.ts";
import { JsonObjects } from "./json-objects.ts";
import type { FileColumns, Row } from "./row.ts";

/** A longer object ends the reading, which bounds memory if a bracket or a quote is not closed. */
const maxObjectLength = 1024 * 1024;

const bracket = /["{}[\]]/g;
const stringEnd = /[^"\\]*(?:\\.[^"\\]*)*"/sy;

/** Splits an array or a sequence of JSON objects into rows as the text arrives. Objects may have line breaks. */
export class JsonValuesReader {
  readonly #objects: JsonObjects;
  readonly #isArray: boolean;
  #text = "";
  /** The position at which the scan continues. */
  #position = 0;
  /** The beginning of the current object; negative between objects. */
  #start = -1;
  #depth = 0;
  #line = 1;
  /** The position up to which lines are counted. */
  #counted = 0;
  #state: "before" | "in" | "after";
  /** The damage that ended the reading: text between objects, a too long object, or an early end. */
  damage: DamagedFile | null = null;

  /** `start` is the beginning of the file. */
  constructor(columns: FileColumns, start: string) {
    this.#objects = new JsonObjects(columns);
    this.#isArray = start.trimStart().startsWith("[");
    this.#state = this.#isArray ? "before" : "in";
  }

  get names(): string[] {
    return this.#objects.names;
  }

  get endsWithinLine(): boolean {
    return this.#start >= 0;
  }

  /** Returns the rows that this piece of text completes. */
  push(piece: string): Row[] {
    if (this.damage !== null) return [];
    this.#text += piece;
    const rows: Row[] = [];
    try {
      this.#read(rows);
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      this.damage = error;
    }
    return rows;
  }

  /** Returns an object without end as a row with a problem. */
  end(): Row[] {
    if (this.damage !== null) return [];
    const isOpen = this.#start >= 0;
    if (isOpen || (this.#isArray && this.#state !== "after"))
      this.damage = new DamagedFile("the JSON ends before its last bracket; it was probably not copied completely");
    const text = this.#text.slice(Math.max(0, this.#start));
    return isOpen
      ? [{ line: this.#lineAt(this.#start), values: [], problem: "the object has no end", raw: () => text }]
      : [];
  }

  #read(rows: Row[]): void {
    this.#scan(rows);
    this.#drop();
    if (this.#start >= 0 && this.#text.length > maxObjectLength)
      throw new DamagedFile(`the object that begins in line ${this.#lineAt(this.#start)} is longer than a row can be`);
  }

  #scan(rows: Row[]): void {
    for (;;) {
      bracket.lastIndex = this.#position;
      const match = bracket.exec(this.#text);
      if (this.#depth === 0) this.#requireGap(match?.index ?? this.#text.length);
      if (match === null) {
        this.#position = this.#text.length;
        return;
      }
      const { index, 0: sign } = match;
      if (sign === '"') {
        stringEnd.lastIndex = index + 1;
        if (!stringEnd.test(this.#text)) {
          this.#position = index;
          return;
        }
        this.#position = stringEnd.lastIndex;
        continue;
      }
      this.#position = index + 1;
      const row = this.#step(sign, index);
      if (row !== null) rows.push(row);
    }
  }

  /** Handles a bracket. Returns the row that it completes; null if it completes none. */
  #step(sign: string, index: number): Row | null {
    const isOpening = sign === "{" || sign === "[";
    if (this.#depth === 0) {
      if (this.#state === "before" && sign === "[") this.#state = "in";
      else if (this.#state === "in" && this.#isArray && sign === "]") this.#state = "after";
      else if (this.#state === "in" && isOpening) {
        this.#start = index;
        this.#depth = 1;
      } else throw this.#unexpected(index);
      return null;
    }
    this.#depth += isOpening ? 1 : -1;
    if (this.#depth > 0) return null;
    const row = this.#objects.row(this.#text.slice(this.#start, index + 1), this.#lineAt(this.#start), "element");
    this.#start = -1;
    return row;
  }

  /** Only spaces, and in an array commas, are allowed between objects. */
  #requireGap(end: number): void {
    const gap = this.#text.slice(this.#position, end);
    const other = gap.search(this.#state === "in" && this.#isArray ? /[^\s,]/ : /\S/);
    if (other >= 0) throw this.#unexpected(this.#position + other);
    if (this.#text[end] === '"') throw this.#unexpected(end);
  }

  #unexpected(index: number): DamagedFile {
    const excerpt = JSON.stringify(this.#text.slice(index, index + 20));
    return new DamagedFile(`in line ${this.#lineAt(index)} there is ${excerpt}, where an object should begin`, true);
  }

  #lineAt(index: number): number {
    for (; this.#counted < index; this.#counted++) if (this.#text[this.#counted] === "\n") this.#line++;
    return this.#line;
  }

  /** Drops the text of objects that are complete. */
  #drop(): void {
    const consumed = this.#start >= 0 ? this.#start : this.#position;
    this.#lineAt(consumed);
    this.#text = this.#text.slice(consumed);
    this.#position -= consumed;
    this.#counted -= consumed;
    if (this.#start >= 0) this.#start = 0;
  }
}
