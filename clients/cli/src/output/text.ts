/** Control, format and bidirectional characters could change what a terminal shows. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const wide =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60])/u;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export const printable = (text: string): string => text.replace(unprintable, " ").trim();

const partsOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);
const widthOfPart = (part: string): number => (wide.test(part) ? 2 : 1);

/** The number of columns that a text occupies in a terminal. */
export const widthOf = (text: string): number =>
  /^[\x20-\x7e]*$/.test(text) ? text.length : partsOf(text).reduce((sum, part) => sum + widthOfPart(part), 0);

export const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)));

/** The text in at most `width` columns, with … at the cut. */
export function clipped(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let clippedText = "";
  let used = 1;
  for (const part of partsOf(text)) {
    used += widthOfPart(part);
    if (used > width) break;
    clippedText += part;
  }
  return `${clippedText}…`;
}

/**
 * A value in one cell. Of an object, its name, title, score or type, or else its JSON. Of a list, its items, or their number
 * if any of them is an object.
 */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value))
    return value.every((item) => typeof item !== "object" || item === null)
      ? value.map(cellOf).join(", ")
      : String(value.length);
  if (typeof value !== "object") return printable(String(value));
  const { name, title, score, type } = value as Record<string, unknown>;
  return cellOf(name ?? title ?? score ?? type ?? JSON.stringify(value));
}
