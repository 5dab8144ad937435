import { countBelow, lowerBound, mergedAscending } from "./arrays.ts";
import { Bitmap } from "./bitmap.ts";
import { type Cursor, type VisitStretch, walkDown, walkUp } from "./walk.ts";

/** The order of the slots. No two slots are equal. */
export interface Sorting {
  /** Negative if `a` comes first. */
  compare(a: number, b: number): number;
  /** Sorts slots in place; fast for many. */
  sort(slots: Uint32Array): void;
}

/** The number of holes and extra slots at which they are merged into the base. */
export interface Merging {
  /** `settle` and `compact` do not merge up to this number. `compact` also needs a 64th of the base. */
  least: number;
  /** The share of the base from which on `settle` merges. */
  share: number;
}

export const usualMerging: Merging = { least: 2_048, share: 1 / 8 };

/**
 * All listed slots, sorted: a base; the positions in the base that are holes because their slots left or moved; and the
 * extra slots that came or moved, sorted separately, with their places in the base. Takes 4 bytes a slot.
 *
 * Call `remove` before a slot's sort key changes, and `insert` after; call `settle` before any query.
 */
export class SortedSlots {
  base: Uint32Array;
  extra: Uint32Array = new Uint32Array(0);
  /** Slots whose entry in the base is a hole. Their entries may be out of order there. */
  readonly holeSlots = new Bitmap(0);
  /** For each extra slot, the number of positions of the base before it. */
  #places: Uint32Array = new Uint32Array(0);
  /** Positions of the holes in the base, ascending. */
  #holes: Uint32Array = new Uint32Array(0);
  readonly #sorting: Sorting;
  readonly #listed: Bitmap;
  readonly #merging: Merging;
  /** Slots inserted since the last `settle`. */
  readonly #coming = new Bitmap(0);
  #comingSlots: number[] = [];
  #newHoles: number[] = [];
  /** Extra slots removed since the last `settle`. */
  readonly #leaving = new Bitmap(0);
  #leavingCount = 0;
  /** Whether `settle` must sort all slots: there is no base yet, or there were too many changes to track. */
  #isStale = false;

  /** `base`: all slots of `listed`, sorted; if absent, the first `settle` sorts them. */
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

  /** Number of changes since the last `settle`. */
  get waiting(): number {
    return this.#comingSlots.length + this.#newHoles.length + this.#leavingCount;
  }

  /** Removes a listed slot. Call it before the slot's values change. O(log n). */
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

  /** Inserts a listed slot. Call it after the slot has its values. */
  insert(slot: number): void {
    if (this.#isStale) return;
    this.#reserve();
    this.#coming.add(slot);
    this.#comingSlots.push(slot);
    this.#checkStale();
  }

  /**
   * Applies the waiting changes. O(changes · log n) and a copy of the extra slots; O(n) if it merges, and then returns
   * true.
   */
  settle(mergeAt = Math.max(this.#merging.least, this.base.length * this.#merging.share)): boolean {
    if (this.#isStale) this.#sortAll();
    else {
      if (this.waiting > 0) this.#applyChanges();
      if (this.extra.length + this.#holes.length <= mergeAt) return false;
      this.#merge();
    }
    return true;
  }

  /** Like `settle`, but merges from a 64th of the base on. Returns whether it merged. */
  compact(): boolean {
    return this.settle(Math.max(this.#merging.least, this.base.length >>> 6));
  }

  /** Merges all holes and extra slots. */
  mergeAll(): boolean {
    return this.settle(0);
  }

  /** Returns the first place for which `isBefore` is false; it must be true for a prefix of the slots. O(log n). */
  place(isBefore: (slot: number) => boolean): Cursor {
    const extra = lowerBound(0, this.extra.length, (index) => isBefore(this.extra[index] as number));
    return { base: this.placeInBase(isBefore), extra };
  }

  /** Returns how many slots come before a place. O(log n). */
  rank({ base, extra }: Cursor): number {
    return base - countBelow(this.#holes, base) + extra;
  }

  /** Returns the place after the first `rank` slots. O(log² of the extra slots). */
  cursorAt(rank: number): Cursor {
    const extra = lowerBound(0, this.extra.length, (index) => {
      const place = this.#places[index] as number;
      return place - countBelow(this.#holes, place) + index < rank;
    });
    const valid = rank - extra;
    // Skips the holes that lie before this number of valid entries.
    const holes = lowerBound(0, this.#holes.length, (index) => (this.#holes[index] as number) - index < valid);
    return { base: valid + holes, extra };
  }

  /**
   * Visits slots from a place on, up or down, in stretches of an array without holes: from `first` to before `end`; on
   * the way down `end` is below `first`. Stops when `visit` returns false. Stretches are short only near holes and
   * extra slots.
   */
  walk(from: Cursor, step: 1 | -1, visit: VisitStretch): void {
    const merged = { base: this.base, holes: this.#holes, extra: this.extra, places: this.#places };
    if (step === 1) walkUp(merged, from, visit);
    else walkDown(merged, from, visit);
  }

  /** Returns the first position in the base for which `isBefore` is false, ignoring holes. */
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

  /** Turns removed slots into holes, and inserted ones into extra slots. */
  #applyChanges(): void {
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
      copyTo(lowerBound(from, former.length, (index) => compare(former[index] as number, slot) < 0));
      const place = this.placeInBase((other) => compare(other, slot) < 0);
      // The previous extra slot's place may be after entries that have become holes since.
      places[length] = Math.max(place, length === 0 ? 0 : (places[length - 1] as number));
      extra[length++] = slot;
    }
    copyTo(former.length);
    this.extra = extra;
    this.#places = places;
  }

  /** Drops the extra slots that were removed since the last `settle`. */
  #dropLeaving(): void {
    if (this.#leavingCount === 0) return;
    const { extra } = this;
    let length = 0;
    for (let index = 0; index < extra.length; index++) {
      const slot = extra[index] as number;
      if (this.#leaving.has(slot)) {
        this.#leaving.delete(slot);
        continue;
      }
      extra[length] = slot;
      this.#places[length++] = this.#places[index] as number;
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

  /** O(n): copies the blocks between holes and extra slots. */
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
    for (let index = 0; index < this.extra.length; index++) {
      copyTo(this.#places[index] as number);
      merged[length++] = this.extra[index] as number;
    }
    copyTo(this.base.length);
    this.#become(merged);
  }
}
