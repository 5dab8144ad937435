import { emptyBitmap, put } from "./bitmap.mjs";

const quantiles = 32;

/** Finds the slots whose value lies in a range, by cumulative bitmaps: one for each quantile, of the values below it. */
export class Range {
  #column;
  #bounds;
  #below;

  constructor(column, sorted) {
    const bounds = Array.from(
      { length: quantiles },
      (_, n) => column[sorted[Math.floor((n * sorted.length) / quantiles)]],
    );
    this.#column = column;
    this.#bounds = [...new Set(bounds), Number.POSITIVE_INFINITY];
    this.#below = this.#bounds.map(() => emptyBitmap(column.length));
    for (let slot = 0; slot < column.length; slot++) this.update(slot);
  }

  /** Takes in the slot's value. */
  update(slot) {
    for (let n = 0; n < this.#bounds.length; n++) put(this.#below[n], slot, this.#column[slot] < this.#bounds[n]);
  }

  /** Removes from `mask` the slots with values outside `from` to `to`; reads the column only in the outermost quantiles. */
  restrict(mask, from, to) {
    const column = this.#column;
    const first = Math.max(
      0,
      this.#bounds.findLastIndex((bound) => bound <= from),
    );
    const last = this.#bounds.findIndex((bound) => bound > to);
    const [below, belowNext] = [this.#below[first], this.#below[first + 1]];
    const [upTo, upToPrevious] = [this.#below[last], this.#below[Math.max(0, last - 1)]];
    for (let n = 0; n < mask.length; n++) {
      let word = mask[n] & upTo[n] & (first === 0 ? -1 : ~below[n]);
      for (let edge = word & (belowNext[n] | ~upToPrevious[n]); edge !== 0; edge &= edge - 1) {
        const value = column[32 * n + 31 - Math.clz32(edge & -edge)];
        // Takes the bit away if the value is outside, without a branch that a processor cannot foresee.
        word ^= edge & -edge & (((value - from) | (to - value)) >> 31);
      }
      mask[n] = word;
    }
  }
}
