// Operators search for a part of a text. Indexes of trigrams (pg_trgm) answer these searches.

/** The maximum number of matches of one kind that a search reads, newest first. */
export const maxMatches = 10_000;

/** The pattern of `ilike` for texts that contain this text. */
export const containing = (text: string): string => `%${text.trim().replaceAll(/[\\%_]/g, "\\$&")}%`;

/**
 * Whether an index can search for the text, which needs three letters or digits in a row. Other texts are searched in
 * the newest rows.
 */
export const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);
