import type { FileHandle } from "node:fs/promises";
import { APIConnectionError, BeatMarketError } from "./errors.ts";
import type { Attempts } from "./retry.ts";
import { runtime } from "./runtime/runtime.ts";
import type { OpenResponse } from "./sender.ts";

/** Bytes of a file, and their offset. */
export interface Chunk {
  at: number;
  bytes: Uint8Array;
}

interface Source {
  /** Opens the bytes from `at` on, in one attempt. */
  open(at: number): Promise<OpenResponse>;
  attempts: Attempts;
  /** Number of bytes that were downloaded before. */
  at?: number;
  /** Number of bytes of the whole file; undefined if only the service knows it. */
  total?: number | undefined;
  /** False for a body that is generated while it is sent: a broken attempt then starts again from the beginning. */
  resumes?: boolean;
  /** Number of bytes to request again: one if the total is unknown, since a range must not be empty. */
  overlap?: 0 | 1;
}

/**
 * Yields the bytes of a response, and continues after a lost connection. A chunk at offset 0 after others means that
 * the download began again: discard all earlier chunks.
 */
export async function* download(source: Source): AsyncGenerator<Chunk> {
  const { open, attempts, at = 0, total, resumes = true, overlap = 0 } = source;
  for (let next = at; ; ) {
    try {
      const from = resumes ? Math.max(0, next - overlap) : 0;
      const response = await open(from);
      const range = response.header("content-range");
      if (response.status === 206 && !range?.startsWith(`bytes ${from}-`))
        throw new APIConnectionError(`The response has the bytes ${range}, not those from ${from}.`);
      let skipped = response.status === 206 ? next - from : 0;
      if (response.status === 200) next = 0;
      for await (const bytes of response.bytes()) {
        const fresh = bytes.subarray(skipped);
        skipped = Math.max(0, skipped - bytes.length);
        if (fresh.length === 0) continue;
        yield { at: next, bytes: fresh };
        next += fresh.length;
        if (resumes) attempts.restart();
      }
      if (total === undefined || next >= total) return;
      throw new APIConnectionError(`The file ended after ${next} of ${total} bytes.`);
    } catch (failure) {
      await attempts.after(failure);
    }
  }
}

/** A file that is being written. On Node, Deno and Bun. */
export class TargetFile {
  /** Number of bytes in the file. */
  bytes: number;
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(path: string, bytes: number, file: FileHandle) {
    this.bytes = bytes;
    this.#path = path;
    this.#file = file;
  }

  /** Opens an empty file; with `resumes`, keeps the bytes of an existing one. A failure is a BeatMarketError. */
  static async open(path: string, { resumes = false }: { resumes?: boolean } = {}): Promise<TargetFile> {
    const { constants, open } = await runtime.fileSystem();
    return writing(path, async () => {
      const file = await open(path, constants.O_CREAT | constants.O_RDWR | (resumes ? 0 : constants.O_TRUNC));
      return new TargetFile(path, (await file.stat()).size, file);
    });
  }

  /** Writes bytes at their offset, and truncates the file after them. */
  write({ at, bytes }: Chunk): Promise<void> {
    return writing(this.#path, async () => {
      if (at < this.bytes) await this.#file.truncate(at);
      for (this.bytes = at; this.bytes < at + bytes.length; ) {
        const written = this.bytes - at;
        this.bytes += (await this.#file.write(bytes, written, bytes.length - written, this.bytes)).bytesWritten;
      }
    });
  }

  /** Waits until the bytes are on disk. */
  flush(): Promise<void> {
    return writing(this.#path, () => this.#file.sync());
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Runs `write`. If it fails, rejects with a BeatMarketError that names the file. */
export async function writing<T>(path: string, write: () => Promise<T>): Promise<T> {
  return write().catch((cause) => {
    throw new BeatMarketError(`The file ${path} cannot be written.`, { cause });
  });
}

/**
 * Writes a whole download to `<path>.part`, and renames it at the end. A call that fails deletes `<path>.part`, and
 * does not change the file at `path`. A device or a pipe is written directly.
 */
export async function save(path: string, chunks: AsyncIterable<Chunk>): Promise<void> {
  const { rename, rm, stat } = await runtime.fileSystem();
  // A device or a pipe cannot be replaced.
  const isReplaced = await stat(path).then(
    (entry) => entry.isFile(),
    () => true,
  );
  const target = isReplaced ? `${path}.part` : path;
  const file = await TargetFile.open(target);
  try {
    for await (const chunk of chunks) await file.write(chunk);
    if (isReplaced) await writing(path, () => rename(target, path));
  } catch (failure) {
    if (isReplaced) await rm(target, { force: true });
    throw failure;
  } finally {
    await file.close();
  }
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function sha256Of(path: string): Promise<string> {
  const { createHash, open } = await runtime.fileSystem();
  const hash = createHash("sha256");
  const file = await open(path);
  for await (const chunk of file.createReadStream()) hash.update(chunk);
  return hash.digest("hex");
}

/** The longest file name in bytes of UTF-8. File systems allow 255, and a running download appends `.part`. */
const longestName = 200;
/** Separators, characters that Windows refuses, control characters, and characters that change the direction of text. */
const unsafe = /[/\\:*?"<>|\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const deviceOfWindows = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i;

/**
 * A name that stays inside its folder on every file system. It differs from the names in `taken`, which are in lower
 * case, by more than upper and lower case.
 */
export function safeFilename(filename: unknown, kind: unknown, taken: ReadonlySet<string>): string {
  const cleaned = clean(filename) || clean(kind) || "file";
  let name = clipped(deviceOfWindows.test(cleaned) ? `_${cleaned}` : cleaned);
  // The file systems of Windows and macOS ignore case.
  while (taken.has(name.toLowerCase())) name = `${clean(kind)} ${name}`;
  return name;
}

const clean = (text: unknown): string =>
  String(text ?? "")
    .toWellFormed()
    .replace(unsafe, "_")
    .replace(/^[ .]+|[ .]+$/g, "");

/** Shortens a name to its first whole characters and its extension. */
function clipped(name: string): string {
  const bytes = (text: string): number => new TextEncoder().encode(text).length;
  if (bytes(name) <= longestName) return name;
  const [extension = ""] = /\.[^.]{1,10}$/u.exec(name) ?? [];
  let stem = "";
  let left = longestName - bytes(extension);
  for (const character of name) {
    left -= bytes(character);
    if (left < 0) break;
    stem += character;
  }
  return stem + extension;
}
