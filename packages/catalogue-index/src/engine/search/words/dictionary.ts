import { bytesOfUnit, compareBytes, decode, decodeInto, encodeInto } from "./encoding.ts";

/** Encoded text of the current look-up. Reused, since allocating an array takes longer than comparing. */
let key = new Uint8Array(1024);

/** The beginning of one text in this many is kept as a number: numbers are compared ten times as fast as texts. */
const sampledTexts = 16;
/** The number of bytes that a double holds exactly. */
const sampledBytes = 6;

/** Distinct texts in ascending order, in one byte array. */
export class Dictionary {
  readonly bytes: Uint8Array;
  /** Where each text ends. */
  readonly ends: Uint32Array;
  /** The beginnings of the sampled texts, ascending. */
  readonly #samples: Float64Array;

  constructor(bytes: Uint8Array = new Uint8Array(0), ends: Uint32Array = new Uint32Array(0)) {
    this.bytes = bytes;
    this.ends = ends;
    this.#samples = new Float64Array(Math.ceil(ends.length / sampledTexts));
    for (let index = 0; index < this.#samples.length; index++)
      this.#samples[index] = beginningOf(
        bytes,
        this.startOf(index * sampledTexts),
        ends[index * sampledTexts] as number,
      );
  }

  get size(): number {
    return this.ends.length;
  }

  startOf(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] as number);
  }

  text(index: number): string {
    return decode(this.bytes, this.startOf(index), this.ends[index] as number);
  }

  /** Writes the code units of a text into `units`, and returns their number. */
  unitsInto(index: number, units: Uint16Array): number {
    return decodeInto(this.bytes, this.startOf(index), this.ends[index] as number, units);
  }

  /** Returns -1 if the text is not in the dictionary. */
  indexOf(text: string): number {
    const length = writeKey(text);
    const index = this.#lowerBound(length);
    return index < this.size && this.#compare(index, length, true) === 0 ? index : -1;
  }

  /** Returns the range of texts that begin with the prefix: from `from`, to before `to`. */
  beginningWith(prefix: string): { from: number; to: number } {
    const length = writeKey(prefix);
    const from = this.#lowerBound(length);
    // Most ranges are short, so the end is searched from there in steps that double.
    let [low, high] = [from, from];
    for (let step = 1; high < this.size && this.#compare(high, length, false) === 0; step *= 2) {
      low = high + 1;
      high = Math.min(this.size, high + step);
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, length, false) === 0) low = middle + 1;
      else high = middle;
    }
    return { from, to: low };
  }

  #lowerBound(length: number): number {
    const beginning = beginningOf(key, 0, length);
    const first = this.#sampleFrom(beginning);
    const next = this.#samples[first] === beginning ? this.#sampleFrom(beginning + 1) : first;
    let low = first === 0 ? 0 : (first - 1) * sampledTexts + 1;
    let high = Math.min(this.size, next * sampledTexts);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, length, true) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the first sample that is not below a beginning. */
  #sampleFrom(beginning: number): number {
    const samples = this.#samples;
    let [low, high] = [0, samples.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((samples[middle] as number) < beginning) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Compares a text with the key of `length` bytes: negative, 0 or positive. Unless `whole`, 0 also means that the text
   * begins with the key.
   */
  #compare(index: number, length: number, whole: boolean): number {
    const start = this.startOf(index);
    const end = this.ends[index] as number;
    return compareBytes(this.bytes, start, whole ? end : Math.min(end, start + length), key, 0, length);
  }
}

/** The first `sampledBytes` bytes of a text as a number. Texts that differ only after them have the same number. */
function beginningOf(bytes: Uint8Array, start: number, end: number): number {
  let beginning = 0;
  for (let index = start; index < start + sampledBytes; index++)
    beginning = 256 * beginning + (index < end ? (bytes[index] as number) : 0);
  return beginning;
}

/** Returns the length of the key in bytes. */
function writeKey(text: string): number {
  if (text.length * bytesOfUnit > key.length) key = new Uint8Array(2 * text.length * bytesOfUnit);
  return encodeInto(text, key, 0);
}

/** Two merged dictionaries; `ofA` and `ofB` map their texts to new places. */
export interface MergedDictionary {
  merged: Dictionary;
  ofA: Uint32Array;
  ofB: Uint32Array;
}

/** Merges two dictionaries, without the texts that have a count of 0 in `countsA` and `countsB`. */
export function mergeDictionaries(
  a: Dictionary,
  b: Dictionary,
  countsA: Uint32Array,
  countsB: Uint32Array,
): MergedDictionary {
  const bytes = new Uint8Array(a.bytes.length + b.bytes.length);
  const ends = new Uint32Array(a.size + b.size);
  const [ofA, ofB] = [new Uint32Array(a.size), new Uint32Array(b.size)];
  let [size, end] = [0, 0];
  const append = (from: Dictionary, index: number) => {
    for (let position = from.startOf(index), last = from.ends[index] as number; position < last; position++)
      bytes[end++] = from.bytes[position] as number;
    ends[size++] = end;
  };
  for (let atA = 0, atB = 0; atA < a.size || atB < b.size; ) {
    const order = orderOf(a, atA, b, atB);
    const isKept = (order <= 0 && countsA[atA] !== 0) || (order >= 0 && countsB[atB] !== 0);
    if (order <= 0) ofA[atA] = size;
    if (order >= 0) ofB[atB] = size;
    if (isKept && order <= 0) append(a, atA);
    if (isKept && order > 0) append(b, atB);
    if (order <= 0) atA++;
    if (order >= 0) atB++;
  }
  return { merged: new Dictionary(bytes.slice(0, end), ends.slice(0, size)), ofA, ofB };
}

/** Negative if the text of `a` comes next in a merge, positive if that of `b` does, and 0 for equal texts. */
function orderOf(a: Dictionary, indexA: number, b: Dictionary, indexB: number): number {
  if (indexA === a.size) return 1;
  if (indexB === b.size) return -1;
  return compareTexts(a, indexA, b, indexB);
}

const compareTexts = (a: Dictionary, atA: number, b: Dictionary, atB: number): number =>
  compareBytes(a.bytes, a.startOf(atA), a.ends[atA] as number, b.bytes, b.startOf(atB), b.ends[atB] as number);
