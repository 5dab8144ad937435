import type { Row } from "./row.ts";

/** Longer lines are rejected, which bounds memory. */
const maxLineLength = 1024 * 1024;
/** The most names that are kept for checking the mapping's columns. */
const maxNames = 1000;

/** Splits JSON lines into rows as they arrive. A column is the name of a property; `artist.name` is a nested one. */
export class JsonLinesReader {
  readonly #columns: readonly string[];
  readonly #names = new Set<string>();
  #text = "";
  #line = 1;
  #isSkippingLine = false;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  /** The names of properties seen so far. */
  get names(): string[] {
    return [...this.#names];
  }

  get endsWithinLine(): boolean {
    return this.#text !== "";
  }

  /** The rows that this piece of text completes. */
  push(piece: string): Row[] {
    const lines = (this.#text + piece).split("\n");
    this.#text = lines.pop() ?? "";
    const rows = lines.flatMap((line) => this.#rowsOf(line));
    if (this.#text.length > maxLineLength) {
      if (!this.#isSkippingLine) rows.push(this.#problem(this.#text, "the line is longer than a row can be"));
      this.#isSkippingLine = true;
      this.#text = "";
    }
    return rows;
  }

  /** The last row, where the file does not end in a line break. */
  end(): Row[] {
    return this.#text === "" ? [] : this.#rowsOf(this.#text);
  }

  /** One row; none for an empty line or the end of a rejected line. */
  #rowsOf(text: string): Row[] {
    const line = this.#line++;
    if (this.#isSkippingLine) {
      this.#isSkippingLine = false;
      return [];
    }
    const given = text.trim();
    if (given === "") return [];
    let value: unknown;
    try {
      value = parseJson(given);
    } catch (error) {
      return [this.#problem(text, `the line is not JSON: ${(error as Error).message}`, line)];
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return [this.#problem(text, "the line is not a JSON object", line)];
    const object = value as Record<string, unknown>;
    if (this.#names.size < maxNames) for (const name of Object.keys(object)) this.#names.add(name);
    return [
      { line, values: this.#columns.map((column) => this.#cell(object, column)), problem: null, raw: () => text },
    ];
  }

  #cell(object: Record<string, unknown>, column: string): string {
    if (Object.hasOwn(object, column)) return cellText(object[column]);
    let value: unknown = object;
    for (const name of column.split(".")) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return "";
      value = (value as Record<string, unknown>)[name];
    }
    if (this.#names.size < maxNames) this.#names.add(column);
    return cellText(value);
  }

  #problem(text: string, problem: string, line = this.#line): Row {
    return { line, values: [], problem, raw: () => text };
  }
}

/** Numbers too long for JavaScript, such as ids, keep their digits. */
function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value,
  );
}

function cellText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
