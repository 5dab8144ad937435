import type { FileHandle } from "node:fs/promises";
import { BeatMarketError } from "./errors.ts";

/** A file that a download is written to, over several attempts. On Node, Deno and Bun. */
export class TargetFile {
  readonly path: string;
  /** That it has. */
  bytes: number;
  readonly #file: FileHandle;
  #bytesBefore: number;

  private constructor(path: string, bytes: number, file: FileHandle) {
    this.path = path;
    this.bytes = bytes;
    this.#file = file;
    this.#bytesBefore = bytes;
  }

  /** Opens an empty file, or with `keeps` one with the bytes that are there. Rejects with a BeatMarketError. */
  static async open(path: string, { keeps = false } = {}): Promise<TargetFile> {
    const { constants, open } = await import("node:fs/promises");
    const { O_CREAT, O_RDWR, O_TRUNC } = constants;
    try {
      const file = await open(path, O_CREAT | O_RDWR | (keeps ? 0 : O_TRUNC));
      return new TargetFile(path, (await file.stat()).size, file);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  /** Drops what is behind these bytes, and returns what writes chunk after chunk there. */
  writeFrom(bytes: number): (chunk: Uint8Array) => Promise<void> {
    this.bytes = bytes;
    const isTruncated = this.#writing(() => this.#file.truncate(bytes));
    isTruncated.catch(() => {}); // The first chunk tells of it.
    return async (chunk) => {
      await isTruncated;
      for (let at = 0; at < chunk.length; ) {
        const { bytesWritten } = await this.#writing(() => this.#file.write(chunk, at, chunk.length - at, this.bytes));
        at += bytesWritten;
        this.bytes += bytesWritten;
      }
    };
  }

  /** Whether something came since the last call: then the attempts are counted anew. */
  hasAdvanced(): boolean {
    const hasAdvanced = this.bytes > this.#bytesBefore;
    this.#bytesBefore = this.bytes;
    return hasAdvanced;
  }

  /** Waits until the bytes are on the disk. */
  flush(): Promise<void> {
    return this.#writing(() => this.#file.sync());
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #writing<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (cause) {
      throw unwritable(this.path, cause);
    }
  }
}

export const unwritable = (path: string, cause: unknown): BeatMarketError =>
  new BeatMarketError(`The file ${path} cannot be written.`, { cause });
