import type { Seek } from "../../query.ts";
import type { Bitmap } from "../columns/bitmap.ts";
import type { Order } from "../columns/order.ts";
import { best } from "./best.ts";

/** Number of slots that a page may visit one by one: some 100 us. For more, passes over bitmaps are cheaper. */
const cheapVisits = 32_768;
/** Up to this many best slots are found without sorting the whole list. */
const cheapBest = 128;
/** Up to this many matches are sorted instead of searched. */
const fewMatches = 512;

/** The sequence to page through: the slots of an order that match, `total` of them. Null: all. */
export interface Matching {
  order: Order;
  matches: Bitmap | null;
  total: number;
}

/**
 * Returns matches in order, or from the last one down: skips the first `skip`, returns at most `limit`. A deep page
 * costs only a few passes over a bitmap.
 */
export function pageAt(matching: Matching, isDescending: boolean, skip: number, limit: number): number[] {
  const count = Math.min(limit, matching.total - skip);
  if (count <= 0) return [];
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
  if (end > cheapBest) {
    const sorted = order.sort(slots.slice());
    return Array.from((isDescending ? sorted.reverse() : sorted).subarray(skip, end));
  }
  const compare = isDescending ? (a: number, b: number) => order.compare(b, a) : order.compare;
  return best(slots, end, compare).slice(skip);
}

/** Returns the matches after (forward) or before (backward) a beat with this key and id, nearest first, at most `limit`. */
export function pageFrom(matching: Matching, isDescending: boolean, seek: Seek, limit: number): number[] {
  const { order, matches } = matching;
  const step = (seek.direction === "forward") === isDescending ? -1 : 1;
  const from = step === 1 ? order.rankAfter(seek.key, seek.id) : order.rank(seek.key, seek.id);
  if (matches === null) return order.take(null, from, step, 0, limit);
  const near = order.takeWithin(cheapVisits, matches, from, step, 0, limit);
  if (near !== null) return near;
  const before = order.matchesBefore(matches, from);
  if (step === 1) return slotsAt(matching, before, Math.min(limit, matching.total - before));
  const count = Math.min(limit, before);
  return slotsAt(matching, before - count, count).reverse();
}

/** Returns `count` matches, beginning with the `first`-th. All of them must exist. */
function slotsAt({ order, matches, total }: Matching, first: number, count: number): number[] {
  if (matches === null) return order.take(null, first, 1, 0, count);
  const remaining = total - first - count;
  const nearer = Math.min(first, remaining) + count;
  if ((nearer * order.length) / total < cheapVisits / 2) {
    const near =
      first <= remaining
        ? order.takeWithin(cheapVisits, matches, 0, 1, first, count)
        : order.takeWithin(cheapVisits, matches, order.length, -1, remaining, count)?.reverse();
    if (near) return near;
  }
  if (total <= fewMatches) return Array.from(order.sort(matches.slots(total)).subarray(first, first + count));
  const { rank, matched } = order.quantileBefore(matches, first);
  return order.take(matches, rank, 1, first - matched, count);
}
