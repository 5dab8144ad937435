import type { Bitmap, SlotSet } from "./bitmap.ts";
import type { Columns, KeyColumn } from "./columns.ts";
import type { Cover, Edge } from "./intersection.ts";
import { type Bound, Quantiles } from "./quantiles.ts";
import { sortSlots } from "./sort-slots.ts";
import { type Merging, SortedSlots, type Sorting, usualMerging } from "./sorted-slots.ts";
import type { Cursor } from "./walk.ts";

type Visit = (slots: Uint32Array, first: number, end: number) => void;

/** Listed slots sorted by a column, then by id, ascending; with the set of slots below each quantile. */
export class Order {
  readonly #columns: Columns;
  readonly #column: KeyColumn;
  readonly #sorting: Sorting;
  readonly #sorted: SortedSlots;
  readonly #quantiles: Quantiles;

  constructor(columns: Columns, column: KeyColumn, merging: Merging = usualMerging, base?: Uint32Array) {
    this.#columns = columns;
    this.#column = column;
    const sorting: Sorting = {
      compare: (a, b) => {
        const keys = columns[column];
        const ids = columns.id;
        return (keys[a] as number) - (keys[b] as number) || (ids[a] as number) - (ids[b] as number);
      },
      sort: (slots) => {
        if (slots.length < 512) return void slots.sort(sorting.compare);
        sortSlots(slots, columns.id);
        sortSlots(slots, columns[column]);
      },
    };
    this.#sorting = sorting;
    this.#sorted = new SortedSlots(sorting, columns.listed, merging, base);
    this.#quantiles = new Quantiles(columns, column);
    if (base !== undefined) this.#quantiles.divide(base);
  }

  get length(): number {
    this.settle();
    return this.#sorted.length;
  }

  /** Returns all slots in order, without holes. */
  save(): Uint32Array {
    if (this.#sorted.mergeAll()) this.#quantiles.divide(this.#sorted.base);
    return this.#sorted.base;
  }

  /** The keys by slot. Do not keep the array: growing replaces it. */
  get keys(): Columns[KeyColumn] {
    return this.#columns[this.#column];
  }

  keyOf(slot: number): number {
    return this.#columns[this.#column][slot] as number;
  }

  /** The lowest and the highest key; 0 and -1 of an empty order. */
  ends(): [lowest: number, highest: number] {
    const [first] = this.take(null, 0, 1, 0, 1);
    const [last] = this.take(null, this.length, -1, 0, 1);
    return first === undefined || last === undefined ? [0, -1] : [this.keyOf(first), this.keyOf(last)];
  }

  /** Removes a slot. Call it before the key of a listed slot changes. O(log n). */
  remove(slot: number): void {
    this.#sorted.remove(slot);
    this.#quantiles.remove(slot);
  }

  /** Inserts a listed slot. Call it after the slot has its key. */
  insert(slot: number): void {
    this.#sorted.insert(slot);
    this.#quantiles.insert(slot);
  }

  /** Number of changes that wait until the order is queried or `settle` is called. */
  get waiting(): number {
    return this.#sorted.waiting;
  }

  /** Sorts waiting changes into place. Every query does so first: see SortedSlots. */
  settle(): void {
    if (this.#sorted.settle()) this.#quantiles.divide(this.#sorted.base);
  }

  /** Returns whether something was merged. */
  compact(): boolean {
    const isMerged = this.#sorted.compact();
    if (isMerged) this.#quantiles.divide(this.#sorted.base);
    return isMerged;
  }

  /** Returns how many slots come before this key and id. O(log n). */
  rank(key: number, id: number): number {
    this.settle();
    return this.#sorted.rank(this.#placeOf(key, id));
  }

  /** Returns how many slots come before this key and id, or have them. */
  rankAfter(key: number, id: number): number {
    const rank = this.rank(key, id);
    const [next] = this.take(null, rank, 1, 0, 1);
    return next !== undefined && this.keyOf(next) === key && this.#columns.id[next] === id ? rank + 1 : rank;
  }

  /** Returns how many of the matches are among the first `rank` slots. O(bits of a bitmap + n / quantiles). */
  matchesBefore(matches: Bitmap, rank: number): number {
    this.settle();
    const nearest = this.#quantiles.last((bound) => this.rank(bound.key, bound.id) <= rank);
    const from = nearest === null ? 0 : this.rank(nearest.key, nearest.id);
    let count = nearest === null ? 0 : nearest.below.countAnd(matches);
    let remaining = rank - from;
    this.#sorted.walk(this.#sorted.cursorAt(from), 1, (slots, first, end) => {
      const last = Math.min(end, first + remaining);
      for (let index = first; index < last; index++) if (matches.has(slots[index] as number)) count++;
      remaining -= last - first;
      return remaining > 0;
    });
    return count;
  }

