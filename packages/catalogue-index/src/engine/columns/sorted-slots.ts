import { countBelow, lowerBound, mergedAscending } from "./arrays.ts";
import { Bitmap } from "./bitmap.ts";
import { type Cursor, type VisitStretch, walkDown, walkUp } from "./walk.ts";

/** By what slots are sorted. No two slots are equal. */
export interface Sorting {
  /** Negative if `a` comes first. */
  compare(a: number, b: number): number;
  /** Sorts slots in place; fast for many. */
  sort(slots: Uint32Array): void;
}

/** When additions are merged into the base: at so many holes and extra slots. */
export interface Merging {
  /** By `compact`. */
  least: number;
  /** By any change, as a share of the base, if it is more than `least`. */
  share: number;
}

export const usualMerging: Merging = { least: 2_048, share: 1 / 8 };

/**
 * All listed slots, sorted: a base, the positions in it that are holes because their slots left or moved, and the extra
 * slots that came or moved, sorted by themselves with their places in the base. 4 bytes a slot.
 *
 * Call `remove` before the values that a slot is sorted by change, and `insert` after; `settle` before anything is asked.
 */
export class SortedSlots {
  base: Uint32Array;
  extra: Uint32Array = new Uint32Array(0);
  /** Slots whose entry in the base is a hole. Their values may be out of order there. */
  readonly holeSlots = new Bitmap(0);
  /** For each extra slot how many positions of the base lie before it. */
  #places: Uint32Array = new Uint32Array(0);
  /** Positions in the base, ascending. */
  #holes: Uint32Array = new Uint32Array(0);
  readonly #sorting: Sorting;
  readonly #listed: Bitmap;
  readonly #merging: Merging;
  /** What came since the last `settle`. */
  readonly #coming = new Bitmap(0);
  #comingSlots: number[] = [];
  #newHoles: number[] = [];
  /** Extra slots that left since. */
  readonly #leaving = new Bitmap(0);
  #leavingCount = 0;
  /** Too much changed to tell what: the base is sorted again. */
  #isStale = false;

  /** `base`: all slots of `listed`, sorted; absent: to be sorted. */
  constructor(sorting: Sorting, listed: Bitmap, merging: Merging = usualMerging, base?: Uint32Array) {
    this.#sorting = sorting;
    this.#listed = listed;
    this.#merging = merging;
    this.base = base ?? new Uint32Array(0);
    this.#isStale = base === undefined;
    this.#reserve();
  }

  get length(): number {
    return this.base.length - this.#holes.length + this.extra.length;
  }

  /** Changes since the last `settle`. */
  get waiting(): number {
    return this.#comingSlots.length + this.#newHoles.length + this.#leavingCount;
  }

