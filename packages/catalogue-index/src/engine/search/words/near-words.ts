import { isCorrectable } from "@beatmarket/foundation/text/search-words.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Interned } from "./interned.ts";
import { allowedEdits, editsWithin, unitsOf } from "./typing-errors.ts";

const shortest = 3;
const longest = 40;
/** Bits of a signature. */
const letters = 32;
/** Letters that about half of all words have: words that agree in them stand together, so that most are passed over. */
const tellingLetters = Array.from("aeionrlst", (letter) => letter.charCodeAt(0) - 97);
const groupsOfLength = 1 << tellingLetters.length;

/**
 * Finds the words of a dictionary that a typed word may stand for: by length, and by the set of their letters, of which an
 * edit adds one and takes away one at most. What is left, one word in some hundreds, is compared. Words of a length stand
 * in blocks of 32, which are looked at together.
 */
export class NearWords {
  readonly #dictionary: Dictionary;
  /** Places in the dictionary, by length, then by the telling letters. Each length begins a block. */
  readonly #order: Uint32Array;
  readonly #signatures: Uint32Array;
  /** Where the words of each length end. */
  readonly #ends = new Uint32Array(longest + 1);
  /** By block: the letters that all of its words have, and those that some have. */
  readonly #inAll: Uint32Array;
  readonly #inSome: Uint32Array;
  /** By block, for each letter: which of its words have it. */
  readonly #having: Uint32Array;
  /** The code units of all words in that order. */
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
   * `isGenerous`: with more edits, for what nothing else is found for. Calls `found` in the order of length, then of the
   * dictionary.
   */
  forEach(typed: string, isGenerous: boolean, found: (word: string, edits: number) => void): void {
    const typedUnits = unitsOf(typed);
    const signature = signatureOf(typedUnits, 0, typed.length);
    const [inAll, inSome, signatures, units] = [this.#inAll, this.#inSome, this.#signatures, this.#units];
    for (let length = Math.max(1, typed.length - 2); length <= Math.min(longest, typed.length + 2); length++) {
      const edits = editsBetween(typed.length, length, isGenerous);
      if (Math.abs(length - typed.length) > edits || edits === 0) continue;
      // An edit adds a letter, takes one away, or does both; a word that is longer needs edits that only add.
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
      for (const { index, edits } of near) found(this.#dictionary.text(index), edits);
    }
  }

  #unitsAt(place: number, length: number): number {
    return (this.#unitsFrom[length] as number) + (place - blockFrom(this.#ends[length - 1] as number)) * length;
  }

  /** Of a block those words, a bit for each, that have all letters of a signature but `most`, which is two at most. */
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

/** Where the block begins that follows places below `end`. */
const blockFrom = (end: number): number => (end + 31) & ~31;

const lowestOf = (bits: number): number => 31 - Math.clz32(bits & -bits);

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
