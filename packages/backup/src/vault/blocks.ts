/** Divides content into blocks of this size and marks the last one. Empty content is one empty block. */
export async function* blocksOf(
  content: AsyncIterable<Buffer>,
  blockBytes: number,
): AsyncGenerator<{ block: Buffer; isLast: boolean }> {
  const reader = new BlockReader(content);
  try {
    let block = await reader.readUpTo(blockBytes);
    for (;;) {
      const next = block.length < blockBytes ? Buffer.alloc(0) : await reader.readUpTo(blockBytes);
      yield { block, isLast: next.length === 0 };
      if (next.length === 0) return;
      block = next;
    }
  } finally {
    // Node ends the process when it garbage-collects an open file.
    await reader.close();
  }
}

/** Reads a stream in pieces of a chosen size. */
export class BlockReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(content: AsyncIterable<Buffer>) {
    this.#chunks = content[Symbol.asyncIterator]();
  }

  /** Closes the source of the stream. Needed if the stream is not read to its end. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Reads exactly this number of bytes; null if the stream has fewer bytes. */
  async read(bytes: number): Promise<Buffer | null> {
    const chunk = await this.readUpTo(bytes);
    return chunk.length < bytes ? null : chunk;
  }

  /** Reads this number of bytes, or the rest of the stream. */
  async readUpTo(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = bytes;
    while (missing > 0) {
      if (this.#buffered.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done === true) break;
        this.#buffered = value;
      }
      const piece = this.#buffered.subarray(0, missing);
      this.#buffered = this.#buffered.subarray(piece.length);
      missing -= piece.length;
      pieces.push(piece);
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  }
}
