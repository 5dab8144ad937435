import type { Bitmap } from "../columns/bitmap.ts";
import type { TextParts } from "../texts.ts";
import { BeatsOfNamed } from "./beats-of-named.ts";
import { type AnyOf, type MemberCollector, type MemberSets, Members, type UncollectedSet } from "./members.ts";
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
const upTo = (...exactly: ByWord<Members | UncollectedSet>[]): ByWord<AnyOf> => {
  const atMost: ByWord<AnyOf> = memoized((word, edits) => {
    const sets = exactly.map((of) => of(word, edits)).filter(({ most }) => most > 0);
    return edits === 0 ? sets : [...atMost(word, edits - 1), ...sets];
  });
  return atMost;
};

/** Returns the matches of a word as typed (0 edits), or of its corrections with exactly that many edits. */
function matchesIn(sets: MemberSets, texts: IndexedTexts, word: RequiredWord, edits: number): Members {
  const row = edits === 0 ? texts.rowOf(word.typed, word.isUnfinished) : null;
  return row === null ? sets.gather((members) => addMatches(texts, word, edits, members)) : Members.of(row);
}

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
  /** Matches of a word as typed (0 edits), or of its corrections with exactly that many edits. */
  readonly ofEdits: ByWord<Members>;
  readonly #names: IndexedTexts;
  readonly #named = new Map<readonly string[], { exactly: Members; ofNamed: Members }>();

  constructor({ names, producerSets }: SearchedTexts) {
    this.sets = producerSets;
    this.#names = names;
    this.ofEdits = memoized((word, edits) => matchesIn(this.sets, names, word, edits));
    this.inName = upTo(this.ofEdits);
    this.anywhere = this.inName;
  }

  /** Memoized, since beats ask for the same names. */
  named(wholes: readonly string[]): { exactly: Members; ofNamed: Members } {
    let named = this.#named.get(wholes);
    if (named === undefined) {
      const exactly = this.sets.gather((members) => {
        for (const whole of wholes) this.#names.addWhole(whole, members);
      });
      named = { exactly, ofNamed: Members.none };
      this.#named.set(wholes, named);
    }
    return named;
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
  /** Beats with the tempo, keys and price that the text names; null: all. */
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
    const inTitle = memoized((word, edits) => matchesIn(this.sets, texts.titles, word, edits));
    this.inName = upTo(inTitle);
    this.anywhere = upTo(inTitle, (word, edits) =>
      this.#beatsOf(this.#producers.ofEdits(word, edits), (texts, members) => addMatches(texts, word, edits, members)),
    );
  }

  /** Returns the same kind, limited to these beats (null: all). */
  only(withTraits: Bitmap | null): BeatKind {
    const some = new BeatKind(this.#parts, this.#texts, this.#recordings, this.#producers, this.#passing);
    some.#withTraits = withTraits;
    return Object.assign(some, { inName: this.inName, anywhere: this.anywhere });
  }

  named(wholes: readonly string[]): { exactly: Members; ofNamed: Members } {
    const exactly = this.sets.gather((members) => {
      for (const whole of wholes) this.#texts.titles.addWhole(whole, members);
    });
    const ofNamed = this.#beatsOf(this.#producers.named(wholes).exactly, (texts, members) => {
      for (const whole of wholes) texts.addWhole(whole, members);
    });
    return { exactly, ofNamed: ofNamed.all() };
  }

  beginning(wholes: readonly string[]): Members {
    return this.sets.gather((members) => {
      for (const whole of wholes) this.#texts.titles.addWholeBeginning(whole, members);
    });
  }

  restrict(members: Members): Members {
    const passing = this.#passing === null ? members : this.sets.and(members, Members.ofBitmap(this.#passing));
    const restricted = this.restrictUnfiltered(passing);
    return this.sets.andNot(restricted, this.#recordings.copiesIn(restricted));
  }

  restrictUnfiltered(members: Members): Members {
    return this.#withTraits === null ? members : this.sets.and(members, Members.ofBitmap(this.#withTraits));
  }

  /** Returns the beats of these producers, and of the genres and tags that `add` finds. */
  #beatsOf(producers: Members, add: (texts: IndexedTexts, members: MemberCollector) => void): Members | UncollectedSet {
    const { genres, tags, tagList } = this.#texts;
    const [ofGenres, ofTags] = [ordinalsOf(genres, add), ordinalsOf(tags, add)];
    if (producers.isEmpty && ofGenres.length === 0 && ofTags.length === 0) return Members.none;
    const tagNames = ofTags.map((index) => tagList[index] as string);
    const sets = { beats: this.sets, producers: this.#producers.sets };
    return new BeatsOfNamed(this.#parts, sets, producers, ofGenres, tagNames);
  }
}

/** Returns the numbers of the genres or tags that `add` finds. */
function ordinalsOf(texts: IndexedTexts, add: (texts: IndexedTexts, members: MemberCollector) => void): number[] {
  const ordinals = new Set<number>();
  add(texts, {
    add: (ordinal) => void ordinals.add(ordinal),
    addAll: (all, from, to) => {
      for (let index = from; index < to; index++) ordinals.add(all[index] as number);
    },
  });
  return Array.from(ordinals);
}
