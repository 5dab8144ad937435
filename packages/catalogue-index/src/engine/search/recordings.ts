import { Bitmap } from "../columns/bitmap.ts";
import { Members } from "./members.ts";
import { Growing } from "./words/growing.ts";
import type { IndexedTexts } from "./words/indexed-texts.ts";

/** The values that decide whether a beat is a copy, and which copy is shown. */
export interface RecordedBeats {
  producer: ArrayLike<number>;
  popularityKey: ArrayLike<number>;
  id: ArrayLike<number>;
}

const none = new Uint32Array(0);

/**
 * Finds the beats that are copies of one recording: same producer, and same title except for case, accents, spaces and
 * punctuation.
 */
export class Recordings {
  readonly #titles: IndexedTexts;
  readonly #beats: RecordedBeats;
  /** The slots that have copies, without those that only `#pending` slots would add. */
  readonly #hasCopies = new Bitmap(0);
  /** The recording numbers, from 1, of the slots that had copies at the last `rebuild`. */
  #base = new NumbersOfFew([], []);
  /** The recording numbers that were set since then. */
  readonly #recent = new Map<number, number>();
  #recordings = 0;
  /** Slots that were set, but not yet compared with others. */
  #pending: number[] = [];
  /** Scratch arrays: the best slot of each recording, and the slots that have copies. */
  #best = new Growing();
  #copies = new Growing();

  constructor(titles: IndexedTexts, beats: RecordedBeats) {
    this.#titles = titles;
    this.#beats = beats;
  }

  /** Call it after the title or the producer of a beat was set. */
  set(slot: number): void {
    this.remove(slot);
    this.#pending.push(slot);
  }

  remove(slot: number): void {
    if (!this.#has(slot)) return;
    this.#hasCopies.delete(slot);
    this.#recent.delete(slot);
  }

  /** Finds all copies. Call it after titles were merged. */
  rebuild(): void {
    const { producer } = this.#beats;
    this.#recordings = 0;
    this.#pending = [];
    const [slots, numbers]: [number[], number[]] = [[], []];
    const join = (slot: number, number: number) => {
      slots.push(slot);
      numbers.push(number);
    };
    this.#titles.forEachWhole((members) => {
      const firsts = new Map<number, { slot: number; number: number }>();
      for (const slot of members) {
        const first = firsts.get(producer[slot] as number);
        if (first === undefined) {
          firsts.set(producer[slot] as number, { slot, number: 0 });
          continue;
        }
        if (first.number === 0) {
          first.number = ++this.#recordings;
          join(first.slot, first.number);
        }
        join(slot, first.number);
      }
    });
    this.#base = new NumbersOfFew(slots, numbers);
    this.#recent.clear();
    this.#hasCopies.clear();
    for (const slot of slots) this.#add(slot);
  }

  /** Returns the members of a set for which the set has a more popular copy, or a newer one that is as popular. */
  copiesIn(members: Members): Members {
    this.#compare();
    const slots = this.#withCopies(members);
    if (slots.length < 2) return Members.none;
    const { popularityKey, id } = this.#beats;
    const isBefore = (a: number, b: number) =>
      ((popularityKey[a] as number) - (popularityKey[b] as number) || (id[a] as number) - (id[b] as number)) > 0;
    const best = this.#best;
    while (best.length <= this.#recordings) best.push(0);
    const recordings = slots.map((slot) => this.#recordingOf(slot));
    // First clears the entry of each recording, then stores the best slot + 1.
    for (const recording of recordings) best.values[recording] = 0;
    for (const [index, slot] of slots.entries()) {
      const recording = recordings[index] as number;
      const other = (best.values[recording] as number) - 1;
      if (other < 0 || isBefore(slot, other)) best.values[recording] = slot + 1;
    }
    return Members.of(slots.filter((slot, index) => best.values[recordings[index] as number] !== slot + 1));
  }

  #withCopies({ list, bitmap }: Members): Uint32Array {
    if (list !== null) return this.#haveCopies(list) ? list.filter((slot) => this.#hasCopies.has(slot)) : none;
    const slots = this.#copies;
    slots.length = 0;
    const { words } = bitmap as Bitmap;
    const copies = this.#hasCopies.words;
    for (let index = 0, end = Math.min(words.length, copies.length); index < end; index++)
      for (let bits = (words[index] as number) & (copies[index] as number); bits !== 0; bits &= bits - 1)
        slots.push((index << 5) + 31 - Math.clz32(bits & -bits));
    return slots.values.subarray(0, slots.length);
  }

  /** Whether two or more of the slots have copies. */
  #haveCopies(slots: Uint32Array): boolean {
    let count = 0;
    for (const slot of slots) if (this.#hasCopies.has(slot) && ++count === 2) return true;
    return false;
  }

  #compare(): void {
    const { producer } = this.#beats;
    for (const slot of this.#pending) {
      const whole = this.#titles.wholeOf(slot);
      if (whole === undefined) continue;
      this.#titles.visitWhole(whole, (other) => {
        if (other === slot || producer[other] !== producer[slot]) return false;
        this.#join(other, slot);
        return true;
      });
    }
    this.#pending = [];
  }

  #join(first: number, slot: number): void {
    const recording = this.#has(first) ? this.#recordingOf(first) : ++this.#recordings;
    for (const each of [first, slot]) {
      this.#recent.set(each, recording);
      this.#add(each);
    }
  }

  /** The recording number of a slot that has copies. */
  #recordingOf(slot: number): number {
    const recent = this.#recent.size === 0 ? undefined : this.#recent.get(slot);
    return recent ?? this.#base.of(slot);
  }

  #has(slot: number): boolean {
    return slot < this.#hasCopies.words.length * 32 && this.#hasCopies.has(slot);
  }

  #add(slot: number): void {
    if (slot >= this.#hasCopies.words.length * 32) this.#hasCopies.grow(slot + (slot >>> 3) + 1);
    this.#hasCopies.add(slot);
  }
}

/** Numbers of few of the slots. Takes 4 bytes for each number, and two bits for each slot. */
class NumbersOfFew {
  readonly #slots: Bitmap;
  /** For each word of `#slots`, the count of the slots before it. */
  readonly #before: Uint32Array;
  /** In the order of the slots. */
  readonly #numbers: Uint32Array;

  constructor(slots: readonly number[], numbers: readonly number[]) {
    let last = 0;
    for (const slot of slots) last = Math.max(last, slot);
    this.#slots = new Bitmap(last + 1);
    for (const slot of slots) this.#slots.add(slot);
    const { words } = this.#slots;
    this.#before = new Uint32Array(words.length);
    for (let index = 1; index < words.length; index++)
      this.#before[index] = (this.#before[index - 1] as number) + ones(words[index - 1] as number);
    this.#numbers = new Uint32Array(slots.length);
    for (const [index, slot] of slots.entries()) this.#numbers[this.#placeOf(slot)] = numbers[index] as number;
  }

  /** The number of one of the slots. */
  of(slot: number): number {
    return this.#numbers[this.#placeOf(slot)] as number;
  }

  #placeOf(slot: number): number {
    const word = this.#slots.words[slot >>> 5] as number;
    return (this.#before[slot >>> 5] as number) + ones(word & ((1 << (slot & 31)) - 1));
  }
}

/** The number of set bits. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
