import type { Json } from "../../../../contract/snippets/call.ts";
import { visibleJson } from "../../../../contract/snippets/source-text.ts";

export type { Json };

/** A value as JSON in which characters that are invisible or turn the direction of text are escaped. */
export const jsonText = (value: string | number | boolean | null): string => visibleJson(value);

/** A text as JSON; undefined where it is none. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The way to a value: names of fields and places in arrays. */
export type Path = readonly (string | number)[];

/** A path as programs write it: `data[0].title`; a name that is no identifier in brackets. */
export const pathText = (path: Path): string =>
  path
    .map((step) =>
      typeof step === "number" ? `[${step}]` : /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${jsonText(step)}]`,
    )
    .join("")
    .replace(/^\./, "");

/** The value at a path; undefined where there is none. */
export function valueAt(value: Json, path: Path): Json | undefined {
  if (path.length === 0) return value;
  const [step = "", ...rest] = path;
  const isThere =
    typeof step === "number"
      ? Array.isArray(value)
      : typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isThere || !Object.hasOwn(value as object, step)) return undefined;
  return valueAt((value as Record<string, Json>)[step] as Json, rest);
}

export const samePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);
