import { Dictionary } from "./dictionary.ts";
import { bytesOfUnit, compareBytes, decode, decodeInto, encodeInto } from "./encoding.ts";
import { Growing } from "./growing.ts";

/**
 * Distinct texts, numbered in the order of insertion. An open-addressing table over one byte array, without an object
 * for each text.
 */
export class Interned {
  #bytes = new Uint8Array(1024);
  readonly #ends = new Growing();
  /** Number + 1 by hash; 0: free. */
  #table = new Uint32Array(256);
  /** The numbers in the order of their texts; built on first use. */
  #sorted: Growing | undefined;

  get size(): number {
    return this.#ends.length;
  }

  text(id: number): string {
    return decode(this.#bytes, this.#startOf(id), this.#ends.values[id] as number);
  }

  /** Returns the length of a text in bytes. It is at least the length in code units. */
  bytesOf(id: number): number {
    return (this.#ends.values[id] as number) - this.#startOf(id);
  }

  /** Writes the code units of a text into `units`, and returns their number. */
  unitsInto(id: number, units: Uint16Array): number {
    return decodeInto(this.#bytes, this.#startOf(id), this.#ends.values[id] as number, units);
  }

  /** Returns -1 for an unknown text. */
  idOf(text: string): number {
    if (this.size === 0) return -1;
    return (this.#table[this.#place(this.#write(text))] as number) - 1;
  }

  add(text: string): number {
    const end = this.#write(text);
    const place = this.#place(end);
    const entryId = this.#table[place] as number;
    if (entryId !== 0) return entryId - 1;
    const id = this.size;
    this.#ends.push(end);
    this.#table[place] = id + 1;
    if (2 * this.size > this.#table.length) this.#enlarge();
    if (this.#sorted !== undefined) this.#sorted.insert(this.#lowerBound(this.#sorted, id), id);
    return id;
  }

  /** Returns the numbers in ascending order of their texts. */
  sorted(): Uint32Array {
    this.#sorted ??= Growing.of(this.#sort());
    return this.#sorted.values.subarray(0, this.size);
  }

  /** Returns the numbers of the texts that begin with the prefix. */
  beginningWith(prefix: string): number[] {
    const ids: number[] = [];
    if (this.size === 0) return ids;
    const sorted = this.sorted();
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.text(sorted[middle] as number) < prefix) low = middle + 1;
      else high = middle;
    }
    for (; low < this.size && this.text(sorted[low] as number).startsWith(prefix); low++)
      ids.push(sorted[low] as number);
    return ids;
  }

  /** Returns all texts in ascending order; a text's index is that of its number in `sorted`. */
  toDictionary(): Dictionary {
    const bytes = new Uint8Array(this.#startOf(this.size));
    const ends = new Uint32Array(this.size);
    let end = 0;
    for (const [index, id] of this.sorted().entries()) {
      const from = this.#startOf(id);
      const to = this.#ends.values[id] as number;
      for (let position = from; position < to; position++) bytes[end++] = this.#bytes[position] as number;
      ends[index] = end;
    }
    return new Dictionary(bytes, ends);
  }

  #startOf(id: number): number {
    return id === 0 ? 0 : (this.#ends.values[id - 1] as number);
  }

  /** Writes a text after the last one; if the text is new, it stays there. Returns its end. */
  #write(text: string): number {
    const start = this.#startOf(this.size);
    const requiredBytes = start + text.length * bytesOfUnit;
    if (requiredBytes > this.#bytes.length) {
      const grown = new Uint8Array(2 * requiredBytes);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    return encodeInto(text, this.#bytes, start);
  }

  /** Returns the table place of the text that was written last and ends at `end`, or the free place for it. */
  #place(end: number): number {
    const start = this.#startOf(this.size);
    const bytes = this.#bytes;
    const mask = this.#table.length - 1;
    for (let place = hashOf(bytes, start, end) & mask; ; place = (place + 1) & mask) {
      const id = this.#table[place] as number;
      if (id === 0) return place;
      const knownStart = this.#startOf(id - 1);
      if (compareBytes(bytes, knownStart, this.#ends.values[id - 1] as number, bytes, start, end) === 0) return place;
    }
  }

  #enlarge(): void {
    const mask = 4 * this.#table.length - 1;
    this.#table = new Uint32Array(mask + 1);
    for (let id = 0; id < this.size; id++) {
      let place = hashOf(this.#bytes, this.#startOf(id), this.#ends.values[id] as number) & mask;
      while (this.#table[place] !== 0) place = (place + 1) & mask;
      this.#table[place] = id + 1;
    }
  }

  #compare(a: number, b: number): number {
    const [endA, endB] = [this.#ends.values[a] as number, this.#ends.values[b] as number];
    return compareBytes(this.#bytes, this.#startOf(a), endA, this.#bytes, this.#startOf(b), endB);
  }

  /** Sorts by the first two bytes, then each group by all bytes. */
  #sort(): Uint32Array {
    const keyOf = (id: number) => {
      const [start, end] = [this.#startOf(id), this.#ends.values[id] as number];
      const first = end > start ? (this.#bytes[start] as number) : 0;
      return (first << 8) | (end > start + 1 ? (this.#bytes[start + 1] as number) : 0);
    };
    const places = new Uint32Array(65_537);
    for (let id = 0; id < this.size; id++) (places[keyOf(id) + 1] as number)++;
    for (let key = 1; key < places.length; key++) (places[key] as number) += places[key - 1] as number;
    const starts = places.slice();
    const sorted = new Uint32Array(this.size);
    for (let id = 0; id < this.size; id++) sorted[(places[keyOf(id)] as number)++] = id;
    for (let key = 0; key < 65_536; key++) {
      const [from, to] = [starts[key] as number, starts[key + 1] as number];
      if (to - from > 1) sorted.subarray(from, to).sort((a, b) => this.#compare(a, b));
    }
    return sorted;
  }

  /** Returns the place at which a new text must be inserted. */
  #lowerBound(sorted: Growing, id: number): number {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(sorted.values[middle] as number, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** FNV-1a, with the high bits folded into the low ones. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ (bytes[index] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
