/** A set of slots whose bitmap is perhaps not made yet. */
export interface SlotSet {
  has(slot: number): boolean;
  /** The slots as a bitmap. The first call may take a pass over all bits. */
  asBitmap(): Bitmap;
}

/**
 * A set of slots, one bit for each, in words of 32 bits. The number of words is a multiple of four, so that loops take
 * four words at a time: about 10 us for a million slots. Operations on two bitmaps stop at the end of the smaller one.
 */
export class Bitmap implements SlotSet {
  words: Uint32Array;

  constructor(slots: number) {
    this.words = new Uint32Array(wordsFor(slots));
  }

  /** Wraps saved words. Copies them if their number is not a multiple of four. */
  static of(words: Uint32Array): Bitmap {
    const bitmap = new Bitmap(words.length % 4 === 0 ? 0 : words.length * 32);
    if (words.length % 4 === 0) bitmap.words = words;
    else bitmap.words.set(words);
    return bitmap;
  }

  /** Makes room for slots below `slots`. */
  grow(slots: number): void {
    const words = wordsFor(slots);
    if (words <= this.words.length) return;
    const grown = new Uint32Array(words);
    grown.set(this.words);
    this.words = grown;
  }

  asBitmap(): Bitmap {
    return this;
  }

  has(slot: number): boolean {
    return ((this.words[slot >>> 5] as number) & (1 << (slot & 31))) !== 0;
  }

  add(slot: number): void {
    (this.words[slot >>> 5] as number) |= 1 << (slot & 31);
  }

