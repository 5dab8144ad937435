import type { Json } from "../../../../contract/snippets/call.ts";
import { visibleJson } from "../../../../contract/snippets/source-text.ts";

export type { Json };

/** A value as JSON. Invisible characters and characters that change the text direction are escaped. */
export const jsonText = (value: string | number | boolean | null): string => visibleJson(value);

/** Parses a text as JSON; undefined if it is not JSON. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The path to a value: field names and array indexes. */
export type Path = readonly (string | number)[];

/** A path as programs write it: `data[0].title`; a name that is not an identifier is in brackets. */
export const pathText = (path: Path): string => path.map(stepText).join("").replace(/^\./, "");

function stepText(step: Path[number]): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${jsonText(step)}]`;
}

/** The value at a path; undefined if it does not exist. */
export function valueAt(value: Json, path: Path): Json | undefined {
  if (path.length === 0) return value;
  const [step = "", ...steps] = path;
  const isThere =
    typeof step === "number"
      ? Array.isArray(value)
      : typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isThere || !Object.hasOwn(value as object, step)) return undefined;
  return valueAt((value as Record<string, Json>)[step] as Json, steps);
}

export const samePath = (path: Path, otherPath: Path): boolean =>
  path.length === otherPath.length && path.every((step, index) => step === otherPath[index]);
