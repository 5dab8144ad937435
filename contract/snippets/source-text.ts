import type { Json } from "./call.ts";

/** The syntax of values in a language. */
export interface Notation {
  /** The literal of a text. */
  text(text: string): string;
  words: { null: string; true: string; false: string };
  /** The brackets of an array. Spaces inside them appear only if the array is on one line. */
  array: [open: string, close: string];
  object: [open: string, close: string];
  member(name: string, value: string): string;
  /** The brackets for an object that a plain literal would change: an empty object, or one with unusual names. */
  oddObject?: (object: Record<string, Json>) => [open: string, close: string] | undefined;
  /** The indentation of one level. */
  indent: string;
  trailingComma: "," | "";
}

/** Longer lines are broken between the arguments. */
const lineWidth = 100;

/** A value as an expression of a language. */
export function literal(value: Json, notation: Notation): string {
  if (value === null) return notation.words.null;
  if (typeof value === "boolean") return notation.words[`${value}`];
  if (typeof value === "number") return JSON.stringify(value);
  if (typeof value === "string") return notation.text(value.toWellFormed());
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, notation));
    return bracketed(notation.array, items, notation);
  }
  const members = Object.entries(value).map(([name, value]) =>
    notation.member(name.toWellFormed(), literal(value, notation)),
  );
  return bracketed(notation.oddObject?.(value) ?? notation.object, members, notation);
}

/**
 * Items between brackets: on one line if they fit, else each on a line. `before` is the text in front of them on the
 * line.
 */
export function bracketed(
  [open, close]: [open: string, close: string],
  items: string[],
  { indent, trailingComma }: Pick<Notation, "indent" | "trailingComma">,
  before = "",
): string {
  if (items.length === 0) return `${open.trim()}${close.trim()}`;
  const inline = `${open}${items.join(", ")}${close}`;
  if (!inline.includes("\n") && before.length + inline.length <= lineWidth) return inline;
  const lines = items.map((item) => `${indent}${item.replaceAll("\n", `\n${indent}`)}`);
  return `${open.trimEnd()}\n${lines.join(",\n")}${trailingComma}\n${close.trimStart()}`;
}

/**
 * Escapes characters that are invisible or that reorder text: control and format characters, and line ends that only
 * some languages recognize. `escaped` gets the code point in hexadecimal.
 */
export const escapeInvisible = (text: string, escaped: (hex: string) => string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, (character) =>
    escaped(character.codePointAt(0)?.toString(16) ?? ""),
  );

/** JSON on one line, without invisible characters. */
export const visibleJson = (value: Json): string => escapeInvisible(JSON.stringify(value), jsonEscape);

/** A JSON string literal without invisible characters, which is also a literal of JavaScript. */
export const jsonText = (text: string): string => escapeInvisible(JSON.stringify(text), jsonEscape);

/** `\uXXXX`; two surrogates for a code point beyond U+FFFF. */
function jsonEscape(hex: string): string {
  const units = [...String.fromCodePoint(Number.parseInt(hex, 16)).matchAll(/[\s\S]/g)];
  return units.map(([unit]) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

/** `display_name` → `displayName`. */
export const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
