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

/** Finds the beats that are copies of one recording: same producer, and same title except for case, accents and spaces. */
export class Recordings {
  readonly #titles: IndexedTexts;
  readonly #beats: RecordedBeats;
  /** The recording number, from 1, of each slot that has copies; 0: no copies. */
  #recording = new Uint32Array(0);
  #recordings = 0;
  readonly #hasCopies = new Bitmap(0);
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
    this.#reserve(slot);
    this.#recording[slot] = 0;
    this.#hasCopies.delete(slot);
  }

  /** Finds all copies. Call it after titles were merged. */
  rebuild(): void {
    const { producer } = this.#beats;
    this.#recording.fill(0);
    this.#hasCopies.clear();
    this.#recordings = 0;
    this.#pending = [];
    this.#titles.forEachWhole((slots) => {
      const firsts = new Map<number, number>();
      for (const slot of slots) {
        const first = firsts.get(producer[slot] as number);
        if (first === undefined) firsts.set(producer[slot] as number, slot);
        else this.#join(first, slot);
      }
    });
  }

  /** Returns the members of a set for which the set has a more popular copy. */
  copiesIn(members: Members): Members {
    this.#compare();
    const slots = this.#withCopies(members);
    if (slots.length < 2) return Members.none;
    const { popularityKey, id } = this.#beats;
    const isBefore = (a: number, b: number) =>
      ((popularityKey[a] as number) - (popularityKey[b] as number) || (id[a] as number) - (id[b] as number)) > 0;
    const best = this.#best;
    while (best.length <= this.#recordings) best.push(0);
    const recording = this.#recording;
    // First clears the entry of each recording, then stores the best slot + 1.
    for (const slot of slots) best.values[recording[slot] as number] = 0;
    for (const slot of slots) {
      const of = recording[slot] as number;
      const other = (best.values[of] as number) - 1;
      if (other < 0 || isBefore(slot, other)) best.values[of] = slot + 1;
    }
    return Members.of(slots.filter((slot) => best.values[recording[slot] as number] !== slot + 1));
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
    this.#reserve(Math.max(first, slot));
    if (this.#recording[first] === 0) this.#recording[first] = ++this.#recordings;
    this.#recording[slot] = this.#recording[first] as number;
    this.#hasCopies.add(first);
    this.#hasCopies.add(slot);
  }

  #reserve(slot: number): void {
    if (slot < this.#recording.length) return;
    const grown = new Uint32Array(Math.max(slot + 1, this.#recording.length + (this.#recording.length >>> 2), 64));
    grown.set(this.#recording);
    this.#recording = grown;
    this.#hasCopies.grow(grown.length);
  }
}
