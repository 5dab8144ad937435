import { createGunzip, type Gunzip } from "node:zlib";
import { DamagedFile } from "./damaged-file.ts";

// Small, so that reading never keeps the database waiting.
const unpackedBytes = 128 * 1024;
/** Errors of a member's header. The data before it is complete. */
const headerErrors =
  /^(incorrect header check|unknown compression method|unknown header flags set|header crc mismatch)$/;

/**
 * Decompresses piece by piece. Members may follow one another, and zeros may follow the last. Delivers everything before
 * the damage of a damaged file, then throws a DamagedFile with the position.
 */
export async function* gunzipped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = new Decompressor();
  // A decompressor that fails drops its output for the last piece. This one is one piece behind, and repeats that piece.
  const late = new Decompressor();
  let last: Buffer | null = null;
  let place = 0;
  try {
    for await (const piece of pieces) {
      if (reader.hasEnded) requireZeros(piece, place);
      else {
        const [rows] = await Promise.all([reader.feed(piece), last === null ? [] : late.feed(last)]);
        if (reader.problem !== undefined) {
          const whole = yield* feedBytes(late, piece);
          throw damaged(reader.problem, place + whole);
        }
        yield* rows;
        if (reader.hasEnded) requireZeros(piece.subarray(reader.consumedBytes - place), reader.consumedBytes);
        last = piece;
      }
      place += piece.length;
    }
    yield* await reader.end();
    if (reader.problem === undefined) return;
    if (last !== null && (await endsBeforeItsLastByte(late, last))) throw otherData(place - 1);
    throw damaged(reader.problem, place);
  } finally {
    reader.destroy();
    late.destroy();
  }
}

/** The number of bytes before the damage. */
async function* feedBytes(decompressor: Decompressor, piece: Buffer): AsyncGenerator<Buffer, number> {
  for (let at = 0; at < piece.length; at++) {
    yield* await decompressor.feed(piece.subarray(at, at + 1));
    if (decompressor.problem !== undefined) return at;
  }
  return piece.length;
}

/** One byte after the data is too short for a damaged header. After the data, a zero ends the reading. */
async function endsBeforeItsLastByte(late: Decompressor, last: Buffer): Promise<boolean> {
  await late.feed(last.subarray(0, -1));
  await late.feed(Buffer.alloc(1));
  return late.hasEnded;
}

function requireZeros(rest: Buffer, place: number): void {
  const at = rest.findIndex((byte) => byte !== 0);
  if (at >= 0) throw otherData(place + at);
}

const otherData = (place: number): DamagedFile =>
  new DamagedFile(`other data follows the gzip data, from byte ${place + 1} on`, true);

function damaged({ message }: Error, place: number): DamagedFile {
  if (message === "unexpected end of file")
    return new DamagedFile(
      `the gzip file ends at byte ${place}, before its data does; it was probably not copied completely`,
    );
  return new DamagedFile(`the gzip data is damaged at byte ${place + 1} (${message})`, headerErrors.test(message));
}

/** A decompressor whose every step settles: when the piece is used, at the end of the data, or with an error. */
class Decompressor {
  problem: Error | undefined;
  /** Set when zeros follow, which belong to no member. */
  hasEnded = false;
  readonly #stream: Gunzip = createGunzip({ chunkSize: unpackedBytes });
  #made: Buffer[] = [];
  #settle = (): void => {};

  constructor() {
    this.#stream.on("data", (chunk: Buffer) => this.#made.push(chunk));
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

  /** The output for a piece. */
  feed(piece: Buffer): Promise<Buffer[]> {
    return this.#step((settle) => this.#stream.write(piece, settle));
  }

  /** The output at the end. */
  end(): Promise<Buffer[]> {
    return this.#step(() => this.#stream.end());
  }

  destroy(): void {
    this.#stream.destroy();
  }

  async #step(take: (settle: (error?: Error | null) => void) => void): Promise<Buffer[]> {
    if (!this.hasEnded && this.problem === undefined)
      await new Promise<void>((resolve) => {
        this.#settle = resolve;
        take((error) => {
          this.problem ??= error ?? undefined;
          resolve();
        });
      });
    return this.#made.splice(0);
  }
}
