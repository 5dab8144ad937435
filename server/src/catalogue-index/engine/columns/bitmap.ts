/** A set of slots, a bit for each. */
export class Bitmap {
  words: Uint32Array;

  constructor(slots: number) {
    this.words = new Uint32Array((slots + 31) >>> 5);
  }

  /** Makes room for slots below `slots`. */
  grow(slots: number): void {
    const words = (slots + 31) >>> 5;
    if (words <= this.words.length) return;
    const grown = new Uint32Array(words);
    grown.set(this.words);
    this.words = grown;
  }

  has(slot: number): boolean {
    return ((this.words[slot >>> 5] as number) & (1 << (slot & 31))) !== 0;
  }

  add(slot: number): void {
    (this.words[slot >>> 5] as number) |= 1 << (slot & 31);
  }

  delete(slot: number): void {
    (this.words[slot >>> 5] as number) &= ~(1 << (slot & 31));
  }

  clone(): Bitmap {
    const copy = new Bitmap(0);
    copy.words = this.words.slice();
    return copy;
  }

  /** Keeps what both have. */
  and({ words: other }: Bitmap): this {
    const { words } = this;
    for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & (other[at] as number);
    return this;
  }

  andNot({ words: other }: Bitmap): this {
    const { words } = this;
    for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & ~(other[at] as number);
    return this;
  }

  /** Adds what the other has. Both have the same size. */
  or({ words: other }: Bitmap): this {
    const { words } = this;
    for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) | (other[at] as number);
    return this;
  }

  /** How many slots it has. */
  count(): number {
    let count = 0;
    for (let at = 0; at < this.words.length; at++) {
      let bits = this.words[at] as number;
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return count;
  }

  /** Ascending. */
  forEach(visit: (slot: number) => void): void {
    for (let at = 0; at < this.words.length; at++)
      for (let bits = this.words[at] as number; bits !== 0; bits &= bits - 1)
        visit((at << 5) + 31 - Math.clz32(bits & -bits));
  }
}
