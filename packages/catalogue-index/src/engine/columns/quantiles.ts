import { lowerBound } from "./arrays.ts";
import { Bitmap } from "./bitmap.ts";
import type { Columns, KeyColumn } from "./columns.ts";
import type { Edge } from "./intersection.ts";

/** The sort key and id of the first slot above a quantile. */
export interface Bound {
  key: number;
  id: number;
}

/**
 * The number of bitmaps of an order. Each takes one bit for a slot. They leave at most a sixteenth of the slots to
 * visit.
 */
const quantileCount = 16;
/** The halves of each sixteenth: one more bitmap halves what is left to visit. */
const partsOfQuantile = 2;

/**
 * Cumulative bitmaps of an order: the listed slots below each sixteenth of it, kept exact as slots are added and
 * removed. One more bitmap has the slots in the upper half of their sixteenth. The bounds do not move between two calls
 * of `divide`, which spaces them evenly.
 */
export class Quantiles {
  readonly #columns: Columns;
  readonly #column: KeyColumn;
  /** Key and id of the first slot that is not below the bound, for each half; ascending. */
  #keys: number[] = [];
  #ids: number[] = [];
  /** Positions of the bounds in the base at the last `divide`. */
  #positions: number[] = [];
  #below: Bitmap[] = [];
  /** Slots in the upper half of their sixteenth, perhaps with slots that are not listed. */
  readonly #upperHalf = new Bitmap(0);

  constructor(columns: Columns, column: KeyColumn) {
    this.#columns = columns;
    this.#column = column;
  }

  /** Computes bounds, and the slots below them, from all slots in order. O(n). */
  divide(sorted: Uint32Array): void {
    const keys = this.#columns[this.#column];
    const parts = quantileCount * partsOfQuantile;
    const bounds = sorted.length < parts ? 0 : parts - 1;
    this.#positions = Array.from({ length: bounds }, (_, n) => Math.floor(((n + 1) * sorted.length) / parts));
    this.#keys = this.#positions.map((position) => keys[sorted[position] as number] as number);
    this.#ids = this.#positions.map((position) => this.#columns.id[sorted[position] as number] as number);
    const count = bounds === 0 ? 0 : quantileCount - 1;
    this.#below = Array.from({ length: count }, (_, n) => this.#below[n] ?? new Bitmap(0));
    for (let n = 0; n < count; n++) {
      const below = this.#below[n] as Bitmap;
      below.grow(this.#columns.capacity);
      if (n === 0) below.clear();
      else below.copy(this.#below[n - 1] as Bitmap);
      const end = this.#positions[boundOf(n)] as number;
      const first = n === 0 ? 0 : (this.#positions[boundOf(n - 1)] as number);
      below.addAll(sorted.subarray(first, end));
    }
    this.#upperHalf.grow(this.#columns.capacity);
    this.#upperHalf.clear();
    for (let part = 1; part <= bounds; part += 2)
      this.#upperHalf.addAll(sorted.subarray(this.#positions[part - 1], this.#positions[part]));
  }

  insert(slot: number): void {
    const key = this.#columns[this.#column][slot] as number;
    const id = this.#columns.id[slot] as number;
    const part = this.bounds((bound) => bound.key < key || (bound.key === key && bound.id <= id));
    for (let n = this.#below.length - 1; n >= Math.floor(part / partsOfQuantile); n--) {
      const below = this.#below[n] as Bitmap;
      below.grow(this.#columns.capacity);
      below.add(slot);
    }
    this.#upperHalf.grow(this.#columns.capacity);
    if (part % 2 === 1) this.#upperHalf.add(slot);
    else this.#upperHalf.delete(slot);
  }

  remove(slot: number): void {
    for (const below of this.#below) if (slot < below.words.length * 32) below.delete(slot);
  }

  bound(quantile: number): Bound {
    return this.#bound(boundOf(quantile));
  }

  /** Returns the number of bounds that satisfy `isBefore`, which must be true for a prefix of them. */
  bounds(isBefore: (bound: Bound) => boolean): number {
    return lowerBound(0, this.#keys.length, (n) => isBefore(this.#bound(n)));
  }

  /** Returns the slots below the last of the first `count` bounds; null: there is no such bound. */
  edge(count: number): (Edge & Bound) | null {
    if (count === 0 || count > this.#keys.length) return null;
    const quantile = Math.floor(count / partsOfQuantile);
    return {
      ...this.#bound(count - 1),
      below: this.#below[quantile - 1] ?? null,
      next: this.#below[quantile] ?? this.#columns.listed,
      upperHalf: count % partsOfQuantile === 0 ? null : this.#upperHalf,
    };
  }

  /**
   * Returns the last quantile whose bound satisfies `isBefore`, which must be true for a prefix of the bounds; null if
   * none does.
   */
  last(isBefore: (bound: Bound) => boolean): (Bound & { below: Bitmap }) | null {
    const index = lowerBound(0, this.#below.length, (n) => isBefore(this.bound(n))) - 1;
    const below = this.#below[index];
    return below === undefined ? null : { ...this.bound(index), below };
  }

  /** Returns the quantile whose bound is nearest to a position of the base; -1 is the beginning. */
  nearest(position: number): number {
    let nearest = -1;
    let distance = position;
    for (let n = 0; n < this.#below.length; n++) {
      const other = Math.abs((this.#positions[boundOf(n)] as number) - position);
      if (other < distance) [nearest, distance] = [n, other];
    }
    return nearest;
  }

  /** Sets the empty `into` to the slots from one quantile's bound (-1: the beginning) to below another's. */
  between(low: number, high: number, into: Bitmap): void {
    into.copy(this.#below[high] as Bitmap);
    if (low >= 0) into.andNot(this.#below[low] as Bitmap);
  }

  /** Returns the last quantile with at most `matched` of the matches below it (-1: none), and how many lie below it. */
  before(matches: Bitmap, matched: number): { quantile: number; below: number } {
    let low = 0;
    let high = this.#below.length;
    let count = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const below = (this.#below[middle] as Bitmap).countAnd(matches);
      if (below <= matched) [low, count] = [middle + 1, below];
      else high = middle;
    }
    return { quantile: low - 1, below: count };
  }

  #bound(n: number): Bound {
    return { key: this.#keys[n] as number, id: this.#ids[n] as number };
  }
}

/** The bound of a quantile among those of the halves. */
const boundOf = (quantile: number): number => (quantile + 1) * partsOfQuantile - 1;
