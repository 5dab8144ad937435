import { grown, type Numbers, nextCapacity, stored, trimmed } from "./arrays.ts";

/**
 * Numbers ids in the order of insertion, and finds the number of an id. Nothing is ever removed.
 *
 * Most ids are higher than all before them, since rows come in the order of their ids and new rows get new ids. They
 * are found by search and take the 4 bytes of the id, or 8 beyond 32 bits. The other ids are also in a hash table: open
 * addressing with linear probing, at most three quarters full.
 *
 * ```
 * number     0    1    2    3    4    5    6
 * id        10   11   20   12   13   21   30       two runs: 0 … 2 and 5 … 6; 12 and 13 are in the hash table
 * ```
 */
export class IdTable {
  /** The ids, by number. Growing replaces the array. */
  ids: Numbers = new Uint32Array(0);
  size = 0;
  /**
   * Runs of consecutive numbers; all their ids together ascend. Each has its first number and the one after its last.
   */
  #runs = new Uint32Array(0);
  #runCount = 0;
  /** The highest id. */
  #highest = Number.NEGATIVE_INFINITY;
  /** The number of ids in the hash table. */
  #others = 0;
  /** The places of the hash table: the number of an id + 1, or 0 for a free place. */
  #places = new Uint32Array(64);

  /** `ids`: the ids that already have numbers. */
  constructor(ids: Numbers = new Uint32Array(0)) {
    this.ids = ids;
    for (const id of ids) this.#place(id);
  }

  /** The number of an id, or -1. O(log n). */
  find(id: number): number {
    const number = this.#findInRuns(id);
    return number !== -1 || this.#others === 0 ? number : (this.#places[this.#placeOf(id)] as number) - 1;
  }

  /** Returns the number of an id; assigns a new one to an unknown id. */
  add(id: number): number {
    if (id <= this.#highest) {
      const number = this.find(id);
      if (number !== -1) return number;
    }
    this.ids = stored(grown<Numbers>(this.ids, nextCapacity(this.size + 1, this.ids.length)), this.size, id);
    this.#place(id);
    return this.size - 1;
  }

  /**
   * Frees spare capacity if it is more than a 32nd of the ids. Keeps a 64th, since otherwise the next id would allocate
   * again. Returns the capacity afterwards.
   */
  trim(): number {
    if (this.ids.length - this.size > this.size >>> 5)
      this.ids = trimmed<Numbers>(this.ids, this.size + (this.size >>> 6));
    return this.ids.length;
  }

  /** Puts the next id of `ids` into a run or into the hash table. */
  #place(id: number): void {
    const number = this.size++;
    if (id > this.#highest) {
      this.#highest = id;
      const last = 2 * this.#runCount - 1;
      if (last > 0 && this.#runs[last] === number) this.#runs[last] = number + 1;
      else {
        this.#runs = grown(this.#runs, 2 * nextCapacity(this.#runCount + 1, this.#runs.length >>> 1));
        this.#runs[last + 1] = number;
        this.#runs[last + 2] = number + 1;
        this.#runCount++;
      }
    } else {
      this.#others++;
      if (this.#others * 4 > this.#places.length * 3) this.#spread();
      this.#places[this.#placeOf(id)] = number + 1;
    }
  }

  #findInRuns(id: number): number {
    if (id > this.#highest) return -1;
    const { ids } = this;
    const runs = this.#runs;
    // The last run that begins with this id or a lower one.
    let [low, high] = [0, this.#runCount];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[runs[2 * middle] as number] as number) <= id) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return -1;
    let from = runs[2 * low - 2] as number;
    let to = (runs[2 * low - 1] as number) - 1;
    // Ids are nearly evenly spaced, so each guess leaves few of them; every second step halves the rest in any case.
    for (let isGuess = true; from < to; isGuess = !isGuess) {
      const first = ids[from] as number;
      const last = ids[to] as number;
      if (id >= last) return id === last ? to : -1;
      const middle = isGuess ? from + Math.floor(((to - from) * (id - first)) / (last - first)) : (from + to) >>> 1;
      const found = ids[middle] as number;
      if (found === id) return middle;
      if (found < id) from = middle + 1;
      else to = middle - 1;
      if (from > to || (ids[from] as number) > id) return -1;
    }
    return ids[from] === id ? from : -1;
  }

  /** Returns the place of the id's number in the hash table, or the free place for it. */
  #placeOf(id: number): number {
    const places = this.#places;
    const ids = this.ids;
    const mask = places.length - 1;
    for (let place = hashOf(id) & mask; ; place = (place + 1) & mask) {
      const number = places[place] as number;
      if (number === 0 || ids[number - 1] === id) return place;
    }
  }

  /** Doubles the hash table. */
  #spread(): void {
    const former = this.#places;
    this.#places = new Uint32Array(2 * former.length);
    for (const number of former) if (number !== 0) this.#places[this.#placeOf(this.ids[number - 1] as number)] = number;
  }
}

/** Mixes both halves of an id: ids may exceed 32 bits, and differ in the upper half alone. */
function hashOf(id: number): number {
  const mixed = Math.imul((id | 0) ^ Math.imul(Math.floor(id / 2 ** 32), 0x85ebca6b), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
