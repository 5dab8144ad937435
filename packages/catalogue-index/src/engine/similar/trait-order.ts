import type { Bitmap } from "../columns/bitmap.ts";
import type { Columns } from "../columns/columns.ts";
import { sortSlots } from "../columns/sort-slots.ts";
import { type Merging, SortedSlots, type Sorting } from "../columns/sorted-slots.ts";

/** Slots sorted by genre, key, tempo, popularity, length and id, and the start of each genre and key. */
export interface Run {
  slots: Uint32Array;
  /** Slots to skip: their values may be out of order. */
  holes: Bitmap | null;
  groups: Group[];
}

/** Beats of one genre and key: `from` … `to` - 1 of a run. */
export interface Group {
  genre: number;
  keyCode: number;
  from: number;
  to: number;
}

/** The listed beats, sorted so that beats with equal traits of the greatest weight are adjacent. */
export class TraitOrder {
  readonly #columns: Columns;
  readonly #sorted: SortedSlots;
  #base: Run;
  #extra: Run | undefined;

  constructor(columns: Columns, merging?: Merging, base?: Uint32Array) {
    this.#columns = columns;
    this.#sorted = new SortedSlots(byTraits(columns), columns.listed, merging, base);
    this.#base = this.#runOf(this.#sorted.base, this.#sorted.holeSlots);
  }

  /** See `SortedSlots.remove`. */
  remove(slot: number): void {
    this.#sorted.remove(slot);
  }

  insert(slot: number): void {
    this.#sorted.insert(slot);
  }

  get waiting(): number {
    return this.#sorted.waiting;
  }

  settle(): void {
    this.#merged(this.#sorted.settle());
  }

  compact(): boolean {
    return this.#merged(this.#sorted.compact());
  }

  save(): Uint32Array {
    this.#merged(this.#sorted.mergeAll());
    return this.#sorted.base;
  }

  /** Returns two runs at most; together they have every listed slot once. */
  runs(): Run[] {
    this.settle();
    const { extra } = this.#sorted;
    if (extra.length === 0) return [this.#base];
    if (this.#extra?.slots !== extra) this.#extra = this.#runOf(extra, null);
    return [this.#base, this.#extra];
  }

  /** After a merge, finds the groups of the new base, which has no holes yet. */
  #merged(isMerged: boolean): boolean {
    if (isMerged) this.#base = this.#runOf(this.#sorted.base, this.#sorted.holeSlots);
    return isMerged;
  }

  /** O(groups · log n). */
  #runOf(slots: Uint32Array, holes: Bitmap | null): Run {
    const { genre: genres, keyCode: keyCodes } = this.#columns;
    const groups: Group[] = [];
    for (let from = 0; from < slots.length; ) {
      const genre = genres[slots[from] as number] as number;
      const keyCode = keyCodes[slots[from] as number] as number;
      const isWithin = (index: number): boolean =>
        genres[slots[index] as number] === genre && keyCodes[slots[index] as number] === keyCode;
      // Doubles the step, then halves it.
      let to = from + 1;
      for (let step = 1; step > 0; ) {
        if (to + step <= slots.length && isWithin(to + step - 1)) {
          to += step;
          step *= 2;
        } else step >>>= 1;
      }
      groups.push({ genre, keyCode, from, to });
      from = to;
    }
    return { slots, holes, groups };
  }
}

function byTraits(columns: Columns): Sorting {
  const compare = (a: number, b: number): number => {
    const { genre, keyCode, tempo, popularityKey, durationSeconds, id } = columns;
    return (
      (genre[a] as number) - (genre[b] as number) ||
      (keyCode[a] as number) - (keyCode[b] as number) ||
      (tempo[a] as number) - (tempo[b] as number) ||
      (popularityKey[a] as number) - (popularityKey[b] as number) ||
      (durationSeconds[a] as number) - (durationSeconds[b] as number) ||
      (id[a] as number) - (id[b] as number)
    );
  };
  const sort = (slots: Uint32Array): void => {
    if (slots.length < 512) slots.sort(compare);
    else {
      const { genre, keyCode, tempo, popularityKey, durationSeconds, id } = columns;
      for (const column of [id, durationSeconds, popularityKey, tempo, keyCode, genre]) sortSlots(slots, column);
    }
  };
  return { compare, sort };
}
