import { grown, nextCapacity, trimmed } from "./arrays.ts";

/**
 * Numbers ids in the order of insertion, and finds the number of an id: open addressing with linear probing, at most
 * three quarters full. Nothing is ever removed. An id takes 16 bytes; in a Map it would take 40.
 */
export class IdTable {
  /** The ids, by number. */
  ids: Float64Array;
  size: number;
  /** The places of a hash table: the number of an id + 1, or 0 for a free place. */
  #places: Uint32Array;

  /** `ids`: the ids that already have numbers. */
  constructor(ids: Float64Array = new Float64Array(0)) {
    this.ids = ids;
    this.size = ids.length;
    this.#places = new Uint32Array(0);
    this.#spread();
  }

  /** The number of an id, or -1. O(1). */
  find(id: number): number {
    return (this.#places[this.#placeOf(id)] as number) - 1;
  }

  /** Returns the number of an id; assigns a new one to an unknown id. O(1) amortized. */
  add(id: number): number {
    const place = this.#placeOf(id);
    const numberPlusOne = this.#places[place] as number;
    if (numberPlusOne !== 0) return numberPlusOne - 1;
    const number = this.size++;
    this.ids = grown(this.ids, nextCapacity(this.size, this.ids.length));
    this.ids[number] = id;
    if (this.size * 4 > this.#places.length * 3) this.#spread();
    else this.#places[place] = number + 1;
    return number;
  }

  /**
   * Frees spare capacity if it is more than a 32nd of the ids. Keeps a 64th, since otherwise the next id would allocate
   * again. Returns the capacity afterwards.
   */
  trim(): number {
    if (this.ids.length - this.size > this.size >>> 5) this.ids = trimmed(this.ids, this.size + (this.size >>> 6));
    return this.ids.length;
  }

  /** Returns the place of the id's number, or the free place for it. */
  #placeOf(id: number): number {
    const places = this.#places;
    const ids = this.ids;
    const mask = places.length - 1;
    for (let place = hashOf(id) & mask; ; place = (place + 1) & mask) {
      const number = places[place] as number;
      if (number === 0 || ids[number - 1] === id) return place;
    }
  }

  #spread(): void {
    let length = 64;
    while (this.size * 4 > length * 3) length *= 2;
    const places = new Uint32Array(length);
    const mask = length - 1;
    for (let number = 0; number < this.size; number++) {
      let place = hashOf(this.ids[number] as number) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
    this.#places = places;
  }
}

/** Mixes both halves of an id: ids may exceed 32 bits, and differ in the upper half alone. */
function hashOf(id: number): number {
  const mixed = Math.imul((id | 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x85ebca6b), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
