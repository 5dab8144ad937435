/**
 * A text as a field of a CSV file, always quoted (RFC 4180). What a spreadsheet would read as a formula gets an apostrophe
 * before it (OWASP, CSV Injection), which makes it text.
 */
export const csvText = (value: string): string =>
  `"${(/^[\s=+\-@＝＋－＠]/u.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
