import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { unusable } from "../media-task.ts";

const endSignature = Buffer.from("PK\x05\x06", "latin1");
const endBytes = 22;
const blockBytes = 256 * 1024;
/** The longest comment. Programs search for the end of an archive within this distance. */
const maxCommentBytes = 0xffff;

/** Opens a ZIP file. Like `unzip`, accepts other bytes after its end. Does not decode names. */
export async function openZip(file: string): Promise<ZipFile> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const options = { autoClose: false, lazyEntries: true, decodeStrings: false } as const;
    return await fromRandomAccessReaderPromise(new HandleReader(handle), await endOfArchive(handle, size), options);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The offset of the end of an archive. Refuses a second end record, since programs differ in which one they use. */
async function endOfArchive(handle: FileHandle, size: number): Promise<number> {
  const tail = Buffer.alloc(Math.min(size, 2 * (endBytes + maxCommentBytes)));
  await handle.read(tail, 0, tail.length, size - tail.length);
  const ends: number[] = [];
  for (
    let offset = tail.lastIndexOf(endSignature);
    offset >= 0;
    offset = offset === 0 ? -1 : tail.lastIndexOf(endSignature, offset - 1)
  ) {
    if (offset + endBytes > tail.length) continue;
    const end = offset + endBytes + tail.readUInt16LE(offset + 20);
    if (end <= tail.length) ends.push(size - tail.length + end);
  }
  const [end, second] = ends;
  if (end === undefined)
    throw unusable(
      "The ZIP file has no list of files at its end: it is cut off, or other data follows it. Pack or upload the stems again.",
    );
  if (second !== undefined)
    throw unusable(
      "The ZIP file has the end of a ZIP file twice: pack the stems again, without another ZIP file in it.",
    );
  return end;
}

/** Reads a range in blocks. Unlike a stream of the file handle, does not close the handle. */
async function* readRange(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let offset = start; offset < end; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(blockBytes, end - offset)), 0, null, offset);
    if (bytesRead === 0) throw new Error("unexpected EOF");
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
  }
}

class HandleReader extends RandomAccessReader {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    super();
    this.#handle = handle;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.#handle, start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#handle
      .read(buffer, offset, length, position)
      .then(({ bytesRead }) => callback(bytesRead < length ? new Error("unexpected EOF") : null), callback);
  }

  override close(callback: (error: Error | null) => void): void {
    this.#handle.close().then(() => callback(null), callback);
  }
}
