import { cleanText } from "../fields/name-field.ts";
import type { MappedField, Mapping } from "../mapping.ts";
import type { Row } from "./row.ts";

/** Texts remembered with what they mean: data sets repeat their keys, dates and genres. */
const maxRemembered = 5000;

/** How a mapping's fields are read out of rows, and the count of what had to be repaired on the way. */
export class Cells {
  /** What was read with something else in its place, by how often. */
  readonly repairs = new Map<string, number>();
  readonly #nullWords: readonly string[];
  readonly #indexOf: (column: string) => number;

  constructor(mapping: Mapping, indexOf: (column: string) => number) {
    this.#nullWords = mapping.null_words ?? [];
    this.#indexOf = indexOf;
  }

  /** A field's text as it stands in the row, or its default; "" when the row says nothing. */
  text(field: Partial<MappedField> | undefined): (row: Row) => string {
    const fallback = field?.default ?? "";
    if (field?.column === undefined) return () => fallback;
    const index = this.#indexOf(field.column);
    // A list: to look a text up in a set, which is to hash it, takes five times as long.
    const nothing = field.null_words ?? this.#nullWords;
    return ({ values }) => {
      const value = values[index] ?? "";
      if (value === "") return fallback;
      const trimmed = value.trim();
      return trimmed === "" || nothing.includes(trimmed) ? fallback : value;
    };
  }

  /** The same, tidied; `name` is what its repairs are counted under. */
  clean(name: string, field: Partial<MappedField> | undefined): (row: Row) => string {
    const text = this.text(field);
    return (row) => this.tidy(name, text(row));
  }

  tidy(name: string, given: string): string {
    const { text, hadControls } = cleanText(given);
    if (hadControls) this.repaired(`${name}: control characters`);
    return text;
  }

  /** A field that may be missing: what `parse` cannot read becomes `otherwise` and is counted. */
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

/** Remembers the answers to the latest questions. */
export function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const found = answer(text);
    if (answers.size >= maxRemembered) answers.clear();
    answers.set(detached(text), found);
    return found;
  };
}

/** The same text, but no part of a larger one that it would keep in memory. */
export const detached = (text: string): string => `${text} `.slice(0, -1);
