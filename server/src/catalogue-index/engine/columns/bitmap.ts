/** A set of slots, a bit for each. Operations on two take the time of the smaller: about 20 us at a million slots. */
export class Bitmap {
  words: Uint32Array;

  constructor(slots: number) {
    this.words = new Uint32Array((slots + 31) >>> 5);
  }

  /** Of saved words, without copying them. */
  static of(words: Uint32Array): Bitmap {
    const bitmap = new Bitmap(0);
    bitmap.words = words;
    return bitmap;
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

  clear(): this {
    this.words.fill(0);
    return this;
  }

  clone(): Bitmap {
    return Bitmap.of(this.words.slice());
  }

  /** Becomes a copy of the other, as far as there is room. */
  copy({ words: other }: Bitmap): this {
    this.words.set(other.length > this.words.length ? other.subarray(0, this.words.length) : other);
    if (other.length < this.words.length) this.words.fill(0, other.length);
    return this;
  }

  /** Keeps what both have. */
  and({ words: other }: Bitmap): this {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    for (let at = 0; at < both; at++) words[at] = (words[at] as number) & (other[at] as number);
    if (both < words.length) words.fill(0, both);
    return this;
  }

  andNot({ words: other }: Bitmap): this {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    for (let at = 0; at < both; at++) words[at] = (words[at] as number) & ~(other[at] as number);
    return this;
  }

  /** Adds what the other has, as far as there is room. */
  or({ words: other }: Bitmap): this {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    for (let at = 0; at < both; at++) words[at] = (words[at] as number) | (other[at] as number);
    return this;
  }

  /** How many slots it has. */
  count(): number {
    const { words } = this;
    let count = 0;
    for (let at = 0; at < words.length; at++) count += ones(words[at] as number);
    return count;
  }

  /** How many slots both have. */
  countAnd({ words: other }: Bitmap): number {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    let count = 0;
    for (let at = 0; at < both; at++) count += ones((words[at] as number) & (other[at] as number));
    return count;
  }

  /** Ascending. */
  forEach(visit: (slot: number) => void): void {
    for (let at = 0; at < this.words.length; at++)
      for (let bits = this.words[at] as number; bits !== 0; bits &= bits - 1)
        visit((at << 5) + 31 - Math.clz32(bits & -bits));
  }

  /** Its slots, ascending. `count` is how many it has. */
  slots(count: number = this.count()): Uint32Array {
    const { words } = this;
    const slots = new Uint32Array(count);
    let found = 0;
    for (let at = 0; at < words.length; at++)
      for (let bits = words[at] as number; bits !== 0; bits &= bits - 1)
        slots[found++] = (at << 5) + 31 - Math.clz32(bits & -bits);
    return slots;
  }
}

/** How many bits of a word are set. */
function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
