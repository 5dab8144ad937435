/**
 * UTF-8's byte order mark, which a CSV file begins with: Excel takes one without it for Windows-1252, and shows Ã³ for ó. Programs
 * leave it out when they decode (in Python utf-8-sig).
 */
export const byteOrderMark = "\ufeff";

/**
 * A text as a field of a CSV file, always quoted (RFC 4180). What a spreadsheet would read as a formula gets an apostrophe
 * before it (OWASP, CSV Injection), which makes it text.
 */
export const csvText = (value: string): string =>
  `"${(/^[\s=+\-@＝＋－＠]/u.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