  /** Returns a number below 0 if the first slot comes before the second. */
  get compare(): (a: number, b: number) => number {
    return this.#sorting.compare;
  }

  /** Returns a number above 0 if the slot comes after this key and id, below 0 if before, 0 if it has them. */
  distance(slot: number, key: number, id: number): number {
    return this.keyOf(slot) - key || (this.#columns.id[slot] as number) - id;
  }

  /** Sorts slots in place. */
  sort(slots: Uint32Array): Uint32Array {
    this.#sorting.sort(slots);
    return slots;
  }

  /**
   * Returns matching slots in the order: up from rank `from`, or down from the rank before it. Skips the first `skip`
   * matches, and returns at most `limit`. `matches` null: all slots. Visits each slot on the way.
   */
  take(matches: Bitmap | null, from: number, step: 1 | -1, skip: number, limit: number): number[] {
    return matches === null
      ? this.#walk(null, Math.max(0, from + step * skip), step, 0, limit, Number.POSITIVE_INFINITY).found
      : this.#walk(matches, from, step, skip, limit, Number.POSITIVE_INFINITY).found;
  }

  /** Like `take`; returns null if it would visit more than `visits` slots. */
  takeWithin(
    visits: number,
    matches: Pick<SlotSet, "has">,
    from: number,
    step: 1 | -1,
    skip: number,
    limit: number,
  ): number[] | null {
    const { found, isWhole } = this.#walk(matches, from, step, skip, limit, visits);
    return isWhole ? found : null;
  }

  /**
   * Finds the last quantile below which at most `matched` of the matches lie. Returns its rank, and the number of
   * matches below it; 0 and 0 without such a quantile. O(log of the quantiles) passes over the bitmap.
   */
  quantileBefore(matches: Bitmap, matched: number): { rank: number; matched: number } {
    this.settle();
    const { quantile, below } = this.#quantiles.before(matches, matched);
    if (quantile === -1) return { rank: 0, matched: 0 };
    const { key, id } = this.#quantiles.bound(quantile);
    return { rank: this.rank(key, id), matched: below };
  }

  /** Sets `into` to the slots with keys from `min` to `max`, both inclusive. O(bits of a bitmap + n / quantiles). */
  range(min: number, max: number, into: Bitmap): void {
    this.settle();
    const from = this.#placeOf(min, Number.NEGATIVE_INFINITY);
    const to = this.#placeOf(max, Number.POSITIVE_INFINITY);
    into.clear();
    if (this.#sorted.rank(from) >= this.#sorted.rank(to)) return;
    const low = this.#quantiles.nearest(from.base);
    const high = this.#quantiles.nearest(to.base);
    if (low >= high) this.#fill(into, from, to, true);
    else {
      const lowPlace = this.#placeOfQuantile(low);
      const highPlace = this.#placeOfQuantile(high);
      this.#quantiles.between(low, high, into);
      this.#fill(into, from, lowPlace, true);
      this.#fill(into, lowPlace, from, false);
      this.#fill(into, highPlace, to, true);
      this.#fill(into, to, highPlace, false);
    }
  }

  /** The ranks of the slots with keys from `min` to `max` (inclusive): the first, and the one after the last. */
  ranksOf(min: number, max: number): { first: number; end: number } {
    const first = this.rank(min, Number.NEGATIVE_INFINITY);
    return { first, end: Math.max(first, this.rank(max, Number.POSITIVE_INFINITY)) };
  }

  /** Writes the slots with keys from `min` to `max` to `into` from `at` on. Returns their number. */
  copyRange(min: number, max: number, into: Uint32Array, at: number): number {
    const { first, end } = this.ranksOf(min, max);
    let length = 0;
    this.#visit(first, end, (slots, from, to) => {
      into.set(slots.subarray(from, to), at + length);
      length += to - from;
    });
    return length;
  }

