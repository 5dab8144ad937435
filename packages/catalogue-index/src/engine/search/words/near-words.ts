import { isCorrectable } from "@beatmarket/foundation/text/search-words.ts";
import type { Dictionary } from "./dictionary.ts";
import { bytesOfUnit } from "./encoding.ts";
import type { Interned } from "./interned.ts";
import { allowedEdits, editsWithin, unitsOf } from "./typing-errors.ts";
import { leftOut, WordsByPart } from "./words-by-part.ts";

const shortest = 3;
const longest = 40;
/** The maximum number of typed words whose near words are cached. Most have fewer than ten, in about 100 bytes. */
const maxCached = 4_096;
/** The maximum number of near words of a cached word. */
const maxCachedMatches = 256;

/** A typed word, and the limits of the words of one length that it may mean. */
interface NearQuery {
  /** The typed word. */
  units: Uint16Array;
  signature: number;
  length: number;
  /** The maximum number of edits, 1 or 2. */
  edits: number;
  /** By how many letters the typed word is longer. */
  longer: number;
  /** The maximum number of letters that a word has and the typed word lacks (`gained`), and of the reverse (`lost`). */
  gained: number;
  lost: number;
  /** Four times the index of each matching word, plus the edits. May contain duplicates. */
  matches: number[];
}

/**
 * Finds the words of a dictionary that a typed word may mean. Divides words into a beginning, a middle and an end. Two
 * edits leave one of the three unchanged, unless an edit swaps two letters across a division. So only words that
 * share a part with the typed word, or with the typed word after such a swap, are looked up. Their sets of letters are
 * compared next, since an edit adds at most one letter and removes at most one. The few remaining words are compared
 * letter by letter.
 */
