import { Bitmap } from "../columns/bitmap.ts";

/** So many are kept: 5 MB at a million slots. */
const most = 40;

/** Bitmaps for the time of one search, used again by the next one: allocating them costs more than filling them. */
export class ScratchBitmaps {
  readonly #kept: Bitmap[] = [];
  #used = 0;

  /** Begins a search: what the last one got may be overwritten. */
  begin(): void {
    this.#used = 0;
  }

  /** An empty set with room for the slots. */
  empty(slots: number): Bitmap {
    const known = this.#next(slots);
    return known?.clear() ?? this.#keep(new Bitmap(slots));
  }

  copy(set: Bitmap): Bitmap {
    const known = this.#next(set.words.length << 5);
    return known?.copy(set) ?? this.#keep(set.clone());
  }

  #next(slots: number): Bitmap | undefined {
    const words = (slots + 31) >>> 5;
    const known = this.#kept[this.#used];
    if (known === undefined) return undefined;
    if (known.words.length !== words) {
      this.#kept.length = this.#used;
      return undefined;
    }
    this.#used++;
    return known;
  }

  #keep(bitmap: Bitmap): Bitmap {
    if (this.#kept.length < most) this.#kept[this.#used++] = bitmap;
    return bitmap;
  }
}
