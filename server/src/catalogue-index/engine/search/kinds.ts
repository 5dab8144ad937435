import { Bitmap } from "../columns/bitmap.ts";
import type { TextParts } from "../texts.ts";
import { type Kind, tiers } from "./ranked.ts";
import type { RequiredWord } from "./reading.ts";
import type { Recordings } from "./recordings.ts";
import type { ScratchBitmaps } from "./scratch-bitmaps.ts";
import type { IndexedTexts } from "./words/indexed-texts.ts";

/** What is searched. */
export interface SearchedTexts {
  /** By slot. */
  titles: IndexedTexts;
  /** By ordinal. */
  names: IndexedTexts;
  /** By ordinal. */
  genres: IndexedTexts;
  /** By place in `tagList`. */
  tags: IndexedTexts;
  tagList: readonly string[];
  beatSets: ScratchBitmaps;
  producerSets: ScratchBitmaps;
}

/** With more producers than this the column is scanned for their beats, instead of looking each of them up. */
const manyProducers = 4_000;

type Sets = Map<RequiredWord, Bitmap[]>;

/** A set for each word and number of edits, made once for all attempts of a search. */
function remembered(
  make: (word: RequiredWord, edits: number) => Bitmap,
): (word: RequiredWord, edits: number) => Bitmap {
  const sets: Sets = new Map();
  return (word, edits) => {
    const known = sets.get(word) ?? [];
    sets.set(word, known);
    known[edits] ??= make(word, edits);
    return known[edits];
  };
}

function addMatches(
  texts: IndexedTexts,
  { typed, isUnfinished, corrections }: RequiredWord,
  edits: number,
  into: Bitmap,
): void {
  texts.addMatches(typed, isUnfinished, into);
  for (const correction of corrections) if (correction.edits <= edits) texts.addWord(correction.word, into);
}

/** Producers by their names. */
export class ProducerKind implements Kind {
  readonly size: number;
  readonly sets: ScratchBitmaps;
  readonly tierOfExact = tiers.producerIs;
  readonly inName: Kind["inName"];
  readonly anywhere: Kind["anywhere"];
  readonly #names: IndexedTexts;

  constructor({ producers }: TextParts, { names, producerSets }: SearchedTexts) {
    this.size = producers.size;
    this.sets = producerSets;
    this.#names = names;
    this.inName = remembered((word, edits) => {
      const found = this.sets.empty(this.size);
      addMatches(names, word, edits, found);
      return found;
    });
    this.anywhere = this.inName;
  }

  named(wholes: readonly string[]): { exactly: Bitmap; ofNamed: null } {
    const exactly = this.sets.empty(this.size);
    for (const whole of wholes) this.#names.addWhole(whole, exactly);
    return { exactly, ofNamed: null };
  }

  beginning(wholes: readonly string[]): Bitmap {
    const found = this.sets.empty(this.size);
    for (const whole of wholes) this.#names.addWholeBeginning(whole, found);
    return found;
  }

  restrict(): void {}

  restrictUnfiltered(): void {}
}

/** Listed beats by their titles, producers' names, genres and tags. */
export class BeatKind implements Kind {
  readonly size: number;
  readonly sets: ScratchBitmaps;
  readonly tierOfExact = tiers.titleIs;
  readonly inName: Kind["inName"];
  readonly anywhere: Kind["anywhere"];
  readonly #meant: Bitmap | null;
  readonly #passing: Bitmap | null;
  readonly #parts: TextParts;
  readonly #texts: SearchedTexts;
  readonly #recordings: Recordings;
  readonly #producers: ProducerKind;

  /**
   * `passing`: what passes the filters of the query; `meant`: what has the tempo and keys that its text names; null: all.
   */
  constructor(
    parts: TextParts,
    texts: SearchedTexts,
    recordings: Recordings,
    producers: ProducerKind,
    passing: Bitmap | null,
    meant: Bitmap | null,
  ) {
    this.size = parts.columns.capacity;
    this.sets = texts.beatSets;
    this.#passing = passing;
    this.#meant = meant;
    this.#parts = parts;
    this.#texts = texts;
    this.#recordings = recordings;
    this.#producers = producers;
    this.inName = remembered((word, edits) => {
      const found = this.sets.empty(this.size);
      addMatches(texts.titles, word, edits, found);
      return found;
    });
    this.anywhere = remembered((word, edits) => {
      const found = this.sets.copy(this.inName(word, edits));
      this.#addOfProducers(this.#producers.inName(word, edits), found);
      const [matchedGenres, matchedTags] = [this.#genreSet(), this.#tagSet()];
      addMatches(texts.genres, word, edits, matchedGenres);
      addMatches(texts.tags, word, edits, matchedTags);
      this.#addOfGenres(matchedGenres, found);
      this.#addOfTags(matchedTags, found);
      return found;
    });
  }

  named(wholes: readonly string[]): { exactly: Bitmap; ofNamed: Bitmap } {
    const { titles, genres, tags } = this.#texts;
    const exactly = this.sets.empty(this.size);
    const ofNamed = this.sets.empty(this.size);
    const [namedGenres, namedTags] = [this.#genreSet(), this.#tagSet()];
    for (const whole of wholes) {
      titles.addWhole(whole, exactly);
      genres.addWhole(whole, namedGenres);
      tags.addWhole(whole, namedTags);
    }
    this.#addOfProducers(this.#producers.named(wholes).exactly, ofNamed);
    this.#addOfGenres(namedGenres, ofNamed);
    this.#addOfTags(namedTags, ofNamed);
    return { exactly, ofNamed };
  }

  beginning(wholes: readonly string[]): Bitmap {
    const found = this.sets.empty(this.size);
    for (const whole of wholes) this.#texts.titles.addWholeBeginning(whole, found);
    return found;
  }

  restrict(found: Bitmap): void {
    if (this.#passing !== null) found.and(this.#passing);
    this.restrictUnfiltered(found);
  }

  /** As `restrict`, but for the filters of the query. */
  restrictUnfiltered(found: Bitmap): void {
    found.and(this.#parts.columns.listed);
    if (this.#meant !== null) found.and(this.#meant);
    this.#recordings.dropCopies(found);
  }

  #addOfProducers(producers: Bitmap, into: Bitmap): void {
    const { byProducer, columns } = this.#parts;
    if (producers.count() < manyProducers) {
      for (const ordinal of producers.slots()) byProducer.forEach(ordinal, (slot) => into.add(slot));
      return;
    }
    const { producer } = columns;
    for (let slot = 0; slot < producer.length; slot++) if (producers.has(producer[slot] as number)) into.add(slot);
  }

  #genreSet(): Bitmap {
    return new Bitmap(this.#parts.genres.size);
  }

  #tagSet(): Bitmap {
    return new Bitmap(this.#texts.tagList.length);
  }

  #addOfGenres(genres: Bitmap, into: Bitmap): void {
    const ids = Array.from(genres.slots(), (ordinal) => this.#parts.genres.idOf(ordinal));
    if (ids.length > 0) into.or(this.#parts.matching({ genres: ids }) as Bitmap);
  }

  #addOfTags(tags: Bitmap, into: Bitmap): void {
    const names = Array.from(tags.slots(), (at) => this.#texts.tagList[at] as string);
    if (names.length > 0) into.or(this.#parts.matching({ tags: names }) as Bitmap);
  }
}
