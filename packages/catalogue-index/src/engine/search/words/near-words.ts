import { isCorrectable } from "@beatmarket/foundation/text/search-words.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Interned } from "./interned.ts";
import { allowedEdits, editsWithin, unitsOf } from "./typing-errors.ts";

const shortest = 3;
const longest = 40;
/** Bits of a signature. */
const letters = 32;
/**
 * Letters that about half of all words have. Words that agree in them are stored together, so that most blocks are
 * skipped.
 */
const tellingLetters = Array.from("aeionrlst", (letter) => letter.charCodeAt(0) - 97);
const groupsOfLength = 1 << tellingLetters.length;

/**
 * Finds the words of a dictionary that a typed word may mean: by length, and by the set of their letters, since an edit
 * adds at most one letter and removes at most one. The remaining words, one in some hundreds, are compared. Words of a
 * length are stored in blocks of 32, which are tested together.
 */
export class NearWords {
  readonly #dictionary: Dictionary;
  /** Indexes of the dictionary, sorted by length, then by the telling letters. Each length begins a block. */
  readonly #order: Uint32Array;
  readonly #signatures: Uint32Array;
  /** Where the words of each length end. */
  readonly #ends = new Uint32Array(longest + 1);
  /** By block: the letters that all of its words have, and the letters that any of them has. */
  readonly #inAll: Uint32Array;
  readonly #inSome: Uint32Array;
  /** By block, for each letter: which of its words have the letter. */
  readonly #having: Uint32Array;
  /** The code units of all words in the order of `#order`. */
  readonly #units: Uint16Array;
  /** Where the units of each length begin. */
  readonly #unitsFrom = new Uint32Array(longest + 1);

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
    const places = new Uint32Array((longest + 1) * groupsOfLength);
    const groupOf = new Uint16Array(dictionary.size);
    const word = new Uint16Array(longest);
    for (let index = 0; index < dictionary.size; index++) {
      const length = correctableLength(dictionary, index);
      if (length === 0) continue;
      dictionary.unitsInto(index, word, 0);
      const group = length * groupsOfLength + tellingOf(signatureOf(word, 0, length));
      groupOf[index] = group;
      (places[group] as number)++;
    }
    let [place, units] = [0, 0];
    for (let length = 1; length <= longest; length++) {
      const first = blockFrom(place);
      this.#unitsFrom[length] = units;
      place = first;
      for (let group = length * groupsOfLength, end = group + groupsOfLength; group < end; group++) {
        const count = places[group] as number;
        places[group] = place;
        place += count;
      }
      units += (place - first) * length;
      this.#ends[length] = place;
    }
    const blocks = blockFrom(place) / 32;
    this.#order = new Uint32Array(place);
    this.#signatures = new Uint32Array(place);
    this.#inAll = new Uint32Array(blocks).fill(0xffff_ffff);
    this.#inSome = new Uint32Array(blocks);
    this.#having = new Uint32Array(blocks * letters);
    this.#units = new Uint16Array(units);
    for (let index = 0; index < dictionary.size; index++) {
      const group = groupOf[index] as number;
      if (group > 0) this.#put(index, (places[group] as number)++, Math.floor(group / groupsOfLength));
    }
  }

  #put(index: number, place: number, length: number): void {
    const at = this.#unitsAt(place, length);
    this.#dictionary.unitsInto(index, this.#units, at);
    this.#order[place] = index;
    const signature = signatureOf(this.#units, at, at + length);
    this.#signatures[place] = signature;
    const block = place >>> 5;
    (this.#inAll[block] as number) &= signature;
    (this.#inSome[block] as number) |= signature;
    for (let bits = signature; bits !== 0; bits &= bits - 1)
      (this.#having[block * letters + lowestOf(bits)] as number) |= 1 << (place & 31);
  }

  /**
   * `isGenerous`: allows more edits, for texts without other matches. Calls `found` in the order of length, then of the
   * dictionary.
   */
  forEach(typed: string, isGenerous: boolean, onWord: (word: string, edits: number) => void): void {
    const typedUnits = unitsOf(typed);
    const signature = signatureOf(typedUnits, 0, typed.length);
    const [inAll, inSome, signatures, units] = [this.#inAll, this.#inSome, this.#signatures, this.#units];
    for (let length = Math.max(1, typed.length - 2); length <= Math.min(longest, typed.length + 2); length++) {
      const edits = editsBetween(typed.length, length, isGenerous);
      if (Math.abs(length - typed.length) > edits || edits === 0) continue;
      // An edit adds a letter, removes one, or does both. If the word is longer, some edits can only add.
      const gained = edits - Math.max(0, typed.length - length);
      const lost = edits - Math.max(0, length - typed.length);
      const end = this.#ends[length] as number;
      const near: { index: number; edits: number }[] = [];
      for (let first = blockFrom(this.#ends[length - 1] as number); first < end; first += 32) {
        const block = first >>> 5;
        if (hasMore((inAll[block] as number) & ~signature, gained)) continue;
        if (hasMore(signature & ~(inSome[block] as number), lost)) continue;
        for (let left = this.#withAllBut(lost, signature, block); left !== 0; left &= left - 1) {
          const place = first + lowestOf(left);
          if (place >= end) break;
          if (hasMore((signatures[place] as number) & ~signature, gained)) continue;
          const start = this.#unitsAt(place, length);
          const needed = editsWithin(typedUnits, units, start, start + length, edits);
          if (needed > 0) near.push({ index: this.#order[place] as number, edits: needed });
        }
      }
      near.sort((a, b) => a.index - b.index);
      for (const { index, edits } of near) onWord(this.#dictionary.text(index), edits);
    }
  }

  #unitsAt(place: number, length: number): number {
    return (this.#unitsFrom[length] as number) + (place - blockFrom(this.#ends[length - 1] as number)) * length;
  }

  /** Returns a bit for each word of a block that has all letters of a signature except at most `most` (0 to 2). */
  #withAllBut(most: number, signature: number, block: number): number {
    const having = this.#having;
    let [one, two, three] = [0, 0, 0];
    for (let bits = signature; bits !== 0; bits &= bits - 1) {
      const lacking = ~(having[block * letters + lowestOf(bits)] as number);
      three |= two & lacking;
      two |= one & lacking;
      one |= lacking;
    }
    return ~(most === 2 ? three : most === 1 ? two : one);
  }

  /** Like `forEach`, for words added since the last merge. */
  forEachOf(words: Interned, typed: string, isGenerous: boolean, onWord: (word: string, edits: number) => void): void {
    if (words.size === 0) return;
    const typedUnits = unitsOf(typed);
    for (let id = 0; id < words.size; id++) {
      const word = words.text(id);
      const edits = editsBetween(typed.length, word.length, isGenerous);
      if (Math.abs(word.length - typed.length) > edits || edits === 0 || !isCorrectable(word)) continue;
      const needed = editsWithin(typedUnits, unitsOf(word), 0, word.length, edits);
      if (needed > 0) onWord(word, needed);
    }
  }
}

/** Returns 0 for a word that is never a correction. */
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
export function editsBetween(typedLength: number, length: number, isGenerous: boolean): number {
  if (length < shortest) return 0;
  if (isGenerous && Math.min(typedLength, length) >= 6) return 2;
  return isGenerous && typedLength === 3 && length === 3 ? 1 : allowedEdits(typedLength, length);
}

/** Returns the start of the first block after places below `end`. */
const blockFrom = (end: number): number => (end + 31) & ~31;

const lowestOf = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** The telling letters of a signature, one bit for each. */
function tellingOf(signature: number): number {
  let telling = 0;
  for (let at = 0; at < tellingLetters.length; at++)
    telling |= ((signature >>> (tellingLetters[at] as number)) & 1) << at;
  return telling;
}

/** Whether more than `most` (0 to 2) bits are set. */
function hasMore(bits: number, most: number): boolean {
  if (most === 0) return bits !== 0;
  const others = bits & (bits - 1);
  return most === 1 ? others !== 0 : (others & (others - 1)) !== 0;
}

/** One bit for each letter of the alphabet, and six for all other code units. */
function signatureOf(units: Uint16Array, start: number, end: number): number {
  let signature = 0;
  for (let at = start; at < end; at++) {
    const unit = units[at] as number;
    const letter = unit - 97;
    signature |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + (unit % 6));
  }
  return signature;
}