  addAll(slots: Uint32Array): this {
    const { words } = this;
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number;
      (words[slot >>> 5] as number) |= 1 << (slot & 31);
    }
    return this;
  }

  delete(slot: number): void {
    (this.words[slot >>> 5] as number) &= ~(1 << (slot & 31));
  }

  /** Deletes slots; returns how many of them were in the set. */
  deleteAll(slots: Uint32Array, first: number, end: number): number {
    const { words } = this;
    let deleted = 0;
    for (let index = first; index < end; index++) {
      const slot = slots[index] as number;
      const word = words[slot >>> 5] as number;
      deleted += (word >>> (slot & 31)) & 1;
      words[slot >>> 5] = word & ~(1 << (slot & 31));
    }
    return deleted;
  }

  clear(): this {
    this.words.fill(0);
    return this;
  }

  clone(): Bitmap {
    return Bitmap.of(this.words.slice());
  }

  /** Copies the other bitmap, up to the capacity of this one. */
  copy({ words: other }: Bitmap): this {
    this.words.set(other.length > this.words.length ? other.subarray(0, this.words.length) : other);
    if (other.length < this.words.length) this.words.fill(0, other.length);
    return this;
  }

  /** Keeps the slots that both have. */
  and({ words: other }: Bitmap): this {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    for (let index = 0; index < both; index += 4) {
      words[index] = (words[index] as number) & (other[index] as number);
      words[index + 1] = (words[index + 1] as number) & (other[index + 1] as number);
      words[index + 2] = (words[index + 2] as number) & (other[index + 2] as number);
      words[index + 3] = (words[index + 3] as number) & (other[index + 3] as number);
    }
    if (both < words.length) words.fill(0, both);
    return this;
  }

  andNot({ words: other }: Bitmap): this {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    for (let index = 0; index < both; index += 4) {
      words[index] = (words[index] as number) & ~(other[index] as number);
      words[index + 1] = (words[index + 1] as number) & ~(other[index + 1] as number);
      words[index + 2] = (words[index + 2] as number) & ~(other[index + 2] as number);
      words[index + 3] = (words[index + 3] as number) & ~(other[index + 3] as number);
    }
    return this;
  }

  /** Adds the slots of the other bitmap, up to the capacity of this one. */
  or({ words: other }: Bitmap): this {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    for (let index = 0; index < both; index += 4) {
      words[index] = (words[index] as number) | (other[index] as number);
      words[index + 1] = (words[index + 1] as number) | (other[index + 1] as number);
      words[index + 2] = (words[index + 2] as number) | (other[index + 2] as number);
      words[index + 3] = (words[index + 3] as number) | (other[index + 3] as number);
    }
    return this;
  }

  /** Returns the number of slots in the set, or in some of its words: from a multiple of four to another one. */
  count(from = 0, to: number = this.words.length): number {
    const { words } = this;
    let count = 0;
    for (let index = from; index < to; index += 4)
      count += ones(
        words[index] as number,
        words[index + 1] as number,
        words[index + 2] as number,
        words[index + 3] as number,
      );
    return count;
  }

  /** Returns the number of slots that both have. */
  countAnd({ words: other }: Bitmap): number {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    let count = 0;
    for (let index = 0; index < both; index += 4)
      count += ones(
        (words[index] as number) & (other[index] as number),
        (words[index + 1] as number) & (other[index + 1] as number),
        (words[index + 2] as number) & (other[index + 2] as number),
        (words[index + 3] as number) & (other[index + 3] as number),
      );
    return count;
  }

  /**
   * Writes at most `most` of the slots that both have, ascending, to `into` from `from` on. Returns the number of these
   * slots, or a number greater than `most` if there are more.
   */
  slotsAnd({ words: other }: Bitmap, most: number, into: Uint32Array, from: number): number {
    const { words } = this;
    const both = Math.min(words.length, other.length);
    let count = 0;
    for (let at = 0; at < both; at++)
      for (let bits = (words[at] as number) & (other[at] as number); bits !== 0; bits &= bits - 1) {
        if (count === most) return most + 1;
        into[from + count++] = (at << 5) + 31 - Math.clz32(bits & -bits);
      }
    return count;
  }

  /** Visits the slots in ascending order. */
  forEach(visit: (slot: number) => void): void {
    for (let index = 0; index < this.words.length; index++)
      for (let bits = this.words[index] as number; bits !== 0; bits &= bits - 1)
        visit((index << 5) + 31 - Math.clz32(bits & -bits));
  }

  /**
   * Visits the slots in ascending order, thousands at a time: the first `count` of an array that the next block
   * overwrites.
   */
  forEachBlock(visit: (slots: Uint32Array, count: number) => void): void {
    const { words } = this;
    // The last round of four can write up to three slots beyond the count.
    const slots = new Uint32Array(blockSlots + 4);
    let count = 0;
    for (let index = 0; index < words.length; index++) {
      let bits = words[index] as number;
      if (bits === 0) continue;
      const highest = (index << 5) + 31;
      const end = count + ones(bits, 0, 0, 0);
      // Always four at a time, even if fewer are left: the processor predicts the end of fewer rounds better.
      for (; count < end; count += 4) {
        slots[count] = highest - Math.clz32(bits & -bits);
        bits &= bits - 1;
        slots[count + 1] = highest - Math.clz32(bits & -bits);
        bits &= bits - 1;
        slots[count + 2] = highest - Math.clz32(bits & -bits);
        bits &= bits - 1;
        slots[count + 3] = highest - Math.clz32(bits & -bits);
        bits &= bits - 1;
      }
      count = end;
      if (count <= blockSlots - 32) continue;
      visit(slots, count);
      count = 0;
    }
    if (count > 0) visit(slots, count);
  }

  /** Returns the slots, ascending. `count` is their number; `into` has room for them. */
  slots(count: number = this.count(), into: Uint32Array = new Uint32Array(count)): Uint32Array {
    const { words } = this;
    const slots = into.subarray(0, count);
    let matchCount = 0;
    for (let index = 0; index < words.length; index++)
      for (let bits = words[index] as number; bits !== 0; bits &= bits - 1)
        slots[matchCount++] = (index << 5) + 31 - Math.clz32(bits & -bits);
    return slots;
  }
}

/** Small enough that a block stays in the fastest cache while several columns count it. */
const blockSlots = 4_096;

const wordsFor = (slots: number): number => ((slots + 127) >>> 7) << 2;

/**
 * The number of set bits in four words. Adds them up by pairs, then by nibbles of two words, then by bytes of all four.
 */
function ones(a: number, b: number, c: number, d: number): number {
  const ab = nibbles(a) + nibbles(b);
  const cd = nibbles(c) + nibbles(d);
  const bytes = (ab & 0x0f0f0f0f) + ((ab >>> 4) & 0x0f0f0f0f) + (cd & 0x0f0f0f0f) + ((cd >>> 4) & 0x0f0f0f0f);
  return Math.imul(bytes, 0x01010101) >>> 24;
}

function nibbles(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}
