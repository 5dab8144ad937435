import { lowerBound } from "./arrays.ts";
import { Bitmap } from "./bitmap.ts";
import type { Columns, KeyColumn } from "./columns.ts";

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

/**
 * Cumulative bitmaps of an order: the listed slots below each sixteenth of it, kept exact as slots are added and
 * removed. The bounds do not move between two calls of `divide`, which spaces them evenly.
 */
export class Quantiles {
  readonly #columns: Columns;
  readonly #column: KeyColumn;
  /** Key and id of the first slot that is not below the bound; ascending. */
  #keys: number[] = [];
  #ids: number[] = [];
  /** Positions of the bounds in the base at the last `divide`. */
  #positions: number[] = [];
  #below: Bitmap[] = [];

  constructor(columns: Columns, column: KeyColumn) {
    this.#columns = columns;
    this.#column = column;
  }

  /** Computes bounds, and the slots below them, from all slots in order. O(n). */
  divide(sorted: Uint32Array): void {
    const keys = this.#columns[this.#column];
    const count = sorted.length < 4 * quantileCount ? 0 : quantileCount - 1;
    this.#positions = Array.from({ length: count }, (_, n) => Math.floor(((n + 1) * sorted.length) / quantileCount));
    this.#keys = this.#positions.map((position) => keys[sorted[position] as number] as number);
    this.#ids = this.#positions.map((position) => this.#columns.id[sorted[position] as number] as number);
    this.#below = this.#positions.map((_, n) => this.#below[n] ?? new Bitmap(0));
    for (let n = 0; n < count; n++) {
      const below = this.#below[n] as Bitmap;
      below.grow(this.#columns.capacity);
      if (n === 0) below.clear();
      else below.copy(this.#below[n - 1] as Bitmap);
      const end = this.#positions[n] as number;
      for (let index = n === 0 ? 0 : (this.#positions[n - 1] as number); index < end; index++)
        below.add(sorted[index] as number);
    }
  }

  insert(slot: number): void {
    const key = this.#columns[this.#column][slot] as number;
    const id = this.#columns.id[slot] as number;
    for (let n = this.#keys.length - 1; n >= 0; n--) {
      const bound = this.#keys[n] as number;
      if (key > bound || (key === bound && id >= (this.#ids[n] as number))) return;
      const below = this.#below[n] as Bitmap;
      below.grow(this.#columns.capacity);
      below.add(slot);
    }
  }

  remove(slot: number): void {
    for (const below of this.#below) if (slot < below.words.length * 32) below.delete(slot);
  }

  bound(quantile: number): Bound {
    return { key: this.#keys[quantile] as number, id: this.#ids[quantile] as number };
  }

  /**
   * Returns the last quantile whose bound satisfies `isBefore`, which must be true for a prefix of the bounds; null if
   * none does.
   */
  last(isBefore: (bound: Bound) => boolean): (Bound & { below: Bitmap }) | null {
    const index = lowerBound(0, this.#keys.length, (n) => isBefore(this.bound(n))) - 1;
    const below = this.#below[index];
    return below === undefined ? null : { ...this.bound(index), below };
  }

  /** Returns the quantile whose bound is nearest to a position of the base; -1 is the beginning. */
  nearest(position: number): number {
    let nearest = -1;
    let distance = position;
    for (let n = 0; n < this.#positions.length; n++) {
      const other = Math.abs((this.#positions[n] as number) - position);
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
}
