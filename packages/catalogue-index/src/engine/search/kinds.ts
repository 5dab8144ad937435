import type { Bitmap } from "../columns/bitmap.ts";
import type { TextParts } from "../texts.ts";
import { type AnyOf, type MemberCollector, type MemberSets, Members } from "./members.ts";
import { type Kind, tiers } from "./ranked.ts";
import type { RequiredWord } from "./reading.ts";
import type { Recordings } from "./recordings.ts";
import type { IndexedTexts } from "./words/indexed-texts.ts";

/** The searched texts. */
export interface SearchedTexts {
  /** The titles of beats, by slot. */
  titles: IndexedTexts;
  /** The names of producers, by ordinal. */
  names: IndexedTexts;
  /** The names of genres, by ordinal. */
  genres: IndexedTexts;
  /** The tags, by position in `tagList`. */
  tags: IndexedTexts;
  tagList: readonly string[];
  beatSets: MemberSets;
  producerSets: MemberSets;
}

/** If producers have more than this share of all beats, the column is scanned instead of looking up each producer. */
const manyBeats = 1 / 8;

/** A value for a word and a number of edits. */
type ByWord<Result> = (word: RequiredWord, edits: number) => Result;

/** Memoizes a value for each word and number of edits, during one search. */
function memoized<Result>(make: ByWord<Result>): ByWord<Result> {
  const asTyped = new Map<string, Result>();
  const corrected = new Map<RequiredWord, Result[]>();
  return (word, edits) => {
    if (edits === 0) {
      let exact = asTyped.get(word.key);
      if (exact === undefined) {
        exact = make(word, 0);
        asTyped.set(word.key, exact);
      }
      return exact;
    }
    let words = corrected.get(word);
    if (words === undefined) {
      words = [];
      corrected.set(word, words);
    }
    words[edits] ??= make(word, edits);
    return words[edits];
  };
}

/** Combines the sets of exactly N edits into the sets of at most N. */
const upTo = (...exactly: ByWord<Members>[]): ByWord<AnyOf> => {
  const atMost: ByWord<AnyOf> = memoized((word, edits) => {
    const sets = exactly.map((of) => of(word, edits)).filter(({ isEmpty }) => !isEmpty);
    return edits === 0 ? sets : [...atMost(word, edits - 1), ...sets];
  });
  return atMost;
};

/** Adds the matches of a word as typed (0 edits), or of its corrections with exactly that many edits. */
function addMatches(
  texts: IndexedTexts,
  { typed, isUnfinished, corrections }: RequiredWord,
  edits: number,
  into: MemberCollector,
): void {
  if (edits === 0) texts.addMatches(typed, isUnfinished, into);
  else for (const correction of corrections) if (correction.edits === edits) texts.addWord(correction.word, into);
}

/** Producers, searched by name. */
export class ProducerKind implements Kind {
  readonly sets: MemberSets;
  readonly tierOfExact = tiers.producerIs;
  readonly inName: ByWord<AnyOf>;
  readonly anywhere: ByWord<AnyOf>;
  /** Matches of corrections with exactly that many edits. */
  readonly ofEdits: ByWord<Members>;
  readonly #names: IndexedTexts;

  constructor({ names, producerSets }: SearchedTexts) {
    this.sets = producerSets;
    this.#names = names;
    this.ofEdits = memoized((word, edits) => this.sets.gather((members) => addMatches(names, word, edits, members)));
    this.inName = upTo(this.ofEdits);
    this.anywhere = this.inName;
  }

  named(wholes: readonly string[]): { exactly: Members; ofNamed: Members } {
    const exactly = this.sets.gather((members) => {
      for (const whole of wholes) this.#names.addWhole(whole, members);
    });
    return { exactly, ofNamed: Members.none };
  }

  beginning(wholes: readonly string[]): Members {
    return this.sets.gather((members) => {
      for (const whole of wholes) this.#names.addWholeBeginning(whole, members);
    });
  }

  restrict(members: Members): Members {
    return members;
  }

  restrictUnfiltered(members: Members): Members {
    return members;
  }
}

