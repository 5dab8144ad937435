import type { BeatFilters } from "../../query.ts";
import type { Beats } from "../beats.ts";
import { Bitmap, type SlotSet } from "../columns/bitmap.ts";
import { intersect } from "../columns/intersection.ts";
import { BitmapFilter, type Filter, RangeFilter, ValueFilter } from "./filter.ts";

/** The filters of a query by name. */
export type Filtered = Map<keyof BeatFilters, Filter>;

/** The beats that pass all filters. */
export interface Matches {
  total: number;
  /** Their slots, in no particular order, if they are few; valid until the next call of `match`. */
  slots: Uint32Array | null;
  /** Null: all listed beats. */
  set: SlotSet | null;
}

/**
 * If a filter passes at most this share of all slots, its beats are visited one by one instead of combining bitmaps.
 */
const fewShare = 1 / 256;
/** To visit a match takes as long as to delete this number of slots from a bitmap. */
const visitCost = 8;

/** Finds the beats that pass filters. The next query reuses the bitmaps: do not keep them. */
export class Filters {
  readonly #beats: Beats;
  readonly #scratch: Bitmap[] = [];
  #used = 0;
  #room = new Uint32Array(0);

  constructor(beats: Beats) {
    this.#beats = beats;
  }

  /** Begins a query. Bitmaps of the previous query may be overwritten. */
  begin(): void {
    this.#used = 0;
  }

  /** Returns an empty bitmap with room for all slots, valid during this query. */
  scratch(): Bitmap {
    return this.#unclearedScratch().clear();
  }

  /** Reads the filters. O(log n); a rare tag takes a pass over a bitmap. */
  evaluate(filters: BeatFilters): Filtered {
    const { columns, orders, byGenre, byProducer, byKey, genres, producers } = this.#beats;
    const scratch = () => this.scratch();
    const filtered: Filtered = new Map();
    const add = (name: keyof BeatFilters, filter: Filter): void => void filtered.set(name, filter);
    const ordinals = (ids: readonly number[], of: { ordinalOf(id: number): number }) =>
      ids.map((id) => of.ordinalOf(id));
    if (filters.genres)
      add("genres", new ValueFilter(byGenre, columns.genre, ordinals(filters.genres, genres), scratch));
    if (filters.producers)
      add("producers", new ValueFilter(byProducer, columns.producer, ordinals(filters.producers, producers), scratch));
    if (filters.keys) add("keys", new ValueFilter(byKey, columns.keyCode, filters.keys, scratch));
    if (filters.tags) add("tags", this.#anyTag(filters.tags));
    if (filters.bpm) add("bpm", new RangeFilter(orders.bpm, filters.bpm, scratch));
    for (const name of ["priceCents", "durationSeconds", "createdAtMicroseconds"] as const) {
      const range = filters[name];
      if (range) add(name, new RangeFilter(orders[name], [range], scratch));
    }
    if (filters.availableLicenses !== undefined) add("availableLicenses", this.#anyLicense(filters.availableLicenses));
    return filtered;
  }

  /**
   * Returns the beats that pass all filters except `but`. `isRepeated`: the same filters will be combined again, so
   * each becomes an exact bitmap of its own.
   */
  match(filtered: Filtered, but?: keyof BeatFilters, isRepeated = false): Matches {
    const { beats, capacity } = this.#beats.columns;
    const filters = others(filtered, but)
      .filter(({ isExact, count }) => !isExact || count < beats)
      .sort((a, b) => a.count - b.count);
    const [fewest, ...rest] = filters;
    if (fewest === undefined) return { total: beats, slots: null, set: null };
    if (fewest.count <= capacity * fewShare) return this.#visit(fewest, rest);
    if (rest.length === 0 && fewest.isExact) return { total: fewest.count, slots: null, set: fewest.asSet() };
    return isRepeated ? this.#intersectExact(filters) : this.#intersect(filters);
  }

  /** Like `match`, as a bitmap; null: there is no other filter. Do not change the bitmap. */
  combine(filtered: Filtered, but?: keyof BeatFilters): Bitmap | null {
    if (others(filtered, but).length === 0) return null;
    return this.match(filtered, but, true).set?.asBitmap() ?? this.#beats.columns.listed;
  }

  #visit(fewest: Filter, others: readonly Filter[]): Matches {
    const slots = this.#roomFor(fewest.count);
    let total = fewest.slots(slots);
    for (const filter of others) total = filter.keep(slots, total);
    return this.#few(slots.subarray(0, total));
  }

  #intersectExact(filters: readonly Filter[]): Matches {
    const exact = filters.map((filter) => ({ anyOf: [filter.asBitmap()] }));
    const matches = this.#unclearedScratch();
    return { total: intersect(exact, matches), slots: null, set: matches };
  }

