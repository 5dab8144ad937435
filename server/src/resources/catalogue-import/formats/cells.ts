import type { MappedField } from "../fields/mapped-field.ts";
import { cleanText } from "../fields/parsers/name-field.ts";
import type { Mapping } from "../mapping.ts";
import type { Row } from "./row.ts";

/** Makes the functions that read a mapping's fields from rows, and counts repairs. */
export class Cells {
  /** How often a value was replaced, by what was wrong with it. */
  readonly repairs = new Map<string, number>();
  readonly #nullWords: readonly string[];
  readonly #indexOf: (column: string) => number;

  constructor(mapping: Mapping, indexOf: (column: string) => number) {
    this.#nullWords = mapping.null_words ?? [];
    this.#indexOf = indexOf;
  }

  /** Reads a field's text as it stands in the row, or its default; "" if the cell is empty. */
  text(field: Partial<MappedField> | undefined): (row: Row) => string {
    const fallback = field?.default ?? "";
    if (field?.column === undefined) return () => fallback;
    const index = this.#indexOf(field.column);
    // A list: looking a text up in a set, which hashes it, takes five times as long.
    const nothing = field.null_words ?? this.#nullWords;
    return ({ values }) => {
      const value = values[index] ?? "";
      if (value === "") return fallback;
      const trimmed = value.trim();
      return trimmed === "" || nothing.includes(trimmed) ? fallback : value;
    };
  }

  /** The same, tidied. Repairs are counted under `name`. */
  clean(name: string, field: Partial<MappedField> | undefined): (row: Row) => string {
    const text = this.text(field);
    return (row) => this.tidy(name, text(row));
  }

  tidy(name: string, given: string): string {
    const { text, hadControls } = cleanText(given);
    if (hadControls) this.repaired(`${name}: control characters`);
    return text;
  }

  /** Reads a field that may be missing. What `parse` cannot read (null) becomes `otherwise` and is counted. */
  optional<T>(
    name: string,
    field: Partial<MappedField> | undefined,
    parse: (text: string) => T | null,
    otherwise: T,
  ): (row: Row) => T {
    const text = this.text(field);
    return (row) => {
      const given = text(row);
      if (given === "") return otherwise;
      const value = parse(given);
      if (value === null) this.repaired(`${name}: not readable`);
      return value ?? otherwise;
    };
  }

  repaired(what: string): void {
    this.repairs.set(what, (this.repairs.get(what) ?? 0) + 1);
  }
}
