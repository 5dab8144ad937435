import type { BeatEntry } from "../entry.ts";
import type { Numbers } from "./columns/arrays.ts";
import { Columns, type KeyColumn, type ValueColumn, valueColumns } from "./columns/columns.ts";
import { Order } from "./columns/order.ts";
import { Ordinals } from "./columns/ordinals.ts";
import { type Additions, Postings } from "./columns/postings.ts";
import type { Merging } from "./columns/sorted-slots.ts";
import { TagLists } from "./columns/tag-lists.ts";
import type { SavedArrays } from "./engine.ts";
import { hashOf, titleHash } from "./hashes.ts";
import { TraitOrder } from "./similar/trait-order.ts";

/** When changes are merged; small in tests. Absent: the thresholds with the lowest cost. */
export interface Thresholds {
  orders?: Merging | undefined;
  postings?: Additions | undefined;
}

/** An order with more waiting changes is settled by the next query. To apply this many takes some milliseconds. */
const maxWaiting = 1_024;
const keyColumns: KeyColumn[] = ["createdAtMicroseconds", "popularityKey", "priceCents", "bpm", "durationSeconds"];

/** The listed beats in columns, with every order and grouping of them, kept consistent. */
export class Beats {
  readonly columns: Columns;
  readonly producers: Ordinals;
  readonly genres: Ordinals;
  readonly tags: TagLists;
  readonly orders: Record<KeyColumn, Order>;
  /** Sorted by all traits that similarity depends on. */
  readonly byTraits: TraitOrder;
  readonly byGenre: Postings;
  readonly byProducer: Postings;
  readonly byKey: Postings;
  readonly byTag: Postings;
  /**
   * True in a new index until the first query, `compact` or `save`. Until then, only columns and tags are maintained.
   * Then all beats are sorted and grouped at once.
   */
  #isFilling: boolean;

  constructor(saved: SavedArrays | undefined, { orders, postings }: Thresholds = {}) {
    this.columns = new Columns(saved);
    this.producers = new Ordinals("producers", saved);
    this.genres = new Ordinals("genres", saved);
    this.tags = new TagLists(saved);
    const sorted = (name: string): Uint32Array | undefined => saved?.[`sorted.${name}`] as Uint32Array | undefined;
    this.orders = Object.fromEntries(
      keyColumns.map((column) => [column, new Order(this.columns, column, orders, sorted(column))]),
    ) as Record<KeyColumn, Order>;
    this.byTraits = new TraitOrder(this.columns, orders, sorted("traits"));
    this.byGenre = new Postings(postings);
    this.byProducer = new Postings(postings);
    this.byKey = new Postings(postings);
    this.byTag = new Postings(postings);
    this.#isFilling = saved === undefined;
    if (saved !== undefined) this.#fillPostings();
  }

