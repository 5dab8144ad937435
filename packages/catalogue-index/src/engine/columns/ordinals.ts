import type { SavedArrays } from "../engine.ts";
import { grown, type Numbers } from "./arrays.ts";
import { Bitmap } from "./bitmap.ts";
import { IdTable } from "./id-table.ts";

/**
 * Producers or genres by ordinal. An id gets an ordinal when it first occurs, possibly only in a beat, and keeps the
 * ordinal after its removal.
 */
export class Ordinals {
  readonly #ids: IdTable;
  /** The ordinals whose producer or genre exists. */
  readonly present: Bitmap;
  /** For producers, the popularity of all their beats together. */
  popularityKey: Float64Array;
  readonly #name: "producers" | "genres";

  constructor(name: "producers" | "genres", saved?: SavedArrays) {
    this.#name = name;
    this.#ids = new IdTable(saved?.[`${name}.id`]);
    this.present = Bitmap.of((saved?.[`${name}.present`] as Uint32Array | undefined) ?? new Uint32Array(0));
    this.popularityKey = (saved?.[`${name}.popularityKey`] as Float64Array | undefined) ?? new Float64Array(0);
  }

  /** Number of ordinals in use: 0 … size - 1. */
  get size(): number {
    return this.#ids.size;
  }

  /** Number of ordinals that the arrays have room for. */
  get capacity(): number {
    return this.#ids.ids.length;
  }

  /** Ids by ordinal. Growing replaces the array. */
  get id(): Numbers {
    return this.#ids.ids;
  }

  idOf(ordinal: number): number {
    return this.#ids.ids[ordinal] as number;
  }

  /** Returns -1 for an unknown id. */
  ordinalOf(id: number): number {
    return this.#ids.find(id);
  }

  /** Returns the ordinal; assigns a new one to an unknown id. */
  ordinalFor(id: number): number {
    const ordinal = this.#ids.add(id);
    const room = this.#ids.ids.length;
    this.present.grow(room);
    if (this.#name === "producers") this.popularityKey = grown(this.popularityKey, room);
    return ordinal;
  }

  save(): SavedArrays {
    const { size } = this;
    return {
      [`${this.#name}.id`]: this.#ids.ids.subarray(0, size),
      [`${this.#name}.present`]: this.present.words.subarray(0, (size + 31) >>> 5),
      [`${this.#name}.popularityKey`]: this.popularityKey.subarray(0, size),
    };
  }
}
