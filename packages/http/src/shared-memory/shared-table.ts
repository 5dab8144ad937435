import { hash } from "node:crypto";
import { Lock, lockWords } from "./lock.ts";

/** The memory of a table. Structured clones share the bytes. */
export interface TableMemory {
  /** The lock, and the number of records. */
  state: SharedArrayBuffer;
  keys: SharedArrayBuffer;
  values: SharedArrayBuffer;
  fields: number;
}

const keyWords = 4;
const emptyKey = 0;
const removedShare = 1 / 8;

/**
 * A hash table in shared memory: records of `fields` numbers by name. Uses open addressing and is at most half full.
 * Call all other methods inside `run`. The system allocates memory only for slots that were written.
 */
export class SharedTable {
  readonly #lock: Lock;
  readonly #state: Int32Array;
  readonly #keys: Uint32Array;
  readonly #fields: number;
  readonly #mask: number;
  readonly #key = new Uint32Array(keyWords);
  /** The fields of all records. */
  readonly values: Float64Array;
  readonly maxRecords: number;

  constructor({ state, keys, values, fields }: TableMemory) {
    this.#state = new Int32Array(state);
    this.#lock = new Lock(this.#state);
    this.#keys = new Uint32Array(keys);
    this.values = new Float64Array(values);
    this.#fields = fields;
    const slots = this.#keys.length / keyWords;
    this.#mask = slots - 1;
    this.maxRecords = slots / 2;
  }

  /** `maxRecords` is rounded up to a power of two. */
  static allocate(maxRecords: number, fields: number): TableMemory {
    const slots = 2 ** (Math.ceil(Math.log2(maxRecords)) + 1);
    return {
      state: new SharedArrayBuffer(4 * (lockWords + 1)),
      keys: new SharedArrayBuffer(4 * keyWords * slots),
      values: new SharedArrayBuffer(8 * fields * slots),
      fields,
    };
  }

  /** Runs work while no other thread works on the table. */
  run<T>(work: () => T): T {
    return this.#lock.run(work);
  }

  /** Frees the table if the thread that ended held the table's lock. `repair` restores an unfinished change. */
  releaseOf(endedThread: number, repair: () => void = () => this.repair()): void {
    this.#lock.releaseOf(endedThread, repair);
  }

  get size(): number {
    return this.#state[lockWords] as number;
  }

  get isFull(): boolean {
    return this.size >= this.maxRecords;
  }

  /** Returns the index of a record's first field in `values`; -1 if there is no record. */
  find(name: string | number): number {
    const slot = this.#slotOf(name);
    return this.#isEmpty(slot) ? -1 : slot * this.#fields;
  }

  /** Adds a record of zeros for a name without a record. Throws if the table is full. */
  add(name: string | number): number {
    if (this.isFull) throw new Error("A table in shared memory is full.");
    const slot = this.#slotOf(name);
    const record = slot * this.#fields;
    // Writes the name last, so that a record never has the values of another record if the thread ends in between.
    this.values.fill(0, record, record + this.#fields);
    this.#keys.set(this.#key, slot * keyWords);
    this.#state[lockWords] = this.size + 1;
    return record;
  }

  /** Removes a record. Changes the positions of other records. */
  remove(record: number): void {
    let hole = record / this.#fields;
    for (let slot = (hole + 1) & this.#mask; !this.#isEmpty(slot); slot = (slot + 1) & this.#mask) {
      const home = this.#homeOf(slot);
      // A record whose home lies after the hole stays; `find` would not reach any other record beyond the hole.
      if (((slot - home) & this.#mask) < ((slot - hole) & this.#mask)) continue;
      this.#move(slot, hole);
      hole = slot;
    }
    this.#keys.fill(emptyKey, hole * keyWords, (hole + 1) * keyWords);
    this.#state[lockWords] = this.size - 1;
  }

  /** Removes the records for which `isOver` is true. */
  removeWhere(isOver: (record: number) => boolean): void {
    for (let slot = this.#mask; slot >= 0; slot--)
      while (!this.#isEmpty(slot) && isOver(slot * this.#fields)) this.remove(slot * this.#fields);
  }

  /**
   * Removes an eighth of the records, those with the smallest `field`. Removing only one would require a sort for each
   * new name.
   */
  removeLeast(field: number): void {
    const sorted = Float64Array.from(this.records(), (record) => this.values[record + field] as number).sort();
    const threshold = sorted[Math.floor(sorted.length * removedShare)] as number;
    this.removeWhere((record) => (this.values[record + field] as number) <= threshold);
  }

  /** Removes all records. */
  clear(): void {
    this.#keys.fill(emptyKey);
    this.#state[lockWords] = 0;
  }

  /** Restores the table after a thread ended in the middle of `add` or `remove`. */
  repair(): void {
    const slots = this.#mask + 1;
    let first = 0;
    while (!this.#isEmpty(first)) first++;
    const records = new Map<string, { key: Uint32Array; values: Float64Array }>();
    // A record that was being moved has two copies. The loop starts at an empty slot, so that the complete copy comes
    // last.
    for (let step = 1; step < slots; step++) {
      const slot = (first + step) & this.#mask;
      if (this.#isEmpty(slot)) continue;
      const key = this.#keys.slice(slot * keyWords, (slot + 1) * keyWords);
      const values = this.values.slice(slot * this.#fields, (slot + 1) * this.#fields);
      records.set(key.join(), { key, values });
    }
    this.clear();
    for (const { key, values } of records.values()) {
      let slot = homeOf(key, 0) & this.#mask;
      while (!this.#isEmpty(slot)) slot = (slot + 1) & this.#mask;
      this.#keys.set(key, slot * keyWords);
      this.values.set(values, slot * this.#fields);
    }
    this.#state[lockWords] = records.size;
  }

  *records(): Generator<number> {
    if (this.size > 0)
      for (let slot = 0; slot <= this.#mask; slot++) if (!this.#isEmpty(slot)) yield slot * this.#fields;
  }

  /** Returns the slot of a name, or the empty slot for it. Sets `#key`. */
  #slotOf(name: string | number): number {
    const key = this.#key;
    if (typeof name === "number") {
      key[0] = name;
      key[1] = name / 2 ** 32;
      key[2] = 0;
    } else {
      // 96 bits make a collision impossible in practice, even if a client searches for one.
      const digest = hash("sha256", name, "buffer");
      for (let word = 0; word < keyWords - 1; word++) key[word] = digest.readUInt32LE(4 * word);
    }
    key[keyWords - 1] = 1;
    let slot = homeOf(key, 0) & this.#mask;
    while (!this.#isEmpty(slot) && !this.#isKeyOf(slot)) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #isEmpty(slot: number): boolean {
    return this.#keys[slot * keyWords + keyWords - 1] === emptyKey;
  }

  #isKeyOf(slot: number): boolean {
    for (let word = 0; word < keyWords; word++)
      if (this.#keys[slot * keyWords + word] !== this.#key[word]) return false;
    return true;
  }

  #homeOf(slot: number): number {
    return homeOf(this.#keys, slot * keyWords) & this.#mask;
  }

  /** Copies the name first: the original record stays complete until the values are also copied. */
  #move(from: number, to: number): void {
    this.#keys.copyWithin(to * keyWords, from * keyWords, (from + 1) * keyWords);
    this.values.copyWithin(to * this.#fields, from * this.#fields, (from + 1) * this.#fields);
  }
}

/** Spreads keys that are consecutive numbers. */
const homeOf = (key: Uint32Array, offset: number): number => {
  const mixed = Math.imul((key[offset] as number) ^ (key[offset + 1] as number), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};
