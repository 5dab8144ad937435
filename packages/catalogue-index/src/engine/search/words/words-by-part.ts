/** On average, this many words share a place of the table. */
const wordsOfPlace = 4;

/** The hash of a word that is left out. */
export const leftOut = 0xffff_ffff;

/** The words of a dictionary by the hash of a part of each. Other words may be at the same place. */
export class WordsByPart {
  /** The indexes of the words, place by place; ascending within a place. */
  readonly indexes: Uint32Array;
  /** The signature of each of `indexes`, so that those of one place are adjacent in memory. */
  readonly signatures: Uint32Array;
  /** Where the words of each place begin. */
  readonly #starts: Uint32Array;
  readonly #mask: number;

  /** By index of a word: the hash, or `leftOut`, and the signature. */
  constructor(hashes: Uint32Array, signatures: Uint32Array) {
    const places = 2 ** Math.ceil(Math.log2(1 + hashes.length / wordsOfPlace));
    this.#mask = places - 1;
    const starts = new Uint32Array(places + 2);
    for (const hash of hashes) if (hash !== leftOut) (starts[(hash & this.#mask) + 2] as number)++;
    for (let place = 2; place < starts.length; place++) (starts[place] as number) += starts[place - 1] as number;
    this.indexes = new Uint32Array(starts[places + 1] as number);
    this.signatures = new Uint32Array(this.indexes.length);
    // The beginning of a place is one entry too far. Adding the place's words moves it to the beginning of the next.
    for (let index = 0; index < hashes.length; index++) {
      const hash = hashes[index] as number;
      if (hash === leftOut) continue;
      const place = (hash & this.#mask) + 1;
      const position = starts[place] as number;
      this.indexes[position] = index;
      this.signatures[position] = signatures[index] as number;
      starts[place] = position + 1;
    }
    this.#starts = starts;
  }

  /** Where the words with this hash begin in `indexes`. */
  startOf(hash: number): number {
    return this.#starts[hash & this.#mask] as number;
  }

  endOf(hash: number): number {
    return this.#starts[(hash & this.#mask) + 1] as number;
  }
}