  /**
   * Returns the slots between the two bounds around the keys from `min` to `max`, and the number of these slots that
   * have other keys. O(log n).
   */
  cover(min: number, max: number): Cover & { excess: number } {
    const { first, end } = this.ranksOf(min, max);
    const { low, high } = this.#edges(min, max);
    return { anyOf: [], above: low, below: high, excess: first - this.#rankOf(low, 0) + this.#rankOf(high) - end };
  }

  /** Deletes from a bitmap what `cover` has in addition to the range. Returns the number of slots that it deleted. */
  trim(min: number, max: number, bitmap: Bitmap): number {
    const { first, end } = this.ranksOf(min, max);
    const { low, high } = this.#edges(min, max);
    let deleted = 0;
    const remove: Visit = (slots, start, stop) => {
      deleted += bitmap.deleteAll(slots, start, stop);
    };
    this.#visit(this.#rankOf(low, 0), first, remove);
    this.#visit(end, this.#rankOf(high), remove);
    return deleted;
  }

  #edges(min: number, max: number): Record<"low" | "high", (Edge & Bound) | null> {
    return {
      low: this.#quantiles.edge(this.#quantiles.bounds(({ key }) => key < min)),
      high: this.#quantiles.edge(this.#quantiles.bounds(({ key }) => key <= max) + 1),
    };
  }

  #rankOf(bound: Bound | null, absent: number = this.length): number {
    return bound === null ? absent : this.rank(bound.key, bound.id);
  }

  /** Visits the slots from one rank to before another one, in stretches of an array. */
  #visit(from: number, to: number, visit: Visit): void {
    let remaining = to - from;
    if (remaining <= 0) return;
    this.#sorted.walk(this.#sorted.cursorAt(from), 1, (slots, first, end) => {
      const last = Math.min(end, first + remaining);
      visit(slots, first, last);
      remaining -= last - first;
      return remaining > 0;
    });
  }

  /** Adds the slots between two places to `into`, or removes them; does nothing if the places are inverted. */
  #fill(into: Bitmap, from: Cursor, to: Cursor, isIn: boolean): void {
    let remaining = this.#sorted.rank(to) - this.#sorted.rank(from);
    if (remaining <= 0) return;
    this.#sorted.walk(from, 1, (slots, first, end) => {
      const last = Math.min(end, first + remaining);
      if (isIn) for (let index = first; index < last; index++) into.add(slots[index] as number);
      else for (let position = first; position < last; position++) into.delete(slots[position] as number);
      remaining -= last - first;
      return remaining > 0;
    });
  }

  #walk(
    matches: Pick<SlotSet, "has"> | null,
    from: number,
    step: 1 | -1,
    skip: number,
    limit: number,
    visits: number,
  ): { found: number[]; isWhole: boolean } {
    const found: number[] = [];
    if (limit <= 0) return { found, isWhole: true };
    this.settle();
    let toSkip = skip;
    let remainingVisits = visits;
    this.#sorted.walk(this.#sorted.cursorAt(Math.min(from, this.length)), step, (slots, first, end) => {
      for (let index = first; index !== end; index += step) {
        if (remainingVisits-- <= 0) return false;
        const slot = slots[index] as number;
        if (matches !== null && !matches.has(slot)) continue;
        if (toSkip > 0) toSkip--;
        else if (found.push(slot) === limit) return false;
      }
      return true;
    });
    return { found, isWhole: found.length === limit || remainingVisits >= 0 };
  }

  #placeOfQuantile(quantile: number): Cursor {
    if (quantile === -1) return { base: 0, extra: 0 };
    const { key, id } = this.#quantiles.bound(quantile);
    return this.#placeOf(key, id);
  }

  /** Returns the place of the first slot whose key and id are not less. */
  #placeOf(key: number, id: number): Cursor {
    const keys = this.#columns[this.#column];
    const ids = this.#columns.id;
    return this.#sorted.place((slot) => {
      const own = keys[slot] as number;
      return own < key || (own === key && (ids[slot] as number) < id);
    });
  }
}
