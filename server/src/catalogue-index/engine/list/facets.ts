import type { BeatFilters, FacetCount, FacetName, Facets } from "../../query.ts";
import type { Beats } from "../beats.ts";
import type { Numbers } from "../columns/arrays.ts";
import type { Bitmap } from "../columns/bitmap.ts";
import type { Order } from "../columns/order.ts";
import type { Postings } from "../columns/postings.ts";
import type { Filtered, Filters } from "./filters.ts";
import { pageAt } from "./pages.ts";

/** Tens, up to the fastest tempo that a beat can have. */
const bpmRanges = { step: 10, first: 0, last: 1_000 };
const mostPriceRanges = 10;
const mostTags = 100;

/** Each facet's own filter, which does not apply to it. */
const ownFilter = {
  genre: "genres",
  key: "keys",
  bpm: "bpm",
  price: "priceCents",
  tag: "tags",
} as const satisfies Record<FacetName, keyof BeatFilters>;

/**
 * Exact counts of values among the beats that pass all filters but the facet's own. `within`: of these beats alone, as a
 * search found them. Values without a beat are left out. O(matches), or O(the others) where those are fewer.
 */
export function facetsOf(
  beats: Beats,
  filters: Filters,
  filtered: Filtered,
  names: readonly FacetName[],
  within: Within | null = null,
): Facets {
  const facets: Facets = {};
  const selections = new Map<string, Selection>();
  for (const name of names) {
    const own = ownFilter[name];
    const key = filtered.has(own) ? own : "";
    const selection = selections.get(key) ?? select(beats, filters, filtered, own, within);
    selections.set(key, selection);
    facets[name] = facetOf[name](beats, selection);
  }
  return facets;
}

/** What a search found. Of the copies of one recording, only the best that passes the filters counts. */
interface Within {
  found: Bitmap;
  copiesIn: (found: Bitmap) => Uint32Array;
}

/** Beats to count. */
interface Selection {
  /** Null: all that are listed. */
  matches: Bitmap | null;
  total: number;
  /** Those that are looked at: the matches, or where they are fewer the others. */
  seen: Uint32Array;
  areOthers: boolean;
}

function select(
  beats: Beats,
  filters: Filters,
  filtered: Filtered,
  own: keyof BeatFilters,
  within: Within | null,
): Selection {
  let matches = filters.both(filtered, own);
  if (within !== null) {
    const found = filters.scratch().copy(within.found);
    if (matches !== null) found.and(matches);
    for (const slot of within.copiesIn(found)) found.delete(slot);
    matches = found;
  }
  const { columns } = beats;
  if (matches === null) return { matches, total: columns.beats, seen: new Uint32Array(0), areOthers: true };
  const total = matches.count();
  if (total * 2 <= columns.beats) return { matches, total, seen: filters.slots(matches, total), areOthers: false };
  const others = filters.scratch().copy(columns.listed).andNot(matches);
  return { matches, total, seen: filters.slots(others, columns.beats - total), areOthers: true };
}

const facetOf: Record<FacetName, (beats: Beats, selection: Selection) => FacetCount[]> = {
  genre: (beats, selection) => {
    const counts = countValues(selection, beats.columns.genre, beats.byGenre);
    return byCount(named(counts, (ordinal) => beats.genres.idOf(ordinal)));
  },
  key: (beats, selection) => byCount(named(countValues(selection, beats.columns.keyCode, beats.byKey), (code) => code)),
  bpm: (beats, selection) => countRanges(selection, beats.orders.bpm, beats.columns.bpm, bpmRanges),
  price: (beats, selection) => {
    const { priceCents: order } = beats.orders;
    const [first] = pageAt({ order, ...selection }, false, 0, 1);
    const [last] = pageAt({ order, ...selection }, true, 0, 1);
    if (first === undefined || last === undefined) return [];
    const [lowest, highest] = [order.keyOf(first), order.keyOf(last)];
    const step = priceStep(lowest, highest);
    return countRanges(selection, order, beats.columns.priceCents, {
      step,
      first: Math.floor(lowest / step),
      last: Math.floor(highest / step),
    });
  },
  tag: ({ byTag, tags }, { seen, areOthers }) => {
    const counts = new Uint32Array(byTag.values);
    if (byTag.values > 0) tags.countInto(counts, seen);
    const all = named(areOthers ? complement(counts, byTag) : counts, (ordinal) => tags.names[ordinal] as string);
    return byCount(all).slice(0, mostTags);
  },
};

/**
 * The width of price ranges, in cents: the least of 1, 2, 5, 10, 20, 50, … of which ten ranges, each beginning at a multiple
 * of it, reach from the lowest price to the highest.
 */
function priceStep(lowest: number, highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power])
      if (Math.floor(highest / step) - Math.floor(lowest / step) < mostPriceRanges) return step;
}

/** How many matches have each value. */
function countValues({ seen, areOthers }: Selection, column: Numbers, postings: Postings): Uint32Array {
  const counts = new Uint32Array(postings.values);
  countInto(counts, seen, column);
  return areOthers ? complement(counts, postings) : counts;
}

/** Turns the counts of others into those of matches. */
function complement(counts: Uint32Array, postings: Postings): Uint32Array {
  for (let value = 0; value < counts.length; value++) counts[value] = postings.count(value) - (counts[value] as number);
  return counts;
}

function countInto(counts: Uint32Array, slots: Uint32Array, column: Numbers): void {
  for (let at = 0; at < slots.length; at++) (counts[column[slots[at] as number] as number] as number)++;
}

/** Counts ranges of this width, by their number from 0, from the `first` to the `last`; ascending. */
function countRanges(
  { seen, areOthers }: Selection,
  order: Order,
  column: Numbers,
  { step, first, last }: { step: number; first: number; last: number },
): FacetCount[] {
  const counts = new Uint32Array(last - first + 1);
  countRangesInto(counts, seen, column, step, first);
  if (areOthers)
    for (const { range, count } of allRanges(order, step, first, last))
      counts[range - first] = count - (counts[range - first] as number);
  return named(counts, (at) => (first + at) * step).map(({ value, count }) => ({
    value,
    max: (value as number) + step - 1,
    count,
  }));
}

function countRangesInto(counts: Uint32Array, slots: Uint32Array, column: Numbers, step: number, first: number): void {
  for (let at = 0; at < slots.length; at++) {
    // Values and ranges are below 2^31.
    const range = (((column[slots[at] as number] as number) / step) | 0) - first;
    if (range >= 0 && range < counts.length) (counts[range] as number)++;
  }
}

/** Those that any listed beat is in. O(ranges · log n). */
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
  const found: FacetCount[] = [];
  for (let value = 0; value < counts.length; value++)
    if (counts[value] !== 0) found.push({ value: nameOf(value), count: counts[value] as number });
  return found;
}

/** Highest first; equal ones by value. */
const byCount = (counts: FacetCount[]): FacetCount[] =>
  counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
