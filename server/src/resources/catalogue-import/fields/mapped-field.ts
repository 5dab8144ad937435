import Type, { type Static } from "typebox";

/** A value that was replaced, because it could not be read or was out of range. */
export interface Repair {
  field: string;
  /** The problem, one of a few texts by which repairs are counted. */
  problem: string;
  given: string;
  /** The value of the beat instead; null: none, or the default of the field. */
  taken: unknown;
}

/** Records that a value was replaced. */
export type Repaired = (problem: string, original: string, replacement: unknown) => void;

// The settings of a field in MAP.json.

const closed = { additionalProperties: false };
export const settingText = Type.String({ minLength: 1 });

/** Either `column` or `value` is there; `readMapping` sees to it. */
const anyField = {
  /** The column to read. A column of a joined file is `join.column`. */
  column: Type.Optional(settingText),
  /** The value of every row, instead of a column. */
  value: Type.Optional(settingText),
  /** Used for an empty cell. */
  default: Type.Optional(Type.String()),
  /** Words that count as an empty cell in this column. They replace the file's words. */
  null_words: Type.Optional(Type.Array(Type.String())),
};

/** The form of a field with additional settings. */
export const fieldWith = <Settings extends Type.TProperties>(settings: Settings) =>
  Type.Object({ ...anyField, ...settings }, closed);

export const field = Type.Object(anyField, closed);
export type MappedField = Static<typeof field>;
