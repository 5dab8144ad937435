import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { DamagedFile } from "./damaged-file.ts";
import { kindBytes, unreadKind } from "./file-kinds.ts";
import { gunzipped } from "./gunzip.ts";

// Small, so that decompressed pieces are small too and reading never keeps the database waiting.
const chunkBytes = 32 * 1024;

/** An open file, decompressed if it is gzip. */
export interface FileBytes {
  /** Its name in messages. */
  name: string;
  /** The size of the file as stored; null for standard input. */
  sizeBytes: number | null;
  /** How much of `sizeBytes` has been read. */
  readBytes(): number;
  /** Can be iterated once. Throws a DamagedFile where a gzip file is truncated or damaged. */
  chunks: AsyncIterable<Buffer>;
  /** Closes the file, whether or not it was read to its end. */
  close(): void;
}

/** Opens a file, or standard input for "-". Throws an OperatorError when it cannot be read. */
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
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) {
        readBytes += chunk.length;
        yield Buffer.from(chunk);
      }
    } catch (error) {
      throw new DamagedFile(`the file cannot be read on: ${reason(error)}`);
    }
  }
  return { name, sizeBytes, readBytes: () => readBytes, chunks: unpacked(name, counted()), close };
}

async function* unpacked(name: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < kindBytes) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  const kind = unreadKind(start);
  if (kind !== null) throw new OperatorError(`${name} ${kind}.`);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  yield* isGzip ? gunzipped(following(start, chunks)) : following(start, chunks);
}

async function* following(start: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
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
