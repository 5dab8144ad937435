import Type, { type Static } from "typebox";

/** A value that is not taken as it is written: unreadable, out of range, ambiguous, or with control characters. */
export interface Repair {
  field: string;
  /** The kind of problem, one of a few texts by which repairs are counted. */
  problem: string;
  given: string;
  /** The replacement; null: no value, or the default of the field. */
  taken: unknown;
}

/** Records the replacement of a value. */
export type Repaired = (problem: string, original: string, replacement: unknown) => void;

// The settings of a field in MAP.json.

const closed = { additionalProperties: false };
export const settingText = Type.String({ minLength: 1 });

/** `readMapping` requires exactly one of `column` and `value`. */
const anyField = {
  /** The column to read. A column of a joined file is `join.column`. */
  column: Type.Optional(settingText),
  /** The value of every row, instead of a column. */
  value: Type.Optional(settingText),
  /** Used for an empty cell. */
  default: Type.Optional(Type.String()),
  /** Words that count as an empty cell in this column. They replace the `null_words` of the mapping. */
  null_words: Type.Optional(Type.Array(Type.String())),
};

/** The schema of a field with additional settings. */
export const fieldWith = <Settings extends Type.TProperties>(settings: Settings) =>
  Type.Object({ ...anyField, ...settings }, closed);

export const field = Type.Object(anyField, closed);
export type MappedField = Static<typeof field>;
