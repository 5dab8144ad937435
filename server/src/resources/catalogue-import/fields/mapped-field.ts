import Type, { type Static } from "typebox";

/** A value that was replaced, because it could not be read or was beyond a bound. */
export interface Repair {
  field: string;
  /** What was wrong with it: few texts, by which repairs are counted. */
  problem: string;
  given: string;
  /** What the beat has instead; null: nothing, or what is usual without the field. */
  taken: unknown;
}

/** Notes that a value was replaced. */
export type Repaired = (problem: string, given: string, taken: unknown) => void;

/** Data sets repeat their keys, dates and genres. */
const maxTexts = 5000;

/** Caches the results of `parse` for the latest texts. */
export function remembered<T>(parse: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = parse(text);
    if (results.size >= maxTexts) results.clear();
    results.set(detached(text), result);
    return result;
  };
}

/** A copy of a text that does not keep the larger text in memory that it is a slice of. */
export const detached = (text: string): string => `${text} `.slice(0, -1);

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
