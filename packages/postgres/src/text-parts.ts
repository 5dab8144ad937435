// Searches of operators for a part of a text, which indexes of trigrams answer (pg_trgm).

/** The most matches of one kind that a search looks at, the newest first. */
export const maxMatches = 10_000;

/** The pattern of `ilike` for texts that contain this text. */
export const containing = (text: string): string => `%${text.trim().replaceAll(/[\\%_]/g, "\\$&")}%`;

/** Whether an index can search for the text, which needs three letters or digits in a row. Other texts are searched in the newest rows. */
export const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);