  /** Intersects supersets of the filters; then removes the excess slots, by whichever way visits fewer slots. */
  #intersect(filters: readonly Filter[]): Matches {
    const covers = filters.map((filter) => filter.cover());
    const { listed } = this.#beats.columns;
    const matches = this.#unclearedScratch();
    const isBounded = covers.some(({ anyOf, below }) => anyOf.length > 0 || below);
    let total = intersect(isBounded ? covers : [...covers, { anyOf: [listed] }], matches);
    const excess = covers.reduce((sum, cover) => sum + cover.excess, 0);
    const inexact = filters.filter((_, index) => (covers[index]?.excess ?? 0) > 0);
    if (total * visitCost < excess) {
      const slots = matches.slots(total, this.#roomFor(total));
      for (const filter of inexact) total = filter.keep(slots, total);
      return this.#few(slots.subarray(0, total));
    }
    for (const filter of inexact) total -= filter.trim(matches);
    return { total, slots: null, set: matches };
  }

  #few(slots: Uint32Array): Matches {
    let bitmap: Bitmap | null = null;
    const asBitmap = (): Bitmap => {
      bitmap ??= this.scratch().addAll(slots);
      return bitmap;
    };
    return { total: slots.length, slots, set: { has: (slot) => asBitmap().has(slot), asBitmap } };
  }

  #anyTag(tags: readonly string[]): Filter {
    const { byTag } = this.#beats;
    const ordinals = Array.from(new Set(tags.map((tag) => this.#beats.tags.find(tag) ?? -1)));
    const used = ordinals.filter((ordinal) => byTag.count(ordinal) > 0);
    const bitmaps = used.map((ordinal) => {
      const dense = byTag.bitmap(ordinal);
      if (dense !== undefined) return dense;
      const sparse = this.scratch();
      byTag.addTo(ordinal, sparse);
      return sparse;
    });
    const count = used.reduce((sum, ordinal) => sum + byTag.count(ordinal), 0);
    return new BitmapFilter(bitmaps, count, () => this.scratch());
  }

  #anyLicense(bits: number): Filter {
    const { licenses, licenseCounts, beats } = this.#beats.columns;
    const selected = licenses.flatMap((bitmap, bit) =>
      bits & (1 << bit) ? [{ bitmap, count: licenseCounts[bit] as number }] : [],
    );
    const ofAllBeats = selected.find(({ count }) => count === beats);
    const used = ofAllBeats === undefined ? selected : [ofAllBeats];
    const count = used.reduce((sum, license) => sum + license.count, 0);
    return new BitmapFilter(
      used.map(({ bitmap }) => bitmap),
      count,
      () => this.scratch(),
    );
  }

  #unclearedScratch(): Bitmap {
    const index = this.#used++;
    const { capacity } = this.#beats.columns;
    const former = this.#scratch[index];
    if (former !== undefined && former.words.length * 32 >= capacity) return former;
    const bitmap = new Bitmap(capacity);
    this.#scratch[index] = bitmap;
    return bitmap;
  }

  #roomFor(count: number): Uint32Array {
    if (count > this.#room.length) this.#room = new Uint32Array(count + (count >>> 3));
    return this.#room;
  }
}

const others = (filtered: Filtered, but: keyof BeatFilters | undefined): Filter[] =>
  Array.from(filtered).flatMap(([name, filter]) => (name === but ? [] : [filter]));
