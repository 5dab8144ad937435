import type { Row } from "./row.ts";

export interface CsvForm {
  /** One character. */
  delimiter: string;
  /** One character, or "" when fields are never quoted. */
  quote: string;
}

/** Longer rows are rejected, which bounds memory if a quote is not closed, or if the file has no line breaks. */
const maxRowLength = 1024 * 1024;

/**
 * Splits delimited text into rows as it arrives (RFC 4180; rows end in LF, CRLF or CR). A malformed row has a problem.
 * A quote that is never closed rejects only its line: parsing resumes at the next line, so that a stray quote does not
 * swallow the rest of the file.
 */
export class CsvReader {
  readonly #delimiter: string;
  readonly #quote: string;
  #text = "";
  #position = 0;
  /** The line number of the row that begins at #position. */
  #line: number;
  #isEnd = false;
  /** The position of the next quote; before #position if it is not yet known. */
  #nextQuote = -1;
  /** The line end of the first line: a line feed (a carriage return before it is dropped), or a carriage return. */
  #lineEnd = "";
  #isSkippingLine = false;

  /** `line` is the number of the first line. */
  constructor(form: CsvForm, line = 1) {
    this.#line = line;
    this.#delimiter = form.delimiter;
    this.#quote = form.quote;
  }

  /** Returns the rows that this piece of text completes. */
  push(piece: string): Row[] {
    this.#text = this.#text.slice(this.#position) + piece;
    this.#position = 0;
    this.#nextQuote = -1;
    return this.#rows();
  }

  /** Returns the remaining rows: a last row without a line break, or the rows from an unclosed quote on. */
  end(): Row[] {
    this.#isEnd = true;
    return this.#rows();
  }

  /** Whether the text read so far ends within a line. */
  get endsWithinLine(): boolean {
    return this.#text !== "" && (this.#lineEnd === "" || !this.#text.endsWith(this.#lineEnd));
  }

