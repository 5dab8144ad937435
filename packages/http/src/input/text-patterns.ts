import { isVisible } from "@beatmarket/foundation/text/visible-text.ts";

// Patterns for the OpenAPI document. They describe which texts `readValues` accepts, with escapes that the regular
// expressions of every language support, so without \p{…}. A test compares the patterns with `readValues`.

/** Control characters, and characters that change the direction of text. */
const refusedCharacters = "\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069";

/**
 * Invisible characters, as ranges up to U+FFFF. Some higher code points are invisible, too, but a class with them needs
 * the `u` flag, which validators of documents do not set.
 */
const invisible = rangesOf((character) => !isVisible(character));

/** A character that is not white space, as `trim` defines it. */
export const notBlank = "[^\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]";

/** Text on one line, with at least one visible character. */
export const visibleLine = `^[^${refusedCharacters}]*[^${invisible}][^${refusedCharacters}]*$`;

/** Text that may have line breaks, with at least one visible character. */
export const visibleText = `^(?:[^${refusedCharacters}]|\\r?\\n)*[^${invisible}](?:[^${refusedCharacters}]|\\r?\\n)*$`;

/**
 * Returns the content of a character class: the characters up to U+FFFF, without surrogates, for which `has` is true.
 */
function rangesOf(has: (character: string) => boolean): string {
  const escaped = (code: number) => `\\u${code.toString(16).padStart(4, "0")}`;
  const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;
  let ranges = "";
  for (let code = 0; code <= 0xffff; code++) {
    if (isSurrogate(code) || !has(String.fromCharCode(code))) continue;
    const first = code;
    while (code < 0xffff && !isSurrogate(code + 1) && has(String.fromCharCode(code + 1))) code++;
    ranges += first === code ? escaped(first) : `${escaped(first)}-${escaped(code)}`;
  }
  return ranges;
}
