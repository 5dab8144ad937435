import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { DamagedFile } from "./damaged-file.ts";
import { gunzip } from "./gunzip.ts";

interface FileKind {
  start: string;
  /** The kind of file, and the remedy. */
  sentence: string;
}

const unpack = (name: string, command: string) =>
  `is compressed with ${name}; unpack it first, such as with ${command}`;
const saveAsCsv = "open it and save it as CSV in UTF-8";

/** Kinds of files, with their first bytes as Latin-1. */
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

/** Enough bytes to recognize each kind. */
const kindBytes = Math.max(...kinds.map(({ start }) => start.length));

/** Describes an unsupported kind of file, as the rest of a sentence; null for a file that may be text or gzip. */
function unsupportedKind(start: Buffer): string | null {
  const text = start.toString("latin1", 0, kindBytes);
  return kinds.find((kind) => text.startsWith(kind.start))?.sentence ?? null;
}

// Small, so that also the decompressed pieces are small, and a long piece never delays work on the database.
const chunkBytes = 32 * 1024;

/** An open file, decompressed if it is gzip. */
export interface FileBytes {
  /** The name of the file in messages. */
  name: string;
  /** The size of the file as stored; null for standard input, and for a path that is not a regular file. */
  sizeBytes: number | null;
  /** The number of bytes read so far, out of `sizeBytes`. */
  readBytes(): number;
  /**
   * Can be iterated once. Throws an OperatorError for a file of an unsupported kind. Throws a DamagedFile where a gzip
   * file is truncated or damaged, and where the rest of a file cannot be read.
   */
  chunks: AsyncIterable<Buffer>;
  /** Closes the file, whether or not it was read to its end. */
  close(): void;
}

/** Opens a file, or standard input for "-". Throws an OperatorError if it cannot be read. */
export async function openFileBytes(path: string): Promise<FileBytes> {
  if (path === "-") return fileBytes("standard input", null, process.stdin, () => process.stdin.destroy());
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${reason(error)}.`);
  }
  const stat = await handle.stat();
  if (stat.isDirectory()) {
    await handle.close();
    throw new OperatorError(`${path} is a folder; import takes a file.`);
  }
  const stream = createReadStream(path, { fd: handle, highWaterMark: chunkBytes });
  const size = stat.isFile() ? stat.size : null;
  return fileBytes(path, size, stream, () => stream.destroy());
}

function fileBytes(
  name: string,
  sizeBytes: number | null,
  stream: AsyncIterable<Buffer | string>,
  close: () => void,
): FileBytes {
  let readBytes = 0;
  async function* countingChunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) {
        readBytes += chunk.length;
        yield Buffer.from(chunk);
      }
    } catch (error) {
      throw new DamagedFile(`the rest of the file cannot be read: ${reason(error)}`);
    }
  }
  return { name, sizeBytes, readBytes: () => readBytes, chunks: decompress(name, countingChunks()), close };
}

async function* decompress(name: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < kindBytes) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  const kind = unsupportedKind(start);
  if (kind !== null) throw new OperatorError(`${name} ${kind}.`);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  yield* isGzip ? gunzip(withStart(start, chunks)) : withStart(start, chunks);
}

async function* withStart(start: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  yield* chunks;
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

function reason(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