  /** Of a listed slot, before its values change. O(log n). */
  remove(slot: number): void {
    if (this.#isStale) return;
    this.#reserve();
    if (this.#coming.has(slot)) return void this.#coming.delete(slot);
    const position = this.holeSlots.has(slot) ? -1 : this.#positionInBase(slot);
    if (position === -1) {
      this.#leaving.add(slot);
      this.#leavingCount++;
    } else {
      this.holeSlots.add(slot);
      this.#newHoles.push(position);
    }
    this.#checkStale();
  }

  /** Of a listed slot, once it has its values. */
  insert(slot: number): void {
    if (this.#isStale) return;
    this.#reserve();
    this.#coming.add(slot);
    this.#comingSlots.push(slot);
    this.#checkStale();
  }

  /** Puts what changed in its place. O(changes · log n), and a copy of the extra slots; or O(n) if all is merged: then true. */
  settle(mergeAt = Math.max(this.#merging.least, this.base.length * this.#merging.share)): boolean {
    if (this.#isStale) this.#sortAll();
    else {
      if (this.waiting > 0) this.#takeIn();
      if (this.extra.length + this.#holes.length <= mergeAt) return false;
      this.#merge();
    }
    return true;
  }

  /** Merges fewer changes than `settle` does: a 64th. Returns whether it did. */
  compact(): boolean {
    return this.settle(Math.max(this.#merging.least, this.base.length >>> 6));
  }

  /** Leaves no holes and no extra slots. */
  mergeAll(): boolean {
    return this.settle(0);
  }

  /** The first place of which `isBefore` does not hold: it must hold for the first slots and no others. O(log n). */
  place(isBefore: (slot: number) => boolean): Cursor {
    const extra = lowerBound(0, this.extra.length, (at) => isBefore(this.extra[at] as number));
    return { base: this.placeInBase(isBefore), extra };
  }

  /** How many slots lie before a place. O(log n). */
  rank({ base, extra }: Cursor): number {
    return base - countBelow(this.#holes, base) + extra;
  }

  /** The place behind `rank` slots. O(log² of the extra slots). */
  at(rank: number): Cursor {
    const extra = lowerBound(0, this.extra.length, (at) => {
      const place = this.#places[at] as number;
      return place - countBelow(this.#holes, place) + at < rank;
    });
    const valid = rank - extra;
    // Behind as many holes as lie before that many valid entries.
    const holes = lowerBound(0, this.#holes.length, (at) => (this.#holes[at] as number) - at < valid);
    return { base: valid + holes, extra };
  }

  /**
   * Visits slots from a place on, up or down, in stretches of an array without holes: from `first` to before `end`, which
   * lies below `first` on the way down. Until `visit` returns false. Short stretches only where changes are waiting.
   */
  walk(from: Cursor, step: 1 | -1, visit: VisitStretch): void {
    const merged = { base: this.base, holes: this.#holes, extra: this.extra, places: this.#places };
    if (step === 1) walkUp(merged, from, visit);
    else walkDown(merged, from, visit);
  }

  /** The first position in the base, no hole, for which `isBefore` does not hold. Holes are stepped over. */
  placeInBase(isBefore: (slot: number) => boolean): number {
    const { base, holeSlots } = this;
    let low = 0;
    let high = base.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      let probe = middle;
      while (probe < high && holeSlots.has(base[probe] as number)) probe++;
      if (probe < high && isBefore(base[probe] as number)) low = probe + 1;
      else high = middle;
    }
    return low;
  }

  #positionInBase(slot: number): number {
    const { base, holeSlots } = this;
    let position = this.placeInBase((other) => this.#sorting.compare(other, slot) < 0);
    while (position < base.length && holeSlots.has(base[position] as number)) position++;
    return base[position] === slot ? position : -1;
  }

  #checkStale(): void {
    const { waiting } = this;
    if (waiting > this.#merging.least && waiting > this.base.length / 2) this.#isStale = true;
  }

  #reserve(): void {
    const slots = this.#listed.words.length * 32;
    for (const bitmap of [this.holeSlots, this.#coming, this.#leaving]) bitmap.grow(slots);
  }

  #sortAll(): void {
    const slots = this.#listed.slots();
    this.#sorting.sort(slots);
    this.#become(slots);
    this.#coming.clear();
    this.#comingSlots = [];
    this.#newHoles = [];
    this.#leaving.clear();
    this.#leavingCount = 0;
    this.#isStale = false;
  }

  #become(base: Uint32Array): void {
    this.base = base;
    this.extra = new Uint32Array(0);
    this.#places = new Uint32Array(0);
    this.#holes = new Uint32Array(0);
    this.#reserve();
    this.holeSlots.clear();
  }

  /** Makes what left holes, and what came extra slots. */
  #takeIn(): void {
    this.#holes = mergedAscending(this.#holes, Uint32Array.from(this.#newHoles).sort());
    this.#newHoles = [];
    const coming = this.#drainComing();
    this.#dropLeaving();
    const { compare } = this.#sorting;
    const former = this.extra;
    const extra = new Uint32Array(former.length + coming.length);
    const places = new Uint32Array(extra.length);
    let length = 0;
    let from = 0;
    const copyTo = (end: number): void => {
      extra.set(former.subarray(from, end), length);
      places.set(this.#places.subarray(from, end), length);
      length += end - from;
      from = end;
    };
    for (const slot of coming) {
      copyTo(lowerBound(from, former.length, (at) => compare(former[at] as number, slot) < 0));
      const place = this.placeInBase((other) => compare(other, slot) < 0);
      // The one before may lie behind entries that became holes since.
      places[length] = Math.max(place, length === 0 ? 0 : (places[length - 1] as number));
      extra[length++] = slot;
    }
    copyTo(former.length);
    this.extra = extra;
    this.#places = places;
  }

  /** Takes the extra slots out that left since. */
  #dropLeaving(): void {
    if (this.#leavingCount === 0) return;
    const { extra } = this;
    let length = 0;
    for (let at = 0; at < extra.length; at++) {
      const slot = extra[at] as number;
      if (this.#leaving.has(slot)) {
        this.#leaving.delete(slot);
        continue;
      }
      extra[length] = slot;
      this.#places[length++] = this.#places[at] as number;
    }
    this.extra = extra.slice(0, length);
    this.#places = this.#places.slice(0, length);
    this.#leavingCount = 0;
  }

  #drainComing(): Uint32Array {
    const coming = Uint32Array.from(
      this.#comingSlots.filter((slot) => {
        const isComing = this.#coming.has(slot);
        this.#coming.delete(slot);
        return isComing;
      }),
    );
    this.#comingSlots = [];
    this.#sorting.sort(coming);
    return coming;
  }

  /** O(n): blocks between holes and extra slots are copied. */
  #merge(): void {
    const merged = new Uint32Array(this.length);
    let length = 0;
    let from = 0;
    let hole = 0;
    const copyTo = (end: number): void => {
      while (from < end) {
        const next = hole < this.#holes.length ? Math.min(end, this.#holes[hole] as number) : end;
        merged.set(this.base.subarray(from, next), length);
        length += next - from;
        from = next;
        if (from < end) {
          from++;
          hole++;
        }
      }
    };
    for (let at = 0; at < this.extra.length; at++) {
      copyTo(this.#places[at] as number);
      merged[length++] = this.extra[at] as number;
    }
    copyTo(this.base.length);
    this.#become(merged);
  }
}
