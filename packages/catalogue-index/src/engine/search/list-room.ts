const blockLength = 16_384;
/** Number of blocks that are kept for the next search: 1 MB. */
const maxKept = 16;

/**
 * Room for the lists of one search, in blocks that the next search uses again. Allocating and collecting an array for
 * each list would take longer than filling it.
 *
 * A list is written to `block` from `end` on, after `reserve`; `take` then returns it. One list at a time is written.
 */
export class ListRoom {
  block = new Uint32Array(blockLength);
  end = 0;
  readonly #blocks = [this.block];
  #at = 0;

  /** Begins a search, which overwrites the lists of the previous one. */
  begin(): void {
    this.#at = 0;
    this.block = this.#blocks[0] as Uint32Array<ArrayBuffer>;
    this.end = 0;
  }

  /** Makes room for a list of up to `most` members. */
  reserve(most: number): void {
    while (this.end + most > this.block.length) {
      this.#at++;
      this.block = this.#blocks[this.#at] ?? this.#newBlock(most);
      this.end = 0;
    }
  }

  /** Returns the list of `length` members that was written. Valid during this search. */
  take(length: number): Uint32Array {
    const start = this.end;
    this.end += length;
    return this.block.subarray(start, this.end);
  }

  #newBlock(most: number): Uint32Array<ArrayBuffer> {
    const block = new Uint32Array(Math.max(blockLength, most));
    if (this.#at < maxKept) this.#blocks[this.#at] = block;
    return block;
  }
}
