import { createGunzip, type Gunzip } from "node:zlib";
import { DamagedFile } from "./damaged-file.ts";

// Small, so that a long piece never delays work on the database.
const unpackedBytes = 128 * 1024;
/** Errors of a member's header. The data before it is complete. */
const headerErrors =
  /^(incorrect header check|unknown compression method|unknown header flags set|header crc mismatch)$/;

/**
 * Decompresses piece by piece. The file may have several members, and zeros after the last. Yields all content before
 * the damage of a damaged file, then throws a DamagedFile with the position.
 */
export async function* gunzip(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = new Decompressor();
  // A decompressor that fails drops its output for the last piece. `follower` gets each piece one step later, so it can
  // still decompress that piece byte by byte.
  const follower = new Decompressor();
  let last: Buffer | null = null;
  let position = 0;
  try {
    for await (const piece of pieces) {
      if (reader.hasEnded) requireZeros(piece, position);
      else {
        const [output] = await Promise.all([reader.feed(piece), last === null ? [] : follower.feed(last)]);
        if (reader.problem !== undefined) {
          const undamagedBytes = yield* feedBytes(follower, piece);
          throw damaged(reader.problem, position + undamagedBytes);
        }
        yield* output;
        if (reader.hasEnded) requireZeros(piece.subarray(reader.consumedBytes - position), reader.consumedBytes);
        last = piece;
      }
      position += piece.length;
    }
    yield* await reader.end();
    if (reader.problem === undefined) return;
    if (last !== null && (await endsBeforeLastByte(follower, last))) throw otherData(position - 1);
    throw damaged(reader.problem, position);
  } finally {
    reader.destroy();
    follower.destroy();
  }
}

/** Feeds a damaged piece byte by byte. Returns the number of bytes before the damage. */
async function* feedBytes(decompressor: Decompressor, piece: Buffer): AsyncGenerator<Buffer, number> {
  for (let index = 0; index < piece.length; index++) {
    yield* await decompressor.feed(piece.subarray(index, index + 1));
    if (decompressor.problem !== undefined) return index;
  }
  return piece.length;
}

/**
 * Whether the gzip data end one byte before the end of the file. zlib reads a single further byte as the beginning of a
 * header; with a zero in its place, it reports the end of the data.
 */
async function endsBeforeLastByte(follower: Decompressor, last: Buffer): Promise<boolean> {
  await follower.feed(last.subarray(0, -1));
  await follower.feed(Buffer.alloc(1));
  return follower.hasEnded;
}

function requireZeros(bytes: Buffer, position: number): void {
  const index = bytes.findIndex((byte) => byte !== 0);
  if (index >= 0) throw otherData(position + index);
}

const otherData = (position: number): DamagedFile =>
  new DamagedFile(`other data follows the gzip data, from byte ${position + 1} on`, true);

function damaged({ message }: Error, position: number): DamagedFile {
  if (message === "unexpected end of file")
    return new DamagedFile(
      `the gzip file ends at byte ${position}, in the middle of its data; it was probably not copied completely`,
    );
  return new DamagedFile(`the gzip data is damaged at byte ${position + 1} (${message})`, headerErrors.test(message));
}

/** A decompressor. Each step settles when the piece is consumed, at the end of the data, or after an error. */
class Decompressor {
  problem: Error | undefined;
  /** Whether the last member has ended: the input has ended, or zeros follow. */
  hasEnded = false;
  readonly #stream: Gunzip = createGunzip({ chunkSize: unpackedBytes });
  #output: Buffer[] = [];
  #settle = (): void => {};

  constructor() {
    this.#stream.on("data", (chunk: Buffer) => this.#output.push(chunk));
    this.#stream.on("error", (error) => {
      this.problem ??= error;
      this.#settle();
    });
    this.#stream.on("end", () => {
      this.hasEnded = true;
      this.#settle();
    });
    this.#stream.on("close", () => this.#settle());
  }

  get consumedBytes(): number {
    return this.#stream.bytesWritten;
  }

  /** Decompresses a piece. Returns the output. */
  feed(piece: Buffer): Promise<Buffer[]> {
    return this.#step((settle) => this.#stream.write(piece, settle));
  }

  /** Ends the input. Returns the rest of the output. */
  end(): Promise<Buffer[]> {
    return this.#step(() => this.#stream.end());
  }

  destroy(): void {
    this.#stream.destroy();
  }

  async #step(start: (settle: (error?: Error | null) => void) => void): Promise<Buffer[]> {
    if (!this.hasEnded && this.problem === undefined)
      await new Promise<void>((resolve) => {
        this.#settle = resolve;
        start((error) => {
          this.problem ??= error ?? undefined;
          resolve();
        });
      });
    return this.#output.splice(0);
  }
}
