import { type FileHandle, open } from "node:fs/promises";

/** Reads a file from a position that moves forward. Set `position` to skip bytes. */
export class ByteReader {
  /** The offset of the next byte. */
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

  /** Reads the next bytes. Returns fewer bytes at the end of the file. */
  async read(bytes: number): Promise<Uint8Array> {
    const length = Math.min(bytes, this.remaining);
    // Not from Node's buffer pool, whose offsets may not be aligned for other typed arrays.
    const buffer = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#file.read(buffer, filled, length - filled, this.position);
      if (bytesRead === 0) break;
      filled += bytesRead;
      this.position += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  /** Reads the next bytes as a view. Returns null if the file has fewer bytes. */
  async view(bytes: number): Promise<DataView | null> {
    const chunk = await this.read(bytes);
    return chunk.length === bytes ? new DataView(chunk.buffer, chunk.byteOffset, bytes) : null;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

export const ascii = (view: DataView, offset: number, length: number): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length));
