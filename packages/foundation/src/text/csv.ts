/**
 * The byte order mark of UTF-8, for the start of a CSV file. Without it Excel decodes the file as Windows-1252 and
 * shows Ã³ for ó. Programs skip it when they decode the file (Python: utf-8-sig).
 */
export const byteOrderMark = "\ufeff";

/**
 * Quotes a text as a field of a CSV file (RFC 4180). Text that a spreadsheet would evaluate as a formula gets a leading
 * apostrophe (OWASP, CSV Injection).
 */
export const csvText = (value: string): string =>
  `"${(/^[\s=+\-@＝＋－＠]/u.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
