import type { FacetCount, FacetName } from "../../query.ts";
import type { Beats } from "../beats.ts";
import type { Numbers } from "../columns/arrays.ts";
import type { Bitmap } from "../columns/bitmap.ts";
import type { Order } from "../columns/order.ts";
import type { Postings } from "../columns/postings.ts";
import { pageAt } from "./pages.ts";

/** Ranges of ten, up to the fastest tempo that a beat can have. */
export const bpmRanges = { step: 10, first: 0, last: 1_000 };
const mostPriceRanges = 10;
export const mostTags = 100;
/**
 * If a column spans at most this many values, each value is counted, and ranges add up the counts: no division for each
 * beat.
 */
const fewValues = 65_536;

/** Beats to count. */
export interface Selection {
  /** Null: all listed beats. */
  matches: Bitmap | null;
  total: number;
  /** The slots to visit: the matches, or the other beats if they are fewer. Null if there is nothing to visit. */
  visited: Bitmap | null;
  isComplement: boolean;
}

/** Counts the visited slots of a selection, block by block. */
export interface Counter {
  /** Counts the first `count` of the slots. */
  count(slots: Uint32Array, count: number): void;
  result(): FacetCount[];
}

export const counterOf: Record<FacetName, (beats: Beats, selection: Selection) => Counter> = {
  genre: ({ columns, byGenre, genres }, { isComplement }) => {
    const counts = new Uint32Array(byGenre.values);
    return {
      count: (slots, count) => countValues(counts, columns.genre, 0, slots, count),
      result: () =>
        byCount(named(isComplement ? complement(counts, byGenre) : counts, (ordinal) => genres.idOf(ordinal))),
    };
  },
  key: ({ columns, byKey }, { isComplement }) => {
    const counts = new Uint32Array(byKey.values);
    return {
      count: (slots, count) => countValues(counts, columns.keyCode, 0, slots, count),
      result: () => byCount(named(isComplement ? complement(counts, byKey) : counts, (code) => code)),
    };
  },
  bpm: ({ orders, columns }, selection) => rangeCounter(selection, orders.bpm, columns.bpm, bpmRanges),
  price: ({ orders, columns }, selection) => {
    const { priceCents: order } = orders;
    const [first] = pageAt({ order, ...selection }, false, 0, 1);
    const [last] = pageAt({ order, ...selection }, true, 0, 1);
    if (first === undefined || last === undefined) return { count: () => {}, result: () => [] };
    const lowest = order.keyOf(first);
    const highest = order.keyOf(last);
    const step = priceStep(lowest, highest);
    return rangeCounter(selection, order, columns.priceCents, {
      step,
      first: Math.floor(lowest / step),
      last: Math.floor(highest / step),
    });
  },
  tag: ({ byTag, tags }, { isComplement }) => {
    const counts = new Uint32Array(byTag.values);
    return {
      count: (slots, count) => {
        if (byTag.values > 0) tags.countInto(counts, slots, count);
      },
      result: () => {
        const tagCounts = named(
          isComplement ? complement(counts, byTag) : counts,
          (ordinal) => tags.names[ordinal] as string,
        );
        return byCount(tagCounts).slice(0, mostTags);
      },
    };
  },
};

/**
 * The width of price ranges, in cents: the smallest of 1, 2, 5, 10, 20, 50, … with which ten ranges, each beginning at
 * a multiple of the width, cover the lowest to the highest price.
 */
export function priceStep(lowest: number, highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power])
      if (Math.floor(highest / step) - Math.floor(lowest / step) < mostPriceRanges) return step;
}

/** Turns the counts of the other beats into those of the matches. */
function complement(counts: Uint32Array, postings: Postings): Uint32Array {
  for (let value = 0; value < counts.length; value++) counts[value] = postings.count(value) - (counts[value] as number);
  return counts;
}

function countValues(counts: Uint32Array, column: Numbers, lowest: number, slots: Uint32Array, count: number): void {
  for (let index = 0; index < count; index++) (counts[(column[slots[index] as number] as number) - lowest] as number)++;
}

/** Ranges of one width, numbered from price or tempo 0, from the `first` to the `last`. */
interface Ranges {
  step: number;
  first: number;
  last: number;
}

/** Counts values by range; the result is ascending. */
function rangeCounter(
  { isComplement }: Selection,
  order: Order,
  column: Numbers,
  { step, first, last }: Ranges,
): Counter {
  const counts = new Uint32Array(last - first + 1);
  const add = (range: number, count: number): void => {
    if (range >= first && range <= last) (counts[range - first] as number) += count;
  };
  const [lowest, highest] = order.ends();
  const values = highest - lowest < fewValues ? new Uint32Array(highest - lowest + 1) : null;
  return {
    count: (slots, count) => {
      if (values !== null) countValues(values, column, lowest, slots, count);
      else
        for (let index = 0; index < count; index++)
          add(Math.floor((column[slots[index] as number] as number) / step), 1);
    },
    result: () => {
      if (values !== null)
        for (let index = 0; index < values.length; index++)
          if (values[index] !== 0) add(Math.floor((lowest + index) / step), values[index] as number);
      if (isComplement)
        for (const { range, count } of allRanges(order, step, first, last))
          counts[range - first] = count - (counts[range - first] as number);
      return named(counts, (position) => (first + position) * step).map(({ value, count }) => ({
        value,
        max: (value as number) + step - 1,
        count,
      }));
    },
  };
}

/** Yields the ranges that contain any listed beat. O(ranges · log n). */
function* allRanges(
  order: Order,
  step: number,
  first: number,
  last: number,
): Generator<{ range: number; count: number }> {
  for (let rank = order.rank(first * step, Number.NEGATIVE_INFINITY); ; ) {
    const [slot] = order.take(null, rank, 1, 0, 1);
    const range = slot === undefined ? Number.POSITIVE_INFINITY : Math.floor(order.keyOf(slot) / step);
    if (range > last) return;
    const end = order.rank((range + 1) * step, Number.NEGATIVE_INFINITY);
    yield { range, count: end - rank };
    rank = end;
  }
}

function named(counts: Uint32Array, nameOf: (value: number) => number | string): FacetCount[] {
  const facetCounts: FacetCount[] = [];
  for (let value = 0; value < counts.length; value++)
    if (counts[value] !== 0) facetCounts.push({ value: nameOf(value), count: counts[value] as number });
  return facetCounts;
}

/** Sorts the highest count first; equal counts by value. */
export const byCount = (counts: FacetCount[]): FacetCount[] =>
  counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
