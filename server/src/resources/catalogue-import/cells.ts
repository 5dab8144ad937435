import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { cleanText } from "@beatmarket/tabular-files/cells/clean-text.ts";
import type { Row } from "@beatmarket/tabular-files/row.ts";
import type { MappedField, Repair, Repaired } from "./fields/mapped-field.ts";
import type { Mapping } from "./mapping.ts";

/** Creates the functions that read a mapping's fields from rows, and records repairs. */
export class Cells {
  /** The repairs since the caller last emptied the list. */
  repairs: Repair[] = [];
  readonly #nullWords: readonly string[];
  readonly #indexOf: (column: string) => number;

  constructor(mapping: Mapping, indexOf: (column: string) => number) {
    this.#nullWords = mapping.null_words ?? [];
    this.#indexOf = indexOf;
  }

  /**
   * Returns a function that reads a field's text from a row. For an empty cell, a null word, or a field without a
   * column: the field's value or default, or "".
   */
  text(field: Partial<MappedField> | undefined): (row: Row) => string {
    const fallback = field?.value ?? field?.default ?? "";
    if (field?.column === undefined) return () => fallback;
    const index = this.#indexOf(field.column);
    // An array, since a look-up in a set hashes the text, which takes five times as long.
    const nullWords = field.null_words ?? this.#nullWords;
    return ({ values }) => {
      const value = values[index] ?? "";
      if (value === "") return fallback;
      const trimmed = value.trim();
      return trimmed === "" || nullWords.includes(trimmed) ? fallback : value;
    };
  }

  /** Like `text`, but cleans the text, and records repairs under `name`. */
  clean(name: string, field: Partial<MappedField> | undefined): (row: Row) => string {
    const text = this.text(field);
    return (row) => this.tidy(name, text(row));
  }

  /** Cleans a text, and records a repair under `name` if the text had control characters. */
  tidy(name: string, original: string): string {
    const { text, hadControls } = cleanText(original);
    if (hadControls) this.repaired(name, "control characters", original, text);
    return text;
  }

  /**
   * Returns a function that reads a field that may be missing. A text that `parse` cannot read (null) becomes
   * `fallback`, which is recorded as a repair. Throws an OperatorError for a value of the mapping that cannot be read
   * or needs a repair.
   */
  optional<T>(
    name: string,
    field: Partial<MappedField> | undefined,
    parse: (text: string, repaired: Repaired) => T | null,
    fallback: T,
  ): (row: Row) => T {
    const text = this.text(field);
    const repaired: Repaired = (problem, original, replacement) => this.repaired(name, problem, original, replacement);
    const read = (original: string): T => {
      if (original === "") return fallback;
      const value = parse(original, repaired);
      if (value === null) repaired("not readable", original, fallback);
      return value ?? fallback;
    };
    if (field?.value !== undefined) return this.#constant(name, field.value, read);
    return (row) => read(text(row));
  }

  repaired(field: string, problem: string, original: string, replacement: unknown): void {
    this.repairs.push({ field, problem, given: original, taken: replacement });
  }

  /**
   * Reads the constant value that the mapping gives a field. Throws an OperatorError if the value cannot be read or
   * needs a repair.
   */
  #constant<T>(name: string, original: string, read: (text: string) => T): () => T {
    const value = read(original);
    const [repair] = this.repairs.splice(0);
    if (repair !== undefined)
      throw new OperatorError(
        `The mapping's fields.${name} has the value ${JSON.stringify(original)}, ${mistake(repair)}.`,
      );
    return () => value;
  }
}

const mistake = ({ problem }: Repair): string =>
  problem === "not readable" ? "which cannot be read" : `which cannot be used: ${problem}`;
