import type { Field } from "../../call/operations.ts";

/** The two ends of a range, which are separate parameters. */
export interface Range {
  /** The limited property: `bpm` for `bpm_min` and `bpm_max`. */
  name: string;
  from: Field;
  to: Field;
}

/** The endings of the names of a range's parameters. */
const endings = [
  ["_min", "_max"],
  ["_after", "_before"],
] as const;

/** Fields in order, with a range at the position of its first end. */
export function withRanges(fields: readonly Field[]): (Field | Range)[] {
  const usedFields = new Set<Field>();
  const controls: (Field | Range)[] = [];
  for (const field of fields) {
    if (usedFields.has(field)) continue;
    const range = rangeOf(field, fields);
    controls.push(range ?? field);
    if (range !== undefined) for (const end of [range.from, range.to]) usedFields.add(end);
  }
  return controls;
}

function rangeOf(field: Field, fields: readonly Field[]): Range | undefined {
  if (field.kind !== "integer" && field.kind !== "number" && field.kind !== "date-time") return undefined;
  for (const [low, high] of endings) {
    const ending = [low, high].find((each) => field.name.endsWith(each));
    if (ending === undefined) continue;
    const name = field.name.slice(0, -ending.length);
    const fieldNamed = (each: string) =>
      fields.find((other) => other.name === name + each && other.kind === field.kind);
    const [from, to] = [fieldNamed(low), fieldNamed(high)];
    if (from !== undefined && to !== undefined) return { name, from, to };
  }
  return undefined;
}

/**
 * Returns the text of one end of a range. An end beyond the other one becomes equal to it. A text that is not a number
 * or time is unchanged, so that the API refuses it.
 */
export function boundEnd(end: "from" | "to", text: string, other: string, kind: Field["kind"]): string {
  const amount = (value: string): number => {
    if (value === "") return Number.NaN;
    return kind === "date-time" ? Date.parse(value) : Number(value);
  };
  const isInverted = end === "from" ? amount(text) > amount(other) : amount(text) < amount(other);
  return isInverted ? other : text;
}
