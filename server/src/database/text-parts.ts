// Searches of operators for a part of a text, which indexes of trigrams answer (pg_trgm).

/** The most matches of one kind that a search looks at, the newest first. */
export const maxMatches = 10_000;

/** What `ilike` takes for a text that contains this one. */
export const containing = (text: string): string => `%${text.trim().replaceAll(/[\\%_]/g, "\\$&")}%`;

/** Whether an index finds it: by three letters or digits in a row. Others are looked for among the newest rows. */
export const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);