/** Listed beats, searched by title, producer's name, genre and tags. */
export class BeatKind implements Kind {
  readonly sets: MemberSets;
  readonly tierOfExact = tiers.titleIs;
  readonly inName: ByWord<AnyOf>;
  readonly anywhere: ByWord<AnyOf>;
  /** Beats that pass the filters of the query; null: all. */
  readonly #passing: Bitmap | null;
  /** Beats with the tempo and keys that the text names; null: all. */
  #withTraits: Bitmap | null = null;
  readonly #parts: TextParts;
  readonly #texts: SearchedTexts;
  readonly #recordings: Recordings;
  readonly #producers: ProducerKind;

  constructor(
    parts: TextParts,
    texts: SearchedTexts,
    recordings: Recordings,
    producers: ProducerKind,
    passing: Bitmap | null,
  ) {
    this.sets = texts.beatSets;
    this.#passing = passing;
    this.#parts = parts;
    this.#texts = texts;
    this.#recordings = recordings;
    this.#producers = producers;
    const inTitle = memoized((word, edits) =>
      this.sets.gather((members) => addMatches(texts.titles, word, edits, members)),
    );
    this.inName = upTo(inTitle);
    this.anywhere = upTo(inTitle, (word, edits) =>
      this.#beatsOf(this.#producers.ofEdits(word, edits), (texts, members) => addMatches(texts, word, edits, members)),
    );
  }

  /** Returns the same kind, limited to the beats of `meant`. */
  only(meant: Bitmap | null): BeatKind {
    const some = new BeatKind(this.#parts, this.#texts, this.#recordings, this.#producers, this.#passing);
    some.#withTraits = meant;
    return Object.assign(some, { inName: this.inName, anywhere: this.anywhere });
  }

  named(wholes: readonly string[]): { exactly: Members; ofNamed: Members } {
    const exactly = this.sets.gather((members) => {
      for (const whole of wholes) this.#texts.titles.addWhole(whole, members);
    });
    const ofNamed = this.#beatsOf(this.#producers.named(wholes).exactly, (texts, members) => {
      for (const whole of wholes) texts.addWhole(whole, members);
    });
    return { exactly, ofNamed };
  }

  beginning(wholes: readonly string[]): Members {
    return this.sets.gather((members) => {
      for (const whole of wholes) this.#texts.titles.addWholeBeginning(whole, members);
    });
  }

  restrict(members: Members): Members {
    const passing = this.#passing === null ? members : this.sets.and(members, Members.ofBitmap(this.#passing));
    const meant = this.restrictUnfiltered(passing);
    return this.sets.andNot(meant, this.#recordings.copiesIn(meant));
  }

  restrictUnfiltered(members: Members): Members {
    return this.#withTraits === null ? members : this.sets.and(members, Members.ofBitmap(this.#withTraits));
  }

  /** Returns the beats of these producers, and of the genres and tags that `add` finds. */
  #beatsOf(producers: Members, add: (texts: IndexedTexts, members: MemberCollector) => void): Members {
    const { genres, tags, tagList } = this.#texts;
    const ordinals = (texts: IndexedTexts): number[] => {
      let collected: Set<number> | undefined;
      const collect = (ordinal: number): void => {
        collected ??= new Set();
        collected.add(ordinal);
      };
      add(texts, {
        add: collect,
        addAll: (all, from, to) => {
          for (let index = from; index < to; index++) collect(all[index] as number);
        },
      });
      return Array.from(collected ?? []);
    };
    const genreIds = ordinals(genres).map((ordinal) => this.#parts.genres.idOf(ordinal));
    const tagNames = ordinals(tags).map((index) => tagList[index] as string);
    return this.sets.gather((members) => {
      if (genreIds.length > 0) members.or(this.#parts.matching({ genres: genreIds }) as Bitmap);
      if (tagNames.length > 0) members.or(this.#parts.matching({ tags: tagNames }) as Bitmap);
      this.#addOfProducers(producers, members);
    });
  }

  #addOfProducers(producers: Members, into: MemberCollector): void {
    if (producers.count === 0) return;
    const { byProducer, columns } = this.#parts;
    const ordinals = producers.slots();
    let beats = 0;
    for (const ordinal of ordinals) beats += byProducer.count(ordinal);
    if (beats <= columns.beats * manyBeats) {
      for (const ordinal of ordinals) byProducer.forEach(ordinal, (slot) => into.add(slot));
      return;
    }
    const { producer, listed } = columns;
    for (let slot = 0; slot < columns.slots; slot++)
      if (producers.has(producer[slot] as number) && listed.has(slot)) into.add(slot);
  }
}
