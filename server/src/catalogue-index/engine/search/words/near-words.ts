import { isCorrectable } from "../../../../text/search-words.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Interned } from "./interned.ts";
import { allowedEdits, editsWithin, unitsOf } from "./typing-errors.ts";

const shortest = 3;
const longest = 40;
/** Letters that about half of all words have: by them most words are passed over in groups. */
const tellingLetters = Array.from("aeionrlst", (letter) => letter.charCodeAt(0) - 97);
const groups = 1 << tellingLetters.length;

/**
 * Finds the words of a dictionary that a typed word may stand for: by length, and by the set of their letters, of which an
 * edit adds one and takes away one at most. What is left, one word in some hundreds, is compared.
 */
export class NearWords {
  readonly #dictionary: Dictionary;
  /** Places in the dictionary, by length, then by the telling letters. */
  readonly #order: Uint32Array;
  readonly #signatures: Uint32Array;
  /** Where the words of each length and telling letters end. */
  readonly #ends = new Uint32Array((longest + 1) * groups);
  /** The code units of all words in that order. */
  readonly #units: Uint16Array;

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
    const groupOf = new Uint16Array(dictionary.size);
    const word = new Uint16Array(longest);
    let units = 0;
    for (let index = 0; index < dictionary.size; index++) {
      const length = correctableLength(dictionary, index);
      if (length === 0) continue;
      dictionary.unitsInto(index, word, 0);
      const group = length * groups + tellingOf(signatureOf(word, 0, length));
      groupOf[index] = group;
      (this.#ends[group] as number)++;
      units += length;
    }
    for (let group = 1; group < this.#ends.length; group++)
      (this.#ends[group] as number) += this.#ends[group - 1] as number;
    this.#order = new Uint32Array(this.#ends.at(-1) as number);
    this.#signatures = new Uint32Array(this.#order.length);
    this.#units = new Uint16Array(units);
    const places = this.#ends.slice();
    for (let index = dictionary.size - 1; index >= 0; index--) {
      const group = groupOf[index] as number;
      if (group > 0) this.#order[--(places[group] as number)] = index;
    }
    for (let length = 1, place = 0, at = 0; length <= longest; length++)
      for (const end = this.#endOf(length); place < end; place++) {
        dictionary.unitsInto(this.#order[place] as number, this.#units, at);
        this.#signatures[place] = signatureOf(this.#units, at, at + length);
        at += length;
      }
  }

  #endOf(length: number): number {
    return this.#ends[(length + 1) * groups - 1] as number;
  }

  /**
   * `isGenerous`: with more edits, for what nothing else is found for. Calls `found` in the order of length, then of the
   * dictionary.
   */
  forEach(typed: string, isGenerous: boolean, found: (word: string, edits: number) => void): void {
    const typedUnits = unitsOf(typed);
    const signature = signatureOf(typedUnits, 0, typed.length);
    const telling = tellingOf(signature);
    const [signatures, units] = [this.#signatures, this.#units];
    let unitsBefore = 0;
    for (let length = 1; length <= Math.min(longest, typed.length + 2); length++) {
      const [from, end] = [this.#endOf(length - 1), this.#endOf(length)];
      const first = unitsBefore - from * length;
      unitsBefore += (end - from) * length;
      const edits = editsBetween(typed.length, length, isGenerous);
      if (Math.abs(length - typed.length) > edits || edits === 0) continue;
      // An edit adds a letter, takes one away, or does both; a word that is longer needs edits that only add.
      const gained = edits - Math.max(0, typed.length - length);
      const lost = edits - Math.max(0, length - typed.length);
      const near: { index: number; edits: number }[] = [];
      for (let group = 0, at = from; group < groups; group++) {
        const groupEnd = this.#ends[length * groups + group] as number;
        if (hasMore(group & ~telling, gained) || hasMore(telling & ~group, lost)) {
          at = groupEnd;
          continue;
        }
        for (; at < groupEnd; at++) {
          const own = signatures[at] as number;
          if (hasMore(own & ~signature, gained) || hasMore(signature & ~own, lost)) continue;
          const start = first + at * length;
          const needed = editsWithin(typedUnits, units, start, start + length, edits);
          if (needed > 0) near.push({ index: this.#order[at] as number, edits: needed });
        }
      }
      near.sort((a, b) => a.index - b.index);
      for (const { index, edits } of near) found(this.#dictionary.text(index), edits);
    }
  }

  /** The same among words that have come since. */
  forEachOf(words: Interned, typed: string, isGenerous: boolean, found: (word: string, edits: number) => void): void {
    if (words.size === 0) return;
    const typedUnits = unitsOf(typed);
    for (let id = 0; id < words.size; id++) {
      const word = words.text(id);
      const edits = editsBetween(typed.length, word.length, isGenerous);
      if (Math.abs(word.length - typed.length) > edits || edits === 0 || !isCorrectable(word)) continue;
      const needed = editsWithin(typedUnits, unitsOf(word), 0, word.length, edits);
      if (needed > 0) found(word, needed);
    }
  }
}

/** 0: it is not to be corrected, nor is anything to it. */
function correctableLength(dictionary: Dictionary, index: number): number {
  const { bytes } = dictionary;
  const [start, end] = [dictionary.startOf(index), dictionary.ends[index] as number];
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) {
      const word = dictionary.text(index);
      return isCorrectable(word) ? word.length : 0;
    }
    if (byte >= 0x30 && byte <= 0x39) return 0;
  }
  const length = end - start;
  return length >= shortest && length <= longest ? length : 0;
}

/** Generous: one edit also in words of three letters, two also in those of six. */
function editsBetween(typedLength: number, length: number, isGenerous: boolean): number {
  if (length < shortest) return 0;
  if (isGenerous && Math.min(typedLength, length) >= 6) return 2;
  return isGenerous && typedLength === 3 && length === 3 ? 1 : allowedEdits(typedLength, length);
}

/** The telling letters of a signature, a bit for each. */
function tellingOf(signature: number): number {
  let telling = 0;
  for (let at = 0; at < tellingLetters.length; at++)
    telling |= ((signature >>> (tellingLetters[at] as number)) & 1) << at;
  return telling;
}

/** Whether more than `most` bits are set, which is two at most. */
function hasMore(bits: number, most: number): boolean {
  if (most === 0) return bits !== 0;
  const others = bits & (bits - 1);
  return most === 1 ? others !== 0 : (others & (others - 1)) !== 0;
}

/** A bit for each letter of the alphabet, and some for all others. */
function signatureOf(units: Uint16Array, start: number, end: number): number {
  let signature = 0;
  for (let at = start; at < end; at++) {
    const unit = units[at] as number;
    const letter = unit - 97;
    signature |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + (unit % 6));
  }
  return signature;
}
