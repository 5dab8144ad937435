import { emptyBitmap, has, put } from "./bitmap.mjs";

const maxExtra = 4_096;

/** Slots by (value, slot): a sorted base, the holes in it of slots that moved, and those slots sorted by themselves. */
export class Order {
  #value;
  #base;
  #holes = [];
  #isHole;
  #extra = [];

  constructor(rows, value) {
    this.#value = value;
    this.#base = sortedSlots(rows, value);
    this.#isHole = emptyBitmap(rows);
  }

  get base() {
    return this.#base;
  }
  get extra() {
    return this.#extra;
  }

  isHole(position) {
    return has(this.#isHole, position);
  }

  /** Call it before the slot's value changes, and `insert` after. */
  remove(slot) {
    const at = this.#extraBefore(slot);
    if (this.#extra[at] === slot) return void this.#extra.splice(at, 1);
    const position = this.position(this.#value(slot), slot);
    this.#holes.splice(
      lowerBound(this.#holes.length, (n) => this.#holes[n] < position),
      0,
      position,
    );
    put(this.#isHole, position, true);
  }

  insert(slot) {
    this.#extra.splice(this.#extraBefore(slot), 0, slot);
    if (this.#extra.length > maxExtra) this.#merge();
  }

  /** Calls `visit` for slots from the `offset`-th on, from the first or from the last, until it returns false. */
  walk(offset, descending, visit) {
    const base = this.#base;
    const total = base.length - this.#holes.length + this.#extra.length;
    if (offset > total) return;
    let [at, extraAt] = this.#cursor(descending ? total - offset : offset);
    if (descending) {
      for (at--, extraAt--; at >= 0 || extraAt >= 0; ) {
        if (at >= 0 && this.isHole(at)) at--;
        else if (at < 0 || (extraAt >= 0 && this.#isBefore(base[at], this.#extra[extraAt]))) {
          if (!visit(this.#extra[extraAt--])) return;
        } else if (!visit(base[at--])) return;
      }
    } else {
      while (at < base.length || extraAt < this.#extra.length) {
        if (at < base.length && this.isHole(at)) at++;
        else if (
          at === base.length ||
          (extraAt < this.#extra.length && this.#isBefore(this.#extra[extraAt], base[at]))
        ) {
          if (!visit(this.#extra[extraAt++])) return;
        } else if (!visit(base[at++])) return;
      }
    }
  }

  /** The first position of the base that is not before (value, slot). Holes have no value of their own any more. */
  position(value, slot) {
    return this.#search((other) => {
      const otherValue = this.#value(other);
      return otherValue < value || (otherValue === value && other < slot);
    });
  }

  /** The first position, no hole, of the base for which `isBelow` of its slot does not hold. */
  #search(isBelow) {
    let from = 0;
    let to = this.#base.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      let probe = middle;
      while (probe < to && this.isHole(probe)) probe++;
      if (probe < to && isBelow(this.#base[probe], probe)) from = probe + 1;
      else to = middle;
    }
    while (to < this.#base.length && this.isHole(to)) to++;
    return to;
  }

  /** Where `before` slots, of base and extra together, lie below. */
  #cursor(before) {
    if (this.#extra.length === 0 && this.#holes.length === 0) return [before, 0];
    const above = this.#search((slot, position) => this.#before(slot, position) < before);
    const [at, extraAt] =
      above === this.#base.length ? [above, this.#extra.length] : [above, this.#extraBefore(this.#base[above])];
    const excess = at - this.#holesBefore(at) + extraAt - before;
    return [at, extraAt - excess];
  }

  #before(slot, position) {
    return position - this.#holesBefore(position) + this.#extraBefore(slot);
  }
  #holesBefore(position) {
    return lowerBound(this.#holes.length, (n) => this.#holes[n] < position);
  }
  #extraBefore(slot) {
    return lowerBound(this.#extra.length, (n) => this.#isBefore(this.#extra[n], slot));
  }
  #isBefore(a, b) {
    const difference = this.#value(a) - this.#value(b);
    return difference < 0 || (difference === 0 && a < b);
  }

  #merge() {
    const merged = new Uint32Array(this.#base.length - this.#holes.length + this.#extra.length);
    let at = 0;
    this.walk(0, false, (slot) => {
      merged[at++] = slot;
      return true;
    });
    this.#base = merged;
    this.#holes = [];
    this.#extra = [];
    this.#isHole.fill(0);
  }
}

function sortedSlots(rows, value) {
  const values = Float64Array.from({ length: rows }, (_, slot) => value(slot)).sort();
  const taken = new Uint32Array(rows);
  const slots = new Uint32Array(rows);
  for (let slot = 0; slot < rows; slot++) {
    const own = value(slot);
    const first = lowerBound(rows, (at) => values[at] < own);
    slots[first + taken[first]++] = slot;
  }
  return slots;
}

export function lowerBound(length, isBelow) {
  let from = 0;
  let to = length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBelow(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}