  /**
   * Adds or updates a listed beat. Costs a binary search for each order whose key changed. Returns its slot if the beat
   * is new or its title, tags or producer changed; otherwise -1.
   */
  set(entry: BeatEntry): number {
    const { columns } = this;
    const slot = columns.slotFor(entry.id);
    const isListed = columns.listed.has(slot);
    const next = this.#valuesOf(entry);
    const changedColumns = this.#isFilling
      ? []
      : keyColumns.filter((column) => !isListed || columns[column][slot] !== next[column]);
    const isMoved =
      changedColumns.length > 0 ||
      (!this.#isFilling && traitColumns.some((column) => columns[column][slot] !== next[column]));
    const textHash = hashOf(entry.tags.length === 0 ? entry.title : [entry.title, ...entry.tags].join("\0"));
    const hasNewTexts = !isListed || columns.textHash[slot] !== textHash || columns.producer[slot] !== next.producer;
    if (isListed && !this.#isFilling) {
      for (const column of changedColumns) this.orders[column].remove(slot);
      if (isMoved) this.byTraits.remove(slot);
      this.#updatePostings(slot, next);
    }
    for (const column of valueColumns) columns.set(column, slot, next[column]);
    columns.list(slot);
    columns.setLicenses(slot, entry.availableLicenses);
    if (!isListed && !this.#isFilling) this.#addPostings(slot);
    if (hasNewTexts) {
      columns.textHash[slot] = textHash;
      columns.titleHash[slot] = titleHash(entry.title);
      this.#setTags(slot, this.tags.ordinalsOf(entry.tags));
    }
    for (const column of changedColumns) this.orders[column].insert(slot);
    if (isMoved) this.byTraits.insert(slot);
    return hasNewTexts ? slot : -1;
  }

  /** Returns the beat's slot, or -1 if it was not listed. */
  remove(id: number): number {
    const { columns } = this;
    const slot = columns.slotOf(id);
    if (slot === -1 || !columns.listed.has(slot)) return -1;
    if (!this.#isFilling) {
      for (const column of keyColumns) this.orders[column].remove(slot);
      this.byTraits.remove(slot);
      this.byGenre.change(slot, [columns.genre[slot] as number], []);
      this.byProducer.change(slot, [columns.producer[slot] as number], []);
      this.byKey.change(slot, [columns.keyCode[slot] as number], []);
    }
    this.#setTags(slot, []);
    columns.unlist(slot);
    return slot;
  }

  /**
   * Call it before each query. An order applies its waiting changes when it is queried itself. Of the other orders, one
   * with many waiting changes is settled here, so that no later query has to wait for all of them.
   */
  settle(): void {
    this.#endFilling();
    this.#orders()
      .find(({ waiting }) => waiting > maxWaiting)
      ?.settle();
    for (const postings of this.#postings()) postings.settle();
  }

  /** Merges the changes of one part if that is worthwhile; returns false if no part needed it. */
  compact(): boolean {
    this.#endFilling();
    return [this.columns, ...this.#orders(), ...this.#postings(), this.tags].some((part) => part.compact());
  }

  save(): SavedArrays {
    this.#endFilling();
    const sorted = Object.fromEntries(keyColumns.map((column) => [`sorted.${column}`, this.orders[column].save()]));
    return {
      ...this.columns.save(),
      ...this.producers.save(),
      ...this.genres.save(),
      ...this.tags.save(),
      ...sorted,
      "sorted.traits": this.byTraits.save(),
    };
  }

  #valuesOf(entry: BeatEntry): Values {
    return {
      producer: this.producers.ordinalFor(entry.producerId),
      genre: this.genres.ordinalFor(entry.genreId),
      tempo: entry.tempo,
      bpm: Math.max(1, Math.round(entry.tempo)),
      keyCode: entry.keyCode,
      priceCents: entry.priceCents,
      durationSeconds: entry.durationSeconds,
      // Adding 0 turns -0, which would sort before 0, into 0.
      createdAtMicroseconds: entry.createdAtMicroseconds + 0,
      popularityKey: entry.popularityKey + 0,
    };
  }

  #addPostings(slot: number): void {
    const { columns } = this;
    this.byGenre.change(slot, [], [columns.genre[slot] as number]);
    this.byProducer.change(slot, [], [columns.producer[slot] as number]);
    this.byKey.change(slot, [], [columns.keyCode[slot] as number]);
    this.byTag.change(slot, [], this.tags.tagsOf(slot));
  }

  /** Updates the postings of a listed slot. Call it before the columns get the new values. */
  #updatePostings(slot: number, { genre, producer, keyCode }: Values): void {
    const { columns } = this;
    if (columns.genre[slot] !== genre) this.byGenre.change(slot, [columns.genre[slot] as number], [genre]);
    if (columns.producer[slot] !== producer)
      this.byProducer.change(slot, [columns.producer[slot] as number], [producer]);
    if (columns.keyCode[slot] !== keyCode) this.byKey.change(slot, [columns.keyCode[slot] as number], [keyCode]);
  }

  #setTags(slot: number, ordinals: readonly number[]): void {
    const before = this.tags.tagsOf(slot);
    if (before.length === 0 && ordinals.length === 0) return;
    if (!this.#isFilling) this.byTag.change(slot, before, ordinals);
    this.tags.set(slot, ordinals);
  }

  #orders(): (Order | TraitOrder)[] {
    return [...keyColumns.map((column) => this.orders[column]), this.byTraits];
  }

  #postings(): Postings[] {
    return [this.byGenre, this.byProducer, this.byKey, this.byTag];
  }

  /** Makes the postings. Orders sort themselves when they are settled. */
  #endFilling(): void {
    if (!this.#isFilling) return;
    this.#isFilling = false;
    this.#fillPostings();
  }

  #fillPostings(): void {
    const { columns } = this;
    const slots = columns.listed.slots(columns.beats);
    const valuesOf = (column: Numbers): Uint32Array => {
      const values = new Uint32Array(slots.length);
      for (let index = 0; index < slots.length; index++) values[index] = column[slots[index] as number] as number;
      return values;
    };
    this.byGenre.fill(slots, valuesOf(columns.genre));
    this.byProducer.fill(slots, valuesOf(columns.producer));
    this.byKey.fill(slots, valuesOf(columns.keyCode));
    const tags = this.tags.entriesOf(slots);
    this.byTag.fill(tags.slots, tags.ordinals);
  }
}

const traitColumns = ["genre", "keyCode", "tempo"] as const;
type Values = Record<ValueColumn, number>;
