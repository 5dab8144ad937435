import type { Seek } from "../../query.ts";
import { Bitmap, type SlotSet } from "../columns/bitmap.ts";
import type { Order } from "../columns/order.ts";
import { best } from "./best.ts";
import { type Filter, RangeFilter } from "./filter.ts";
import type { Matches } from "./filters.ts";

/** Number of slots that a page may visit one by one: some 100 us. For more, passes over bitmaps are cheaper. */
const cheapVisits = 32_768;
/** The same for slots whose keys are read to learn whether they match. */
const cheapReads = 2_048;
/** Up to this many best slots are found without sorting the whole list. */
const cheapBest = 128;
/** Up to this many matches, or this share of all slots, are sorted instead of searched. */
const fewMatches = 512;
const fewShare = 1 / 256;

/** The sequence to page through: the slots of an order that match, `total` of them. */
export interface Matching {
  order: Order;
  /** Null: all slots of the stretch. */
  matches: SlotSet | null;
  total: number;
  /** The stretch of the order that has all matches; absent: the whole order. */
  stretch?: Stretch | undefined;
}

/** Ranks: the first one, and the one after the last. */
interface Stretch {
  first: number;
  end: number;
}

/** Whether the matches are so few that sorting them takes less time than walking the order. */
const areFew = (order: Order, total: number): boolean => total <= Math.max(fewMatches, order.length * fewShare);

/**
 * Returns a page of matches that begins after a number of them, or after a beat. Takes the cheapest way. `keys`: the
 * filter by the keys of the order.
 */
export function pageOf(
  { total, slots, set }: Matches,
  order: Order,
  keys: Filter | undefined,
  isDescending: boolean,
  start: number | Seek,
  limit: number,
): number[] {
  if (slots !== null && areFew(order, total))
    return typeof start === "number"
      ? pageOfSlots(order, slots, isDescending, start, limit)
      : pageOfSlotsFrom(order, slots, isDescending, start, limit);
  const stretch = keys instanceof RangeFilter ? keys.stretch() : undefined;
  const isWhole = stretch !== undefined && stretch.end - stretch.first === total;
  const matching = { order, matches: isWhole ? null : set, total, stretch };
  return typeof start === "number"
    ? pageAt(matching, isDescending, start, limit)
    : pageFrom(matching, isDescending, start, limit);
}

/**
 * Returns matches in order, or from the last one down: skips the first `skip`, returns at most `limit`. A deep page
 * costs only a few passes over a bitmap.
 */
export function pageAt(matching: Matching, isDescending: boolean, skip: number, limit: number): number[] {
  const count = Math.min(limit, matching.total - skip);
  if (count <= 0) return [];
  const { order, matches, total } = matching;
  if (matches !== null && areFew(order, total) && !isNear(matching, skip, count))
    return pageOfSlots(order, matches.asBitmap().slots(total), isDescending, skip, count);
  if (!isDescending) return slotsAt(matching, skip, count);
  return slotsAt(matching, matching.total - skip - count, count).reverse();
}

/** Like `pageAt`, for matches in a list. */
export function pageOfSlots(
  order: Order,
  slots: Uint32Array,
  isDescending: boolean,
  skip: number,
  limit: number,
): number[] {
  const end = skip + limit;
  if (skip >= slots.length) return [];
  if (end > cheapBest) {
    const sorted = order.sort(slots.slice());
    return Array.from((isDescending ? sorted.reverse() : sorted).subarray(skip, end));
  }
  const compare = isDescending ? (a: number, b: number) => order.compare(b, a) : order.compare;
  return best(slots, end, compare).slice(skip);
}

/**
 * Returns the matches after (forward) or before (backward) a beat with this key and id, nearest first, at most `limit`.
 */
function pageFrom(matching: Matching, isDescending: boolean, seek: Seek, limit: number): number[] {
  const { order, matches, total } = matching;
  const { first, end } = stretchOf(matching);
  const step = (seek.direction === "forward") === isDescending ? -1 : 1;
  const rank = step === 1 ? order.rankAfter(seek.key, seek.id) : order.rank(seek.key, seek.id);
  const from = Math.min(Math.max(rank, first), end);
  if (matches === null) return order.take(null, from, step, 0, Math.min(limit, step === 1 ? end - from : from - first));
  const near = order.takeWithin(visitsOf(matches), matches, from, step, 0, limit);
  if (near !== null) return near;
  if (!(matches instanceof Bitmap))
    return pageFrom({ ...matching, matches: matches.asBitmap() }, isDescending, seek, limit);
  const before = order.matchesBefore(matches, from);
  if (step === 1) return slotsAt(matching, before, Math.min(limit, total - before));
  const count = Math.min(limit, before);
  return slotsAt(matching, before - count, count).reverse();
}

/** Like `pageFrom`, for matches in a list. */
function pageOfSlotsFrom(
  order: Order,
  slots: Uint32Array,
  isDescending: boolean,
  { key, id, direction }: Seek,
  limit: number,
): number[] {
  const isUp = (direction === "forward") !== isDescending;
  const rest = slots.filter((slot) => {
    const distance = order.distance(slot, key, id);
    return isUp ? distance > 0 : distance < 0;
  });
  return pageOfSlots(order, rest, !isUp, 0, limit);
}

const stretchOf = ({ order, stretch }: Matching): Stretch => stretch ?? { first: 0, end: order.length };

const visitsOf = (matches: SlotSet): number => (matches instanceof Bitmap ? cheapVisits : cheapReads);

/** Whether few slots lie between the page and the nearer end of the stretch, if the matches are spread evenly. */
function isNear(matching: Matching, skip: number, count: number): boolean {
  const { matches, total } = matching;
  const { first, end } = stretchOf(matching);
  const nearer = Math.min(skip, total - skip - count) + count;
  return matches !== null && (nearer * (end - first)) / total < visitsOf(matches) / 2;
}

/** Returns `count` matches, after the first `skip`. All of them must exist. */
function slotsAt(matching: Matching, skip: number, count: number): number[] {
  const { order, matches, total } = matching;
  const { first, end } = stretchOf(matching);
  if (matches === null) return order.take(null, first + skip, 1, 0, count);
  if (isNear(matching, skip, count)) {
    const remaining = total - skip - count;
    const visits = visitsOf(matches);
    const near =
      skip <= remaining
        ? order.takeWithin(visits, matches, first, 1, skip, count)
        : order.takeWithin(visits, matches, end, -1, remaining, count)?.reverse();
    if (near) return near;
  }
  if (!(matches instanceof Bitmap)) return slotsAt({ ...matching, matches: matches.asBitmap() }, skip, count);
  if (areFew(order, total)) return pageOfSlots(order, matches.slots(total), false, skip, count);
  const { rank, matched } = order.quantileBefore(matches, skip);
  return order.take(matches, rank, 1, skip - matched, count);
}
