import type { FileColumns } from "../mapping.ts";
import type { Row } from "../row.ts";
import { JsonObjects } from "./json-objects.ts";

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

  /** The rows that this piece of text completes. */
  push(piece: string): Row[] {
    const lines = (this.#text + piece).split("\n");
    this.#text = lines.pop() ?? "";
    const rows = lines.flatMap((line) => this.#rowsOf(line));
    if (this.#text.length > maxLineLength) {
      const [text, line] = [this.#text, this.#line];
      if (!this.#isSkippingLine)
        rows.push({ line, values: [], problem: "the line is longer than a row can be", raw: () => text });
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
    return given === "" ? [] : [this.#objects.row(given, line, "line", text)];
  }
}
