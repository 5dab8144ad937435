import type { Range } from "../../query.ts";
import type { Numbers } from "../columns/arrays.ts";
import type { Bitmap, SlotSet } from "../columns/bitmap.ts";
import type { Cover } from "../columns/intersection.ts";
import type { Order } from "../columns/order.ts";
import type { Postings } from "../columns/postings.ts";
import { type Ends, isWithin, keepBits, keepDoubles, keepIntegers, keepValues } from "./keep.ts";

/** Returns an empty bitmap with room for all slots, valid during this query. */
type Scratch = () => Bitmap;

/** The listed beats that pass one filter of a query. */
export interface Filter {
  asBitmap(): Bitmap;
  /** The number of these beats. */
  readonly count: number;
  /** False: `count` may be too high. */
  readonly isExact: boolean;
  /** Returns the beats in the form that is made sooner. */
  asSet(): SlotSet;
  /** Writes the slots to `into`, in no particular order. Returns their number. */
  slots(into: Uint32Array): number;
  /** Moves those of the first `count` slots that pass to the front. Returns their number. */
  keep(slots: Uint32Array, count: number): number;
  /** Returns a set that contains the beats, and `excess` other ones. */
  cover(): Cover & { excess: number };
  /** Deletes the other beats of the cover from a bitmap. Returns how many of them it had. */
  trim(bitmap: Bitmap): number;
}

/** The most bitmaps of a cover. */
const mostOfCover = 4;

/** Beats with any of some values of a column. */
export class ValueFilter implements Filter {
  readonly count: number;
  readonly isExact = true;
  readonly #postings: Postings;
  readonly #column: Numbers;
  readonly #values: readonly number[];
  readonly #scratch: Scratch;
  #bitmap: Bitmap | null = null;

  constructor(postings: Postings, column: Numbers, values: readonly number[], scratch: Scratch) {
    this.#postings = postings;
    this.#column = column;
    this.#values = Array.from(new Set(values)).filter((value) => postings.count(value) > 0);
    this.#scratch = scratch;
    this.count = this.#values.reduce((sum, value) => sum + postings.count(value), 0);
  }

  asSet(): SlotSet {
    return this.asBitmap();
  }

