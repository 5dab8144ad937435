import { type FileHandle, open } from "node:fs/promises";

/** Reads a file from front to back, and skips what is not needed. */
export class ByteReader {
  /** Of the next byte. */
  position = 0;
  readonly size: number;
  readonly #file: FileHandle;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  static async open(path: string): Promise<ByteReader> {
    const file = await open(path);
    return new ByteReader(file, (await file.stat()).size);
  }

  get remaining(): number {
    return Math.max(0, this.size - this.position);
  }

  /** The next bytes: fewer at the end of the file. */
  async read(bytes: number): Promise<Uint8Array> {
    const wanted = Math.min(bytes, this.remaining);
    // Of its own memory, so that its parts can be viewed as any typed array.
    const buffer = new Uint8Array(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#file.read(buffer, filled, wanted - filled, this.position);
      if (bytesRead === 0) break;
      filled += bytesRead;
      this.position += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  /** The next bytes as a view; null when the file has fewer. */
  async view(bytes: number): Promise<DataView | null> {
    const read = await this.read(bytes);
    return read.length === bytes ? new DataView(read.buffer, read.byteOffset, bytes) : null;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

export const ascii = (view: DataView, offset: number, length: number): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length));
