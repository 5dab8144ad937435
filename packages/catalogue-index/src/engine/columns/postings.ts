import { grown, nextCapacity } from "./arrays.ts";
import { Bitmap } from "./bitmap.ts";

/**
 * `few`: `compact` merges if there are more additions than these, and more than a 64th of the base. `many`: `settle`
 * merges if there are more than these, and more than a quarter of the base.
 */
export interface Additions {
  few: number;
  many: number;
}

/** A value of more than a 32nd of all slots takes less memory as a bitmap than as a list. */
const denseShare = 1 / 32;

const none = 0;

/**
 * The slots of each value (an ordinal: genre, producer, key, tag). A value of many slots has a bitmap, exact at any
 * time. The others have lists: a base in compressed rows, where the entries of slots that changed since are void, and
 * chains of additions. Takes 4 bytes an entry and 12 a value.
 */
export class Postings {
  /** The number of slots of each value. */
  #counts = new Uint32Array(0);
  #values = 0;
  readonly #dense = new Map<number, Bitmap>();
  #capacity = 0;
  // The base: the slots of value v are slots[starts[v]] … slots[starts[v + 1] - 1], if they are still in `inBase`.
  #starts = new Uint32Array(1);
  #slots = new Uint32Array(0);
  readonly #inBase = new Bitmap(0);
  /** Whether all slots of the base are still in it. */
  #isBaseWhole = true;
  // The additions: each entry points to the next entry of its value. Index 0 means the end of a chain.
  #heads = new Uint32Array(0);
  #added = { slots: new Uint32Array(1), next: new Uint32Array(1), length: 1 };
  readonly #additions: Additions;

  constructor(additions: Additions = { few: 1_024, many: 65_536 }) {
    this.#additions = additions;
  }

  /** Number of values: 0 … values - 1. */
  get values(): number {
    return this.#values;
  }

  /** Returns how many slots have a value. O(1). */
  count(value: number): number {
    return this.#counts[value] ?? 0;
  }

  /** Returns the exact slots of a frequent value; undefined if the value has a list. Do not change the bitmap. */
  bitmap(value: number): Bitmap | undefined {
    return this.#dense.get(value);
  }

