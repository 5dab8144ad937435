import Type, { type Static } from "typebox";

// What MAP.json says of a field.

const closed = { additionalProperties: false };
export const settingText = Type.String({ minLength: 1 });

/** Either `column` or `value` is there; `readMapping` sees to it. */
const anyField = {
  /** The column that is read; one of a joined file as `join.column`. */
  column: Type.Optional(settingText),
  /** What every row has, instead of a column. */
  value: Type.Optional(settingText),
  /** Read instead of an empty cell. */
  default: Type.Optional(Type.String()),
  /** Words that stand for an empty cell in this column, in place of the file's words. */
  null_words: Type.Optional(Type.Array(Type.String())),
};

/** The form of a field with settings of its own. */
export const fieldWith = <Settings extends Type.TProperties>(settings: Settings) =>
  Type.Object({ ...anyField, ...settings }, closed);

export const field = Type.Object(anyField, closed);
export type MappedField = Static<typeof field>;
