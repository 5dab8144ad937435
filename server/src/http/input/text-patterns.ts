/** A character that is not white space, as `trim` has it, in escapes that the regular expressions of every language know. */
export const notBlank = "[^\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]";
