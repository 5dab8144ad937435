// Patterns for the published document, of what `readValues` refuses: in escapes that the regular expressions of every
// language know, so without \p{…}. A test holds them against the code points that the server refuses.

/** Control characters, and what turns the direction of text. */
const refused = "\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069";

/**
 * What nobody can see: spaces, format characters, and code points that are ignored where a font lacks them. Those beyond
 * U+FFFF are refused as well; in a class they need a flag that validators of documents do not set.
 */
const invisible =
  "\\u0000- \\u007f-\\u00a0\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160\\u1680" +
  "\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff" +
  "\\uffa0\\ufff0-\\ufffb";

/** A character that is not white space, as `trim` has it. */
export const notBlank = "[^\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]";

/** Text on one line, with something to see. */
export const visibleLine = `^[^${refused}]*[^${invisible}][^${refused}]*$`;

/** Text that may have line breaks, with something to see. */
export const visibleText = `^(?:[^${refused}]|\\r?\\n)*[^${invisible}](?:[^${refused}]|\\r?\\n)*$`;
