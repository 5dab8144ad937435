import { isCorrectable } from "../../../../text/search-words.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Interned } from "./interned.ts";
import { allowedEdits, areWithin } from "./typing-errors.ts";

const shortest = 3;
const longest = 40;

/**
 * Finds the words of a dictionary that a typed word may stand for: by length, and by the set of their letters, of which an
 * edit adds one and takes away one at most. What is left, one word in some hundreds, is compared.
 */
export class NearWords {
  readonly #dictionary: Dictionary;
  /** Places in the dictionary, by length. */
  readonly #order: Uint32Array;
  readonly #signatures: Uint32Array;
  /** Where the words of each length end. */
  readonly #ends = new Uint32Array(longest + 1);

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
    const lengths = new Uint8Array(dictionary.size);
    const signatures = new Uint32Array(dictionary.size);
    for (let index = 0; index < dictionary.size; index++) {
      const word = dictionary.text(index);
      if (!isCorrectable(word)) continue;
      lengths[index] = word.length;
      signatures[index] = signatureOf(word);
      (this.#ends[word.length] as number)++;
    }
    for (let length = 1; length <= longest; length++)
      (this.#ends[length] as number) += this.#ends[length - 1] as number;
    const places = this.#ends.slice();
    this.#order = new Uint32Array(this.#ends[longest] as number);
    this.#signatures = new Uint32Array(this.#order.length);
    for (let index = dictionary.size - 1; index >= 0; index--) {
      const length = lengths[index] as number;
      if (length === 0) continue;
      const place = --(places[length] as number);
      this.#order[place] = index;
      this.#signatures[place] = signatures[index] as number;
    }
  }

  /** `isGenerous`: with more edits, for what nothing else is found for. Calls `found` in the order of length. */
  forEach(typed: string, isGenerous: boolean, found: (word: string, edits: number) => void): void {
    const signature = signatureOf(typed);
    for (let length = Math.max(shortest, typed.length - 2); length <= Math.min(longest, typed.length + 2); length++) {
      const edits = editsBetween(typed.length, length, isGenerous);
      if (Math.abs(length - typed.length) > edits || edits === 0) continue;
      const most = 2 * edits;
      for (let at = this.#ends[length - 1] as number, end = this.#ends[length] as number; at < end; at++) {
        if (bitsOf((this.#signatures[at] as number) ^ signature) > most) continue;
        const word = this.#dictionary.text(this.#order[at] as number);
        const needed = areWithin(typed, word, edits);
        if (needed > 0) found(word, needed);
      }
    }
  }

  /** The same among words that have come since. */
  forEachOf(words: Interned, typed: string, isGenerous: boolean, found: (word: string, edits: number) => void): void {
    const signature = signatureOf(typed);
    for (let id = 0; id < words.size; id++) {
      const word = words.text(id);
      const edits = editsBetween(typed.length, word.length, isGenerous);
      if (Math.abs(word.length - typed.length) > edits || edits === 0 || !isCorrectable(word)) continue;
      if (bitsOf(signatureOf(word) ^ signature) > 2 * edits) continue;
      const needed = areWithin(typed, word, edits);
      if (needed > 0) found(word, needed);
    }
  }
}

/** Generous: one edit also in words of three letters, two also in those of six. */
function editsBetween(typedLength: number, length: number, isGenerous: boolean): number {
  if (length < shortest) return 0;
  if (isGenerous && Math.min(typedLength, length) >= 6) return 2;
  return isGenerous && typedLength === 3 && length === 3 ? 1 : allowedEdits(typedLength, length);
}

/** A bit for each letter of the alphabet, and some for all others. */
function signatureOf(word: string): number {
  let signature = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - 97;
    signature |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + (word.charCodeAt(at) % 6));
  }
  return signature;
}

function bitsOf(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
