import type { Bitmap } from "../columns/bitmap.ts";
import type { TextParts } from "../texts.ts";
import type { MemberCollector, MemberSets, Members, UncollectedSet } from "./members.ts";

/** If producers have more than this share of all beats, the column is scanned instead of looking up each producer. */
const manyBeats = 1 / 8;

/** The listed beats of producers, genres and tags. Only listed beats may be tested. */
export class BeatsOfNamed implements UncollectedSet {
  readonly most: number;
  readonly #parts: TextParts;
  readonly #sets: { beats: MemberSets; producers: MemberSets };
  readonly #producers: Members;
  readonly #genres: readonly number[];
  readonly #tags: readonly string[];
  readonly #ofProducers: number;
  /** The ordinals of the producers, as a bitmap. */
  #isNamed: Bitmap | undefined;
  #withTag: Bitmap | undefined;
  #all: Members | undefined;

  /** `producers` and `genres` are ordinals. */
  constructor(
    parts: TextParts,
    sets: { beats: MemberSets; producers: MemberSets },
    producers: Members,
    genres: readonly number[],
    tags: readonly string[],
  ) {
    this.#parts = parts;
    this.#sets = sets;
    this.#producers = producers;
    this.#genres = genres;
    this.#tags = tags;
    const { byProducer, byGenre, columns } = parts;
    let ofProducers = 0;
    for (const ordinal of producers.slots()) ofProducers += byProducer.count(ordinal);
    let most = tags.length > 0 ? columns.beats : ofProducers;
    for (const ordinal of genres) most += byGenre.count(ordinal);
    this.#ofProducers = ofProducers;
    this.most = Math.min(most, columns.beats);
  }

  has(slot: number): boolean {
    const { producer, genre } = this.#parts.columns;
    return (
      this.#producers.has(producer[slot] as number) ||
      this.#genres.includes(genre[slot] as number) ||
      (this.#tags.length > 0 && this.#tagged().has(slot))
    );
  }

  filter(list: Uint32Array, into: Uint32Array, from: number): number {
    if (this.#genres.length === 0 && this.#tags.length === 0) return this.#filterByProducer(list, into, from);
    let length = 0;
    for (const slot of list) if (this.has(slot)) into[from + length++] = slot;
    return length;
  }

  /**
   * Has no branch that the processor would have to predict, so that it reads many places of the column at the same
   * time.
   */
  #filterByProducer(list: Uint32Array, into: Uint32Array, from: number): number {
    const { producer } = this.#parts.columns;
    this.#isNamed ??= this.#sets.producers.bitmapOf(this.#producers);
    const { words } = this.#isNamed;
    let length = 0;
    for (const slot of list) {
      const ordinal = producer[slot] as number;
      into[from + length] = slot;
      length += ((words[ordinal >>> 5] as number) >>> (ordinal & 31)) & 1;
    }
    return length;
  }

  all(): Members {
    this.#all ??= this.#sets.beats.gather((members) => {
      const { genres } = this.#parts;
      const genreIds = this.#genres.map((ordinal) => genres.idOf(ordinal));
      if (genreIds.length > 0) members.or(this.#parts.matching({ genres: genreIds }) as Bitmap);
      if (this.#tags.length > 0) members.or(this.#tagged());
      this.#addOfProducers(members);
    });
    return this.#all;
  }

  #tagged(): Bitmap {
    this.#withTag ??= this.#parts.matching({ tags: this.#tags }) as Bitmap;
    return this.#withTag;
  }

  #addOfProducers(into: MemberCollector): void {
    if (this.#ofProducers === 0) return;
    const { byProducer, columns } = this.#parts;
    if (this.#ofProducers <= columns.beats * manyBeats) {
      for (const ordinal of this.#producers.slots()) byProducer.forEach(ordinal, (slot) => into.add(slot));
      return;
    }
    const { producer, listed } = columns;
    for (let slot = 0; slot < columns.slots; slot++)
      if (this.#producers.has(producer[slot] as number) && listed.has(slot)) into.add(slot);
  }
}