export class NearWords {
  readonly #dictionary: Dictionary;
  readonly #byBeginning: WordsByPart;
  readonly #byMiddle: WordsByPart;
  readonly #byEnd: WordsByPart;
  /** The near words of typed words, as in `NearQuery.matches`. The dictionary does not change. */
  readonly #cache = new Map<string, readonly number[]>();
  /** The word that is compared. */
  readonly #units = new Uint16Array(longest * bytesOfUnit);

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
    const signatures = new Uint32Array(dictionary.size);
    const hashes = () => new Uint32Array(dictionary.size).fill(leftOut);
    const [beginnings, middles, ends] = [hashes(), hashes(), hashes()];
    const units = this.#units;
    for (let index = 0; index < dictionary.size; index++) {
      const length = correctableLength(dictionary, index);
      if (length === 0) continue;
      dictionary.unitsInto(index, units);
      signatures[index] = signatureOf(units, 0, length);
      const [middle, end] = [middleOf(length), endOf(length)];
      beginnings[index] = hashOf(length, units, 0, middle);
      middles[index] = hashOf(length, units, middle, end);
      ends[index] = hashOf(length, units, end, length);
    }
    this.#byBeginning = new WordsByPart(beginnings, signatures);
    this.#byMiddle = new WordsByPart(middles, signatures);
    this.#byEnd = new WordsByPart(ends, signatures);
  }

  /**
   * Calls `onWord` with each near word, in the order of length, then of the dictionary. `isGenerous`: allows more
   * edits, for texts without other matches.
   */
  forEach(typed: string, isGenerous: boolean, onWord: (word: string, edits: number) => void): void {
    const key = `${isGenerous} ${typed}`;
    let near = this.#cache.get(key);
    if (near === undefined) {
      near = this.#near(typed, isGenerous);
      if (this.#cache.size === maxCached) this.#cache.clear();
      if (near.length <= maxCachedMatches) this.#cache.set(key, near);
    }
    for (const one of near) onWord(this.#dictionary.text(Math.floor(one / 4)), one % 4);
  }

  #near(typed: string, isGenerous: boolean): number[] {
    const units = unitsOf(typed);
    const signature = signatureOf(units, 0, typed.length);
    const near: number[] = [];
    for (let length = Math.max(1, typed.length - 2); length <= Math.min(longest, typed.length + 2); length++) {
      const edits = editsBetween(typed.length, length, isGenerous);
      const longer = typed.length - length;
      if (Math.abs(longer) > edits || edits === 0) continue;
      // An edit adds a letter, removes one, or does both. If the word is longer, some edits can only add.
      const gained = edits - Math.max(0, longer);
      const lost = edits - Math.max(0, -longer);
      const matches = this.#find({ units, signature, length, edits, longer, gained, lost, matches: [] });
      matches.sort((a, b) => a - b);
      for (const [index, one] of matches.entries()) if (one !== matches[index - 1]) near.push(one);
    }
    return near;
  }

  #find(query: NearQuery): number[] {
    const { units, length, longer, edits } = query;
    const [middle, end] = [middleOf(length), endOf(length)];
    const beginning = () => hashOf(length, units, 0, middle);
    const ending = () => hashOf(length, units, end + longer, units.length);
    // A single edit, even a swap across a division, leaves the beginning or the end unchanged.
    this.#compare(this.#byBeginning, beginning(), query);
    this.#compare(this.#byEnd, ending(), query);
    if (edits === 1) return query.matches;
    // If both contain an edit, the middle is unchanged, but moved by at most one letter.
    for (let moved = Math.max(-1, longer - 1); moved <= Math.min(1, longer + 1); moved++)
      this.#compare(this.#byMiddle, hashOf(length, units, middle + moved, end + moved), query);
    // Two edits may be a swap across one division and an edit beyond the other division.
    if (Math.abs(longer) === 2) return query.matches;
    this.#compare(this.#byBeginning, withSwap(units, middle, beginning), query);
    this.#compare(this.#byEnd, withSwap(units, end + longer, ending), query);
    return query.matches;
  }

  /** Compares the typed word with the words with a part of this hash. */
  #compare(
    words: WordsByPart,
    hash: number,
    { units, signature, length, edits, gained, lost, matches }: NearQuery,
  ): void {
    const { indexes, signatures } = words;
    const dictionary = this.#dictionary;
    for (let at = words.startOf(hash), end = words.endOf(hash); at < end; at++) {
      const other = signatures[at] as number;
      if (hasMore(other & ~signature, gained) || hasMore(signature & ~other, lost)) continue;
      const index = indexes[at] as number;
      const [start, last] = [dictionary.startOf(index), dictionary.ends[index] as number];
      // Most words are ASCII, and need not be decoded.
      const isAscii = last - start === length;
      // Words of other lengths may have the same hash.
      if (!isAscii && dictionary.unitsInto(index, this.#units) !== length) continue;
      const needed = isAscii
        ? editsWithin(units, dictionary.bytes, start, last, edits)
        : editsWithin(units, this.#units, 0, length, edits);
      if (needed > 0 && (!isAscii || dictionary.unitsInto(index, this.#units) === length))
        matches.push(4 * index + needed);
    }
  }

  /** Like `forEach`, for the words that were added since the last merge, in the order of their addition. */
  forEachOf(words: Interned, typed: string, isGenerous: boolean, onWord: (word: string, edits: number) => void): void {
    const typedUnits = unitsOf(typed);
    const units = this.#units;
    for (let id = 0; id < words.size; id++) {
      if (words.bytesOf(id) > units.length) continue;
      const length = words.unitsInto(id, units);
      const edits = editsBetween(typed.length, length, isGenerous);
      if (Math.abs(length - typed.length) > edits || edits === 0) continue;
      const needed = editsWithin(typedUnits, units, 0, length, edits);
      if (needed <= 0) continue;
      const word = words.text(id);
      if (isCorrectable(word)) onWord(word, needed);
    }
  }
}

/** Returns 0 for a word that is never a correction. */
function correctableLength(dictionary: Dictionary, index: number): number {
  const { bytes } = dictionary;
  const [start, end] = [dictionary.startOf(index), dictionary.ends[index] as number];
  for (let position = start; position < end; position++) {
    const byte = bytes[position] as number;
    if (byte >= 0x80) {
      const word = dictionary.text(index);
      return isCorrectable(word) ? word.length : 0;
    }
    if (byte >= 0x30 && byte <= 0x39) return 0;
  }
  const length = end - start;
  return length >= shortest && length <= longest ? length : 0;
}

/**
 * The maximum number of edits. `isGenerous` allows one edit in words of three letters, and two in words of six or more.
 */
export function editsBetween(typedLength: number, length: number, isGenerous: boolean): number {
  if (length < shortest) return 0;
  if (isGenerous && Math.min(typedLength, length) >= 6) return 2;
  return isGenerous && typedLength === 3 && length === 3 ? 1 : allowedEdits(typedLength, length);
}

/** Whether more than `most` (0 to 2) bits are set. */
function hasMore(bits: number, most: number): boolean {
  if (most === 0) return bits !== 0;
  const others = bits & (bits - 1);
  return most === 1 ? others !== 0 : (others & (others - 1)) !== 0;
}

/** A set of letters: one bit for each letter of the alphabet, and six bits for all other code units. */
function signatureOf(units: Uint16Array, start: number, end: number): number {
  let signature = 0;
  for (let index = start; index < end; index++) {
    const unit = units[index] as number;
    const letter = unit - 97;
    signature |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + (unit % 6));
  }
  return signature;
}

/** The index at which the middle of a word of this length begins. */
const middleOf = (length: number): number => Math.floor(length / 3);

/** The index at which the end of a word of this length begins. */
const endOf = (length: number): number => Math.floor((2 * length) / 3);

/** FNV-1a of a part of a word, and of the word's length; never `leftOut`. */
function hashOf(length: number, units: Uint16Array, from: number, to: number): number {
  let hash = 0x811c9dc5 ^ length;
  for (let index = from; index < to; index++) hash = Math.imul(hash ^ (units[index] as number), 0x01000193);
  // The low bits of FNV-1a are not uniform, so the high bits are mixed in.
  return ((hash ^ (hash >>> 15)) >>> 0) % leftOut;
}

/** Returns the hash that is computed while the letters before and after this place are swapped. */
function withSwap(units: Uint16Array, place: number, hash: () => number): number {
  const [before, after] = [units[place - 1] as number, units[place] as number];
  units[place - 1] = after;
  units[place] = before;
  const swapped = hash();
  units[place - 1] = before;
  units[place] = after;
  return swapped;
}
