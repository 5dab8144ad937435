import { isVisible } from "@beatmarket/foundation/text/visible-text.ts";

// Patterns for the published document, of what `readValues` refuses: in escapes that the regular expressions of every
// language know, so without \p{…}. A test holds them against the code points that the server refuses.

/** Control characters, and what turns the direction of text. */
const refused = "\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069";

/**
 * What no one can see, as ranges up to U+FFFF. Beyond, the server refuses such characters as well; in a class they need a
 * flag that validators of documents do not set.
 */
const invisible = rangesOf((character) => !isVisible(character));

/** A character that is not white space, as `trim` has it. */
export const notBlank = "[^\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]";

/** Text on one line, with something to see. */
export const visibleLine = `^[^${refused}]*[^${invisible}][^${refused}]*$`;

/** Text that may have line breaks, with something to see. */
export const visibleText = `^(?:[^${refused}]|\\r?\\n)*[^${invisible}](?:[^${refused}]|\\r?\\n)*$`;

/** A class's content: the characters up to U+FFFF, surrogates aside, of which `has` is true. */
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