  #rows(): Row[] {
    const rows: Row[] = [];
    if (this.#lineEnd === "" && !this.#findLineEnd()) return rows;
    for (;;) {
      if (this.#isSkippingLine && !this.#skipLine()) break;
      if (this.#position >= this.#text.length) break;
      const row = this.#row();
      if (row === null) break;
      // An empty line is not a row.
      if (row.values.length !== 1 || row.values[0] !== "" || row.raw() !== "") rows.push(row);
    }
    return rows;
  }

  /** False if more text is needed to decide. */
  #findLineEnd(): boolean {
    const index = this.#text.search(/[\r\n]/);
    const isReturn = this.#text[index] === "\r";
    const isEarly = index < 0 || (isReturn && index + 1 === this.#text.length);
    if (isEarly && !this.#isEnd && this.#text.length <= maxRowLength) return false;
    this.#lineEnd = isReturn && this.#text[index + 1] !== "\n" ? "\r" : "\n";
    return true;
  }

  /** Returns the row at #position; null if its end has not arrived. */
  #row(): Row | null {
    const start = this.#position;
    const newline = this.#text.indexOf(this.#lineEnd, start);
    const lineEnd = newline < 0 ? this.#text.length : newline;
    if (this.#quoteFrom(start) >= lineEnd) {
      if (newline >= 0 || this.#isEnd) return this.#rowUntil(lineEnd, this.#plainValues(start, lineEnd));
      return this.#text.length - start > maxRowLength ? this.#reject("is longer than a row can be") : null;
    }
    return this.#quotedRow(start);
  }

  #quotedRow(start: number): Row | null {
    const text = this.#text;
    const values: string[] = [];
    let index = start;
    for (;;) {
      if (text[index] === this.#quote) {
        const close = this.#closingQuote(index + 1);
        if (close === null) {
          if (!this.#isEnd && text.length - start <= maxRowLength) return null;
          return this.#reject(`opens a quote in column ${values.length + 1} that is not closed`);
        }
        // The next character decides whether the quote closes the value.
        if (close + 1 >= text.length && !this.#isEnd) return null;
        const inside = text.slice(index + 1, close);
        values.push(inside.includes(this.#quote) ? inside.replaceAll(this.#quote + this.#quote, this.#quote) : inside);
        index = close + 1;
        if (text[index] === "\r" && this.#lineEnd === "\n") {
          if (index + 1 >= text.length && !this.#isEnd) return null;
          if (index + 1 >= text.length || text[index + 1] === "\n") index++;
        }
        if (index >= text.length || text[index] === this.#lineEnd) return this.#takeLines(index, values);
        if (text[index] !== this.#delimiter)
          return this.#reject(`has text after the closing quote of column ${values.length}`);
        index++;
      } else {
        const newline = text.indexOf(this.#lineEnd, index);
        const delimiter = text.indexOf(this.#delimiter, index);
        if (delimiter >= 0 && (newline < 0 || delimiter < newline)) {
          values.push(text.slice(index, delimiter));
          index = delimiter + 1;
        } else {
          if (newline < 0 && !this.#isEnd)
            return text.length - start > maxRowLength ? this.#reject("is longer than a row can be") : null;
          const end = newline < 0 ? text.length : newline;
          values.push(this.#withoutReturn(text.slice(index, end)));
          return this.#takeLines(end, values);
        }
      }
    }
  }

  /** The position of the quote that closes a value; null if it has not arrived. */
  #closingQuote(from: number): number | null {
    for (
      let index = this.#text.indexOf(this.#quote, from);
      index >= 0;
      index = this.#text.indexOf(this.#quote, index + 2)
    ) {
      if (this.#text[index + 1] !== this.#quote) return index;
    }
    return null;
  }

  #plainValues(start: number, end: number): string[] {
    return this.#withoutReturn(this.#text.slice(start, end)).split(this.#delimiter);
  }

  #withoutReturn(value: string): string {
    return this.#lineEnd === "\n" && value.endsWith("\r") ? value.slice(0, -1) : value;
  }

  #quoteFrom(start: number): number {
    if (this.#quote === "") return Number.POSITIVE_INFINITY;
    if (this.#nextQuote < start) {
      const next = this.#text.indexOf(this.#quote, start);
      this.#nextQuote = next < 0 ? Number.POSITIVE_INFINITY : next;
    }
    return this.#nextQuote;
  }

  /** Returns the row that ends at `end`, and moves #position after the line break there. */
  #rowUntil(end: number, values: string[], problem: string | null = null): Row {
    const text = this.#text;
    const start = this.#position;
    const line = this.#line;
    this.#position = Math.min(end + 1, text.length);
    this.#line++;
    return { line, values, problem, raw: () => this.#withoutReturn(text.slice(start, end)) };
  }

  /** Like `#rowUntil`, for a row whose quoted values may contain line breaks. */
  #takeLines(end: number, values: string[]): Row {
    const start = this.#position;
    const row = this.#rowUntil(end, values);
    for (let index = this.#text.indexOf(this.#lineEnd, start); index >= 0 && index < end; this.#line++)
      index = this.#text.indexOf(this.#lineEnd, index + 1);
    return row;
  }

  /** Rejects the line at #position, and only that line. */
  #reject(problem: string): Row {
    const newline = this.#text.indexOf(this.#lineEnd, this.#position);
    if (newline < 0 && !this.#isEnd) this.#isSkippingLine = true;
    return this.#rowUntil(newline < 0 ? this.#text.length : newline, [], `the row ${problem}`);
  }

  /** Skips the rest of a rejected line. Returns false if its end has not arrived. */
  #skipLine(): boolean {
    const newline = this.#text.indexOf(this.#lineEnd, this.#position);
    this.#position = newline < 0 ? this.#text.length : newline + 1;
    this.#isSkippingLine = newline < 0;
    return newline >= 0;
  }
}

/** Detects the most frequent delimiter in the first line of a file. Returns a comma if the line has no delimiter. */
export function detectDelimiter(firstLine: string, quote: string): string {
  const outside =
    quote === ""
      ? firstLine
      : firstLine
          .split(quote)
          .filter((_, index) => index % 2 === 0)
          .join("");
  const counts = [",", "\t", ";", "|"].map((delimiter) => ({ delimiter, count: outside.split(delimiter).length - 1 }));
  return counts.sort((a, b) => b.count - a.count)[0]?.delimiter ?? ",";
}

/** Parses a first line that sets the delimiter for Excel, such as `sep=;`. `rest` is the text after that line. */
export function separatorLine(start: string): { delimiter: string | null; rest: string } {
  const [line, delimiter] = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i.exec(start) ?? [];
  return line === undefined || delimiter === undefined
    ? { delimiter: null, rest: start }
    : { delimiter, rest: start.slice(line.length) };
}
