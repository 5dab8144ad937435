interface FileKind {
  start: string;
  /** What it is, and what to do. */
  sentence: string;
}

const unpack = (name: string, command: string) =>
  `is compressed with ${name}; unpack it first, such as with ${command}`;
const saveAsCsv = "open it and save it as CSV in UTF-8";

/** By the bytes that they begin with, as Latin-1. */
const kinds: readonly FileKind[] = [
  { start: "\x28\xb5\x2f\xfd", sentence: unpack("zstd", "zstd -d") },
  { start: "\xfd7zXZ\0", sentence: unpack("xz", "xz -d") },
  ...Array.from({ length: 9 }, (_, level) => ({
    start: `BZh${level + 1}1AY&SY`,
    sentence: unpack("bzip2", "bzip2 -d"),
  })),
  { start: "\x04\x22\x4d\x18", sentence: unpack("lz4", "lz4 -d") },
  { start: "\x1f\x9d", sentence: unpack("compress", "uncompress") },
  { start: "7z\xbc\xaf\x27\x1c", sentence: unpack("7-Zip", "7z x") },
  {
    start: "PK\x03\x04",
    sentence: `is a ZIP file, as spreadsheets (.xlsx, .ods, .numbers) are; unpack it first, or ${saveAsCsv}`,
  },
  { start: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", sentence: `is an old Excel file (.xls); ${saveAsCsv}` },
  { start: "SQLite format 3\0", sentence: "is an SQLite database; export its table as CSV" },
  { start: "PAR1", sentence: "is a Parquet file; export it as CSV" },
  { start: "%PDF-", sentence: "is a PDF; import takes CSV, TSV or JSON" },
];

/** Enough bytes to know each kind. */
export const kindBytes = Math.max(...kinds.map(({ start }) => start.length));

/** What a file is that is not read, as the rest of a sentence; null for what may be text or gzip. */
export function unreadKind(start: Buffer): string | null {
  const text = start.toString("latin1", 0, kindBytes);
  return kinds.find((kind) => text.startsWith(kind.start))?.sentence ?? null;
}
