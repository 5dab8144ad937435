import type { SavedArrays } from "../engine.ts";
import { grown, type Numbers, stored, trimmed } from "./arrays.ts";
import { Bitmap } from "./bitmap.ts";
import { IdTable } from "./id-table.ts";

/** The columns by which beats are sorted or filtered by range. */
export type KeyColumn = "createdAtMicroseconds" | "popularityKey" | "priceCents" | "bpm" | "durationSeconds";

/**
 * The beats by slot: a small number that a beat keeps for the lifetime of the index, also while it is not listed. A
 * column is a typed array with a value for each slot. Do not keep a reference to the array: growth replaces it, and so
 * does a value that is too large for its type (`Numbers`). In most catalogues a beat takes 40 bytes.
 */
export class Columns {
  readonly #ids: IdTable;
  readonly listed: Bitmap;
  /** For each kind of license, by its bit: the beats for which it can be bought. */
  readonly licenses: readonly Bitmap[];
  /** The number of beats of each of these bitmaps. */
  readonly licenseCounts: number[];
  /** Number of listed beats. */
  beats = 0;
  /** Number of slots that the arrays have room for. */
  capacity = 0;

  /** Ordinals of the producers. */
  producer: Uint32Array = new Uint32Array(0);
  /** Ordinals of the genres. */
  genre: Numbers = new Uint8Array(0);
  /** Beats per minute, unrounded. */
  tempo: Float64Array = new Float64Array(0);
  /** Beats per minute as they are shown. */
  bpm: Uint16Array = new Uint16Array(0);
  keyCode: Uint8Array = new Uint8Array(0);
  priceCents: Numbers = new Uint16Array(0);
  durationSeconds: Numbers = new Uint16Array(0);
  createdAtMicroseconds: Float64Array = new Float64Array(0);
  popularityKey: Numbers = new Uint16Array(0);
  /** Hash of the folded title, which all copies of one recording share. */
  titleHash: Uint32Array = new Uint32Array(0);
  /** Hash of title and tags as written. Shows whether they changed. */
  textHash: Uint32Array = new Uint32Array(0);

  constructor(saved?: SavedArrays) {
    this.#ids = new IdTable(saved?.["beats.id"]);
    this.listed = Bitmap.of((saved?.["beats.listed"] as Uint32Array | undefined) ?? new Uint32Array(0));
    this.licenses = licenseBits.map((bit) =>
      Bitmap.of((saved?.[`beats.license${bit}`] as Uint32Array | undefined) ?? new Uint32Array(0)),
    );
    this.licenseCounts = this.licenses.map((bitmap) => bitmap.count());
    this.beats = this.listed.count();
    for (const name of columnNames) {
      const column = saved?.[`beats.${name}`];
      if (column !== undefined) Object.assign(this, { [name]: column });
    }
    this.#reserve(this.slots);
  }

  /** Number of slots in use: 0 … slots - 1. */
  get slots(): number {
    return this.#ids.size;
  }

  get id(): Numbers {
    return this.#ids.ids;
  }

  /** Returns -1 for an unknown id. */
  slotOf(id: number): number {
    return this.#ids.find(id);
  }

  /** Returns the slot of a beat; assigns a new one if it has none. */
  slotFor(id: number): number {
    const slot = this.#ids.add(id);
    if (slot >= this.capacity) this.#reserve(this.#ids.ids.length);
    return slot;
  }

  /** Sets a value of a slot. */
  set(column: ValueColumn, slot: number, value: number): void {
    const array = stored(this[column], slot, value);
    if (array !== this[column]) Object.assign(this, { [column]: array });
  }

  list(slot: number): void {
    if (!this.listed.has(slot)) this.beats++;
    this.listed.add(slot);
  }

  unlist(slot: number): void {
    if (this.listed.has(slot)) this.beats--;
    this.listed.delete(slot);
    this.setLicenses(slot, 0);
  }

  setLicenses(slot: number, bits: number): void {
    for (const [bit, bitmap] of this.licenses.entries()) {
      const isIn = (bits & (1 << bit)) !== 0;
      if (isIn === bitmap.has(slot)) continue;
      (this.licenseCounts[bit] as number) += isIn ? 1 : -1;
      if (isIn) bitmap.add(slot);
      else bitmap.delete(slot);
    }
  }

  /** Frees most of the spare capacity if it is more than a 32nd, in O(n); then returns true. */
  compact(): boolean {
    const room = this.#ids.trim();
    if (room >= this.capacity) return false;
    this.capacity = room;
    for (const name of columnNames) Object.assign(this, { [name]: trimmed<Numbers>(this[name], room) });
    return true;
  }

  save(): SavedArrays {
    const { slots } = this;
    const words = (slots + 31) >>> 5;
    const saved: SavedArrays = {
      "beats.id": this.id.subarray(0, slots),
      "beats.listed": this.listed.words.subarray(0, words),
    };
    for (const bit of licenseBits)
      saved[`beats.license${bit}`] = (this.licenses[bit] as Bitmap).words.subarray(0, words);
    for (const name of columnNames) saved[`beats.${name}`] = this[name].subarray(0, slots);
    return saved;
  }

  #reserve(capacity: number): void {
    this.capacity = capacity;
    this.listed.grow(capacity);
    for (const bitmap of this.licenses) bitmap.grow(capacity);
    for (const name of columnNames) Object.assign(this, { [name]: grown<Numbers>(this[name], capacity) });
  }
}

/** The four kinds of license. */
const licenseBits = [0, 1, 2, 3] as const;

/** The columns with a value of the beat itself. */
export const valueColumns = [
  "producer",
  "genre",
  "tempo",
  "bpm",
  "keyCode",
  "priceCents",
  "durationSeconds",
  "createdAtMicroseconds",
  "popularityKey",
] as const;
export type ValueColumn = (typeof valueColumns)[number];

const columnNames = [...valueColumns, "titleHash", "textHash"] as const;