  asBitmap(): Bitmap {
    const [only] = this.#values;
    if (only !== undefined && this.#values.length === 1) this.#bitmap ??= this.#postings.bitmap(only) ?? null;
    this.#bitmap ??= this.#anyOf(this.#values);
    return this.#bitmap;
  }

  slots(into: Uint32Array): number {
    let length = 0;
    for (const value of this.#values) length += this.#postings.copyTo(value, into, length);
    return length;
  }

  keep(slots: Uint32Array, count: number): number {
    const isIn = new Uint8Array(this.#postings.values);
    for (const value of this.#values) isIn[value] = 1;
    return keepValues(slots, count, this.#column, isIn);
  }

  cover(): Cover & { excess: number } {
    const bitmaps = this.#values.map((value) => this.#postings.bitmap(value));
    const dense = bitmaps.filter((bitmap) => bitmap !== undefined);
    const isSmall = dense.length === bitmaps.length && dense.length <= mostOfCover;
    return { anyOf: isSmall ? dense : [this.asBitmap()], excess: 0 };
  }

  trim(): number {
    return 0;
  }

  #anyOf(values: readonly number[]): Bitmap {
    const any = this.#scratch();
    for (const value of values) this.#postings.addTo(value, any);
    return any;
  }
}

/** Beats whose key in an order is in any of some ranges. */
export class RangeFilter implements Filter, SlotSet {
  readonly count: number;
  readonly isExact = true;
  readonly order: Order;
  /** Disjoint and ascending; both ends are inclusive. */
  readonly ranges: readonly Ends[];
  readonly #scratch: Scratch;
  #bitmap: Bitmap | null = null;

  constructor(order: Order, ranges: readonly Range[], scratch: Scratch) {
    this.order = order;
    this.ranges = apart(ranges);
    this.#scratch = scratch;
    this.count = this.ranges.reduce((sum, { min, max }) => {
      const { first, end } = order.ranksOf(min, max);
      return sum + end - first;
    }, 0);
  }

  has(slot: number): boolean {
    return this.ranges.some((ends) => isWithin(this.order.keys, slot, ends));
  }

  asSet(): SlotSet {
    return this;
  }

  /** The ranks of the order from the lowest range to the highest: the first one, and the one after the last. */
  stretch(): { first: number; end: number } {
    const [lowest] = this.ranges;
    const highest = this.ranges.at(-1);
    if (lowest === undefined || highest === undefined) return { first: 0, end: 0 };
    return this.order.ranksOf(lowest.min, highest.max);
  }

  asBitmap(): Bitmap {
    if (this.#bitmap !== null) return this.#bitmap;
    const any = this.#scratch();
    for (const [index, { min, max }] of this.ranges.entries()) {
      const into = index === 0 ? any : this.#scratch();
      this.order.range(min, max, into);
      if (index > 0) any.or(into);
    }
    this.#bitmap = any;
    return any;
  }

  slots(into: Uint32Array): number {
    return this.ranges.reduce((length, { min, max }) => length + this.order.copyRange(min, max, into, length), 0);
  }

  keep(slots: Uint32Array, count: number): number {
    const { keys } = this.order;
    const [ends = { min: 0, max: -1 }, second] = this.ranges;
    if (second !== undefined) return keepBits(slots, count, this.asBitmap());
    return keys instanceof Float64Array
      ? keepDoubles(slots, count, keys, ends)
      : keepIntegers(slots, count, keys, ends);
  }

  cover(): Cover & { excess: number } {
    const [range] = this.ranges;
    if (range === undefined || this.ranges.length > 1) return { anyOf: [this.asBitmap()], excess: 0 };
    return this.order.cover(range.min, range.max);
  }

  trim(bitmap: Bitmap): number {
    const [range] = this.ranges;
    return range === undefined || this.ranges.length > 1 ? 0 : this.order.trim(range.min, range.max, bitmap);
  }
}

/** Beats in any of some bitmaps. */
export class BitmapFilter implements Filter {
  readonly count: number;
  readonly isExact: boolean;
  readonly #bitmaps: readonly Bitmap[];
  readonly #scratch: Scratch;
  #bitmap: Bitmap | null = null;

  /** `count` of several bitmaps is the sum of theirs. */
  constructor(bitmaps: readonly Bitmap[], count: number, scratch: Scratch) {
    this.#bitmaps = bitmaps;
    this.count = count;
    this.isExact = bitmaps.length === 1 || count === 0;
    this.#scratch = scratch;
  }

  asSet(): SlotSet {
    return this.asBitmap();
  }

  asBitmap(): Bitmap {
    const [only] = this.#bitmaps;
    if (this.#bitmap !== null) return this.#bitmap;
    if (only !== undefined && this.#bitmaps.length === 1) this.#bitmap = only;
    else {
      this.#bitmap = this.#scratch();
      for (const bitmap of this.#bitmaps) this.#bitmap.or(bitmap);
    }
    return this.#bitmap;
  }

  slots(into: Uint32Array): number {
    const bitmap = this.asBitmap();
    return bitmap.slots(bitmap.count(), into).length;
  }

  keep(slots: Uint32Array, count: number): number {
    return keepBits(slots, count, this.asBitmap());
  }

  cover(): Cover & { excess: number } {
    const isSmall = this.#bitmaps.length > 0 && this.#bitmaps.length <= mostOfCover;
    return { anyOf: isSmall ? this.#bitmaps : [this.asBitmap()], excess: 0 };
  }

  trim(): number {
    return 0;
  }
}

/** Returns the same ranges, ascending, without empty ones, and with those that overlap as one. */
function apart(ranges: readonly Range[]): Ends[] {
  const joined: Ends[] = [];
  const ascending = ranges
    .map(({ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }) => ({ min, max }))
    .filter(({ min, max }) => min <= max)
    .sort((a, b) => a.min - b.min || a.max - b.max);
  for (const range of ascending) {
    const last = joined.at(-1);
    if (last !== undefined && range.min <= last.max) last.max = Math.max(last.max, range.max);
    else joined.push(range);
  }
  return joined;
}
