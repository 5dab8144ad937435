import type { BeatFilters, Range } from "../../query.ts";
import type { Beats } from "../beats.ts";
import { Bitmap } from "../columns/bitmap.ts";
import type { Order } from "../columns/order.ts";
import type { Postings } from "../columns/postings.ts";

/** The matching beats of each filter as a bitmap. */
export type Filtered = Map<keyof BeatFilters, Bitmap>;

/** Turns filters into sets of slots. The next query reuses the bitmaps: do not keep them. */
export class Filters {
  readonly #beats: Beats;
  readonly #scratch: Bitmap[] = [];
  #used = 0;

  constructor(beats: Beats) {
    this.#beats = beats;
  }

  /** Begins a query. Bitmaps of the previous query may be overwritten. */
  begin(): void {
    this.#used = 0;
  }

  /** Returns an empty bitmap with room for all slots, valid during this query. */
  scratch(): Bitmap {
    const index = this.#used++;
    const { capacity } = this.#beats.columns;
    const filter = this.#scratch[index];
    if (filter !== undefined && filter.words.length * 32 >= capacity) return filter.clear();
    const bitmap = new Bitmap(capacity);
    this.#scratch[index] = bitmap;
    return bitmap;
  }

  /** Returns the listed beats that pass each single filter. Do not change the bitmaps. */
  evaluate(filters: BeatFilters): Filtered {
    const { orders, byGenre, byProducer, byKey, byTag, genres, producers, tags } = this.#beats;
    const filtered: Filtered = new Map();
    const add = (name: keyof BeatFilters, bitmap: Bitmap): void => void filtered.set(name, bitmap);
    if (filters.genres)
      add(
        "genres",
        this.#anyOf(
          byGenre,
          filters.genres.map((id) => genres.ordinalOf(id)),
        ),
      );
    if (filters.producers)
      add(
        "producers",
        this.#anyOf(
          byProducer,
          filters.producers.map((id) => producers.ordinalOf(id)),
        ),
      );
    if (filters.keys) add("keys", this.#anyOf(byKey, filters.keys));
    if (filters.tags)
      add(
        "tags",
        this.#anyOf(
          byTag,
          filters.tags.map((tag) => tags.find(tag) ?? -1),
        ),
      );
    if (filters.bpm) add("bpm", this.#anyRange(orders.bpm, filters.bpm));
    for (const name of ["priceCents", "durationSeconds", "createdAtMicroseconds"] as const) {
      const range = filters[name];
      if (range) add(name, this.#anyRange(orders[name], [range]));
    }
    if (filters.availableLicenses !== undefined) add("availableLicenses", this.#anyLicense(filters.availableLicenses));
    return filtered;
  }

  /**
   * Returns the beats that pass all filters except `but`. Null: there is no other filter. Do not change the bitmap.
   * O(filters) passes over the bits.
   */
  combine(filtered: Filtered, but?: keyof BeatFilters): Bitmap | null {
    const bitmaps = Array.from(filtered).flatMap(([name, bitmap]) => (name === but ? [] : [bitmap]));
    const [first = null, ...others] = bitmaps;
    if (first === null || others.length === 0) return first;
    const all = this.scratch().copy(first);
    for (const other of others) all.and(other);
    return all;
  }

  #anyOf(postings: Postings, values: readonly number[]): Bitmap {
    const [only] = values;
    const dense = values.length === 1 && only !== undefined ? postings.bitmap(only) : undefined;
    if (dense !== undefined) return dense;
    const any = this.scratch();
    for (const value of new Set(values)) if (value >= 0) postings.addTo(value, any);
    return any;
  }

  #anyLicense(bits: number): Bitmap {
    const any = this.scratch();
    for (const [bit, bitmap] of this.#beats.columns.licenses.entries()) if (bits & (1 << bit)) any.or(bitmap);
    return any;
  }

  #anyRange(order: Order, ranges: readonly Range[]): Bitmap {
    const any = this.scratch();
    for (const [index, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }] of ranges.entries()) {
      const into = index === 0 ? any : this.scratch();
      order.range(min, max, into);
      if (index > 0) any.or(into);
    }
    return any;
  }
}