  /** Replaces all entries: the slot `slots[index]` has the value `values[index]`. Counting sort: O(entries). */
  fill(slots: Uint32Array, values: Uint32Array): void {
    let valueCount = 0;
    let last = 0;
    for (let index = 0; index < slots.length; index++) {
      valueCount = Math.max(valueCount, (values[index] as number) + 1);
      last = Math.max(last, slots[index] as number);
    }
    this.#dense.clear();
    this.#counts = new Uint32Array(0);
    this.#heads = new Uint32Array(0);
    this.#reserve(last, valueCount);
    for (const value of values) (this.#counts[value] as number)++;
    const { starts, dense } = this.#layOut();
    for (const value of dense) this.#dense.set(value, new Bitmap(this.#capacity));
    const bitmaps = Array.from({ length: this.#values }, (_, value) => this.#dense.get(value));
    const next = starts.slice();
    const base = new Uint32Array(starts[this.#values] as number);
    for (let position = 0; position < slots.length; position++) {
      const [slot, value] = [slots[position] as number, values[position] as number];
      const bitmap = bitmaps[value];
      if (bitmap !== undefined) bitmap.add(slot);
      else {
        const place = next[value] as number;
        base[place] = slot;
        next[value] = place + 1;
      }
    }
    this.#become(starts, base);
  }

  /** Replaces the values `before` of a slot by `after`; no value twice in either. O(values and their additions). */
  change(slot: number, before: ArrayLike<number>, after: ArrayLike<number>): void {
    let values = 0;
    for (let position = 0; position < after.length; position++)
      values = Math.max(values, (after[position] as number) + 1);
    this.#reserve(slot, values);
    const wasInBase = this.#inBase.has(slot);
    if (wasInBase) this.#isBaseWhole = false;
    this.#inBase.delete(slot);
    for (let place = 0; place < before.length; place++) {
      const value = before[place] as number;
      (this.#counts[value] as number)--;
      const bitmap = this.#dense.get(value);
      if (bitmap !== undefined) bitmap.delete(slot);
      else if (!wasInBase) this.#unchain(value, slot);
    }
    for (let index = 0; index < after.length; index++) {
      const value = after[index] as number;
      (this.#counts[value] as number)++;
      const bitmap = this.#dense.get(value);
      if (bitmap !== undefined) bitmap.add(slot);
      else this.#chain(value, slot);
    }
  }

  /** Adds the slots of a value to `into`, which has room for all slots. O(its slots), or O(bits of a bitmap). */
  addTo(value: number, into: Bitmap): void {
    const bitmap = this.#dense.get(value);
    if (bitmap !== undefined) into.or(bitmap);
    else if (this.#isBaseWhole && (this.#heads[value] ?? none) === none)
      into.addAll(this.#slots.subarray(this.#starts[value] ?? 0, this.#starts[value + 1] ?? 0));
    else this.forEach(value, (slot) => into.add(slot));
  }

  /** Writes the slots of a value to `into` from `at` on, in no particular order. Returns their number. */
  copyTo(value: number, into: Uint32Array, at: number): number {
    let end = at;
    this.forEach(value, (slot) => {
      into[end++] = slot;
    });
    return end - at;
  }

  /** Visits the slots of a value in no particular order. */
  forEach(value: number, visit: (slot: number) => void): void {
    if (value >= this.#values) return;
    const bitmap = this.#dense.get(value);
    if (bitmap !== undefined) {
      bitmap.forEach(visit);
      return;
    }
    const end = this.#starts[value + 1] ?? 0;
    const isWhole = this.#isBaseWhole;
    for (let index = this.#starts[value] ?? end; index < end; index++) {
      const slot = this.#slots[index] as number;
      if (isWhole || this.#inBase.has(slot)) visit(slot);
    }
    const { slots, next } = this.#added;
    for (let position = this.#heads[value] as number; position !== none; position = next[position] as number)
      visit(slots[position] as number);
  }

  /** Merges the additions into the base if there are more than a few; then returns true. O(all entries). */
  compact(): boolean {
    const isWorthwhile = this.#additionCount > Math.max(this.#additions.few, this.#slots.length >>> 6);
    if (isWorthwhile) this.#merge();
    return isWorthwhile;
  }

  /** Merges the additions if there are so many that they slow down queries. */
  settle(): void {
    if (this.#additionCount > Math.max(this.#additions.many, this.#slots.length / 4)) this.#merge();
  }

  /** Does not count entry 0. */
  get #additionCount(): number {
    return this.#added.length - 1;
  }

  #chain(value: number, slot: number): void {
    const added = this.#added;
    const index = added.length++;
    if (index >= added.slots.length) {
      const capacity = nextCapacity(index + 1, added.slots.length);
      added.slots = grown(added.slots, capacity);
      added.next = grown(added.next, capacity);
    }
    added.slots[index] = slot;
    added.next[index] = this.#heads[value] as number;
    this.#heads[value] = index;
  }

  #unchain(value: number, slot: number): void {
    const { slots, next } = this.#added;
    let last = none;
    for (let index = this.#heads[value] as number; index !== none; index = next[index] as number) {
      if (slots[index] === slot) {
        if (last === none) this.#heads[value] = next[index] as number;
        else next[last] = next[index] as number;
        return;
      }
      last = index;
    }
  }

  #merge(): void {
    const { starts, dense } = this.#layOut();
    const bitmaps = dense.map((value) => this.#bitmapOf(value));
    const merged = new Uint32Array(starts[this.#values] as number);
    for (let value = 0; value < this.#values; value++) {
      let position = starts[value] as number;
      if (position < (starts[value + 1] as number))
        this.forEach(value, (slot) => {
          merged[position++] = slot;
        });
    }
    this.#dense.clear();
    for (const [index, value] of dense.entries()) this.#dense.set(value, bitmaps[index] as Bitmap);
    this.#become(starts, merged);
  }

  /** Computes from the counts where each list of a base begins, and which values have a bitmap instead. */
  #layOut(): { starts: Uint32Array<ArrayBuffer>; dense: number[] } {
    const starts = new Uint32Array(this.#values + 1);
    const dense: number[] = [];
    let length = 0;
    for (let value = 0; value < this.#values; value++) {
      starts[value] = length;
      const count = this.#counts[value] as number;
      if (count > this.#capacity * denseShare) dense.push(value);
      else length += count;
    }
    starts[this.#values] = length;
    return { starts, dense };
  }

  /** Replaces the base, and removes all additions. */
  #become(starts: Uint32Array<ArrayBuffer>, slots: Uint32Array<ArrayBuffer>): void {
    this.#starts = starts;
    this.#slots = slots;
    this.#inBase.clear();
    for (const slot of slots) this.#inBase.add(slot);
    this.#isBaseWhole = true;
    this.#heads.fill(none);
    this.#added = { slots: new Uint32Array(1), next: new Uint32Array(1), length: 1 };
  }

  #bitmapOf(value: number): Bitmap {
    const set = this.#dense.get(value);
    if (set !== undefined) return set;
    const bitmap = new Bitmap(this.#capacity);
    this.forEach(value, (slot) => bitmap.add(slot));
    return bitmap;
  }

  /** Makes room for a slot, and for `values` values. */
  #reserve(slot: number, values: number): void {
    if (slot >= this.#capacity) {
      this.#capacity = nextCapacity(slot + 1, this.#capacity);
      this.#inBase.grow(this.#capacity);
      for (const bitmap of this.#dense.values()) bitmap.grow(this.#capacity);
    }
    this.#values = Math.max(this.#values, values);
    if (this.#values > this.#counts.length) {
      const capacity = nextCapacity(this.#values, this.#counts.length);
      this.#counts = grown(this.#counts, capacity);
      this.#heads = grown(this.#heads, capacity);
    }
  }
}
