// Cleans texts of a file before they are stored.

import { hasBidiControl, isVisible, withoutBidiControls } from "@beatmarket/foundation/text/visible-text.ts";

const plain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const control = /[\0-\x1f\x7f-\x9f\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const gaps = /[\0-\x1f\x7f-\x9f\u2028\u2029]+/g;
const misreadWindows1252 = /[\x80-\x9f]/g;
const outerGap = /[\s\u200b\u2060]/;
const format = /\p{Cf}/gu;

const windows1252 = new TextDecoder("windows-1252");

export interface CleanText {
  /** NFC, trimmed; "" if the text has no visible character. */
  text: string;
  /**
   * Whether the trimmed original had control characters. C1 controls are decoded as Windows-1252, direction controls
   * are removed, other controls become a space.
   */
  hadControls: boolean;
}

/**
 * Cleans a text. Keeps direction marks and joiners, which scripts and emoji need. Removes embeddings, overrides and
 * isolates, which would reorder adjacent text. Pure.
 */
export function cleanText(original: string): CleanText {
  if (plain.test(original)) return { text: original, hadControls: false };
  const hadControls = control.test(original.trim()) || hasBidiControl(original);
  const text = trimSpaces(withoutBidiControls(hadControls ? withoutControls(original) : original)).normalize("NFC");
  return { text: isVisible(text) ? text : "", hadControls };
}

function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && outerGap.test(text[start] ?? "")) start++;
  while (end > start && outerGap.test(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
}

const withoutControls = (text: string): string =>
  text
    .replace(misreadWindows1252, (character) => windows1252.decode(Uint8Array.of(character.charCodeAt(0))))
    .replace(gaps, " ");

/** The key under which names are compared. Ignores case, spacing, composition and invisible characters. */
export const nameKey = (name: string): string =>
  name.replace(format, "").replace(/\s+/g, " ").trim().normalize("NFC").toLowerCase();
