import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import type { SavedArrays } from "../engine.ts";
import { grown, nextCapacity } from "./arrays.ts";

/**
 * The tags of each slot, as ordinals of a dictionary. Tags that differ only in case, accents, spaces or punctuation
 * share an entry, which has the spelling that was seen first. Takes 4 bytes a slot once there is any tag; a slot with
 * tags takes 4 more for each of them and 4 for their count.
 */
export class TagLists {
  /** Tags by ordinal, as first written. */
  readonly names: string[] = [];
  readonly #ordinals = new Map<string, number>();
  /** Where each slot's list begins in the pool: its length, then its ordinals. 0: no tags. */
  #starts = new Uint32Array(0);
  #pool = new Uint32Array(1);
  #poolLength = 1;
  /** Number of pool entries that no slot refers to any more. */
  #unused = 0;

  constructor(saved?: SavedArrays) {
    if (saved === undefined) return;
    for (const name of JSON.parse(new TextDecoder().decode(saved["tags.names"])) as string[]) this.#add(name);
    this.#starts = new Uint32Array(saved["tags.starts"] as Uint32Array);
    this.#pool = new Uint32Array(saved["tags.pool"] as Uint32Array);
    this.#poolLength = this.#pool.length;
  }

  /** Returns the ordinal of a tag in any spelling, or undefined. */
  find(tag: string): number | undefined {
    return this.#ordinals.get(foldWhole(tag));
  }

  /** Returns the ordinals of tags, ascending and without duplicates; adds new tags to the dictionary. */
  ordinalsOf(tags: readonly string[]): readonly number[] {
    if (tags.length === 0) return noTags;
    return Array.from(new Set(tags.map((tag) => this.find(tag) ?? this.#add(tag)))).sort((a, b) => a - b);
  }

  /** Returns ascending ordinals. Do not change or keep the array. */
  tagsOf(slot: number): Uint32Array {
    const start = this.#starts[slot] ?? 0;
    return this.#pool.subarray(start + 1, start + 1 + (this.#pool[start] as number));
  }

  /** Returns each tag of each of the slots: the slot, and the tag's ordinal. */
  entriesOf(slots: Uint32Array): { slots: Uint32Array; ordinals: Uint32Array } {
    let length = 0;
    for (const slot of slots) length += this.#pool[this.#starts[slot] ?? 0] as number;
    const entries = { slots: new Uint32Array(length), ordinals: new Uint32Array(length) };
    if (length === 0) return entries;
    let index = 0;
    for (const slot of slots) {
      const start = this.#starts[slot] ?? 0;
      const end = start + (this.#pool[start] as number);
      for (let from = start + 1; from <= end; from++) {
        entries.slots[index] = slot;
        entries.ordinals[index++] = this.#pool[from] as number;
      }
    }
    return entries;
  }

  set(slot: number, ordinals: ArrayLike<number>): void {
    const start = this.#starts[slot] ?? 0;
    if (start > 0) this.#unused += 1 + (this.#pool[start] as number);
    if (slot >= this.#starts.length) {
      if (ordinals.length === 0) return;
      this.#starts = grown(this.#starts, nextCapacity(slot + 1, this.#starts.length));
    }
    this.#starts[slot] = ordinals.length === 0 ? 0 : this.#poolLength;
    if (ordinals.length === 0) return;
    const end = this.#poolLength + 1 + ordinals.length;
    this.#pool = grown(this.#pool, nextCapacity(end, this.#pool.length));
    this.#pool[this.#poolLength] = ordinals.length;
    this.#pool.set(ordinals, this.#poolLength + 1);
    this.#poolLength = end;
  }

  /** For each of the first `count` slots, adds one to the count of each of its tags. */
  countInto(counts: Uint32Array, slots: Uint32Array, count: number): void {
    const pool = this.#pool;
    for (let n = 0; n < count; n++) {
      const start = this.#starts[slots[n] as number] ?? 0;
      const end = start + (pool[start] as number);
      for (let index = start + 1; index <= end; index++) (counts[pool[index] as number] as number)++;
    }
  }

  /** Frees the memory of replaced lists if it is more than half; then returns true. O(n). */
  compact(): boolean {
    if (this.#unused * 2 <= this.#poolLength) return false;
    const pool = new Uint32Array(this.#poolLength - this.#unused);
    let length = 1;
    for (let slot = 0; slot < this.#starts.length; slot++) {
      const start = this.#starts[slot] as number;
      if (start === 0) continue;
      const size = 1 + (this.#pool[start] as number);
      pool.set(this.#pool.subarray(start, start + size), length);
      this.#starts[slot] = length;
      length += size;
    }
    this.#pool = pool;
    this.#poolLength = length;
    this.#unused = 0;
    return true;
  }

  save(): SavedArrays {
    this.compact();
    return {
      "tags.names": new TextEncoder().encode(JSON.stringify(this.names)),
      "tags.starts": this.#starts,
      "tags.pool": this.#pool.subarray(0, this.#poolLength),
    };
  }

  #add(tag: string): number {
    const ordinal = this.names.length;
    this.names.push(tag);
    this.#ordinals.set(foldWhole(tag), ordinal);
    return ordinal;
  }
}

const noTags: readonly number[] = [];
