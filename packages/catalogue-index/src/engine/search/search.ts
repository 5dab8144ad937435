import { type QueryWord, readQuery } from "@beatmarket/foundation/text/search-words.ts";
import type { BeatFilters, SearchQuery, SearchResult } from "../../query.ts";
import type { TextParts } from "../texts.ts";
import { type NamedTraits, namedTraits, withNearTempos, withoutTrait } from "./interpretation.ts";
import { BeatKind, ProducerKind, type SearchedTexts } from "./kinds.ts";
import { Members } from "./members.ts";
import type { PopularNames } from "./popular-names.ts";
import { joined, lowered, namedRank, type Ranked, rank, rankOf, tiers, unranked, withLevel } from "./ranked.ts";
import {
  type Correction,
  type Corrections,
  correctableOf,
  nearest,
  type Reading,
  type RequiredWord,
  readingOf,
  wholesOf,
} from "./reading.ts";
import type { Recordings } from "./recordings.ts";
import { mostMeaningFirst, type WordUse } from "./relaxing.ts";
import { type Outcome, SearchResults } from "./search-results.ts";
import { dividedWords, withGenreWords } from "./spellings.ts";
import { familyWords, isFiller, isMusicWord, withFamilyMembers, withJoinedWords } from "./vocabulary.ts";

/**
 * With fewer matches than this, typing errors are corrected, and a word for a family, such as "electronic", finds its
 * genres.
 */
const enoughMatches = 20;

const noCorrections: Corrections = new Map();

/**
 * Where and how words are searched. `isLastUnfinished`: the typed text ends with the last word, which may be
 * unfinished.
 */
interface Scope {
  isLastUnfinished: boolean;
  beats: BeatKind;
  withProducers: boolean;
}

/** A search for one text. It keeps the sets that it has computed. */
export class Search {
  readonly #parts: TextParts;
  readonly #texts: SearchedTexts;
  readonly #popular: PopularNames;
  readonly #query: SearchQuery;
  readonly #recordings: Recordings;
  readonly #producers: ProducerKind;
  /** Filtered only by the query's filters. */
  readonly #beats: BeatKind;
  readonly #nearest = new Map<string, Correction[]>();

  constructor(
    parts: TextParts,
    texts: SearchedTexts,
    recordings: Recordings,
    popular: PopularNames,
    query: SearchQuery,
  ) {
    this.#parts = parts;
    this.#texts = texts;
    this.#popular = popular;
    this.#query = query;
    this.#recordings = recordings;
    this.#producers = new ProducerKind(texts);
    const passing = parts.matching(query.filters);
    this.#beats = new BeatKind(parts, texts, recordings, this.#producers, passing);
  }

  result(): SearchResult {
    const results = new SearchResults({
      parts: this.#parts,
      texts: this.#texts,
      popular: this.#popular,
      recordings: this.#recordings,
      query: this.#query,
      beats: this.#beats,
      producers: this.#producers,
    });
    return results.of(this.#interpret());
  }

  /**
   * Tries readings of the text until one has matches: with its tempo, keys and price; as words only; with fewer or
   * similar traits; without traits; with fewer words.
   */
  #interpret(): Outcome {
    const { text, interpret } = this.#query;
    const typed = readQuery(text);
    const asTyped = readingOf(typed, noCorrections, true);
    const noMatches = { reading: asTyped };
    if (asTyped.words.length === 0) return noMatches;
    const isOfMusic = (part: string) => readQuery(part).some((word) => this.#isVocabulary(word));
    const traits = interpret ? namedTraits(text, isOfMusic) : undefined;
    if (traits !== undefined) {
      const isNamed = traits.isDoubtful && this.#isNamed(asTyped);
      const outcome = isNamed ? undefined : this.#withTraits(traits, asTyped, false);
      if (outcome !== undefined && total(outcome) > 0) return outcome;
    }
    const literal = this.#corrected(typed, true, this.#beats, true, enoughMatches);
    if (total(literal) > 0) return literal;
    const tolerant = traits && (this.#withMostTraits(traits, asTyped) ?? this.#withFewerTraits(traits, asTyped));
    if (tolerant !== undefined && total(tolerant) > 0) return tolerant;
    const withoutTraits = traits && this.#withoutTraits(traits);
    if (withoutTraits !== undefined && total(withoutTraits) > 0) return withoutTraits;
    const relaxed = this.#relaxed(typed, true, this.#beats, true);
    return relaxed ?? noMatches;
  }

  /** Searches a text whose words and traits no beat has together: tries tempos near the typed one, then fewer words. */
  #withMostTraits(traits: NamedTraits, asTyped: Reading): Outcome | undefined {
    for (const near of withNearTempos(traits)) {
      const outcome = this.#withTraits(near, asTyped, false);
      if (outcome !== undefined) return outcome;
    }
    return this.#withTraits(traits, asTyped, true);
  }

  /** Searches a text whose traits no beat has together: drops one trait at a time, and reports it. */
  #withFewerTraits(traits: NamedTraits, asTyped: Reading): Outcome | undefined {
    for (const name of traits.droppable) {
      const others = withoutTrait(traits, name);
      if (others === undefined) continue;
      const outcome = this.#withTraits(others, asTyped, false) ?? this.#withMostTraits(others, asTyped);
      if (outcome === undefined) continue;
      return { ...outcome, ignored: [...(outcome.ignored ?? []), ...partsOf(traits.typed[name] ?? "")] };
    }
    return undefined;
  }

  /** Returns whether a title or a name has all words as typed. */
  #isNamed({ words, wholes }: Reading): boolean {
    const { sets } = this.#beats;
    const inName = sets.all(words.map((word) => this.#beats.inName(word, 0)));
    if (sets.and(rank(this.#beats, words, wholes).found, inName).count > 0) return true;
    return this.#query.kinds.includes("producers") && rank(this.#producers, words, wholes).total > 0;
  }

  /** Searches the rest of the text among the beats with the named traits. Exact names as typed come first. */
  #withTraits(traits: NamedTraits, asTyped: Reading, relax: boolean): Outcome | undefined {
    const beats = this.#beats.only(this.#parts.matching(filtersOf(traits)));
    const outcome = this.#withinTraits(traits, beats, relax);
    if (outcome === undefined || (outcome.beats?.total ?? 0) === 0) return undefined;
    return { ...outcome, ...this.#namedFirst(asTyped, outcome.beats), traits };
  }

  /** Returns all of `beats` if the text has only traits; otherwise the matches of the rest of the text among them. */
  #withinTraits({ rest, endsInRest }: NamedTraits, beats: BeatKind, relax: boolean): Outcome | undefined {
    const typed = readQuery(rest);
    const reading = readingOf(typed, noCorrections, false);
    if (reading.words.length === 0) return { reading, beats: this.#everything(beats) };
    if (relax) return this.#relaxed(typed, endsInRest, beats, false);
    return this.#corrected(typed, endsInRest, beats, false, 1);
  }

  /** Searches the rest of the text without the traits, since no match has them. */
  #withoutTraits({ rest, endsInRest, typed }: NamedTraits): Outcome | undefined {
    const words = readQuery(rest);
    if (readingOf(words, noCorrections, false).words.length === 0) return undefined;
    const literal = this.#corrected(words, endsInRest, this.#beats, true, 1);
    const outcome = total(literal) > 0 ? literal : this.#relaxed(words, endsInRest, this.#beats, true);
    return outcome && { ...outcome, ignored: [...(outcome.ignored ?? []), ...Object.values(typed).flatMap(partsOf)] };
  }

  #everything(beats: BeatKind): Ranked {
    return unranked(beats, Members.ofBitmap(this.#parts.columns.listed), 0);
  }

  #namedFirst({ wholes }: Reading, beats: Ranked | undefined): Pick<Outcome, "beats" | "producers"> {
    const requestedKinds = this.#query.kinds;
    const named = unranked(this.#beats, this.#beats.named(wholes).exactly, namedRank);
    const producers = this.#producers.named(wholes).exactly;
    return {
      beats:
        requestedKinds.includes("beats") && beats !== undefined
          ? withLevel(this.#beats, named, namedRank, beats)
          : undefined,
      producers: requestedKinds.includes("producers") ? unranked(this.#producers, producers, namedRank) : undefined,
    };
  }

  /** Returns matches as typed and, if they are few, of corrected words too. */
  #corrected(
    typed: QueryWord[],
    isLastUnfinished: boolean,
    beats: BeatKind,
    withProducers: boolean,
    enough: number,
  ): Outcome {
    const asTyped = readingOf(typed, noCorrections, isLastUnfinished);
    const outcome = this.#spelledOut(this.#find(asTyped, beats, withProducers), typed, {
      isLastUnfinished,
      beats,
      withProducers,
    });
    if (total(outcome) >= enough) return this.#withPopularNames(outcome, withProducers);
    const corrections = this.#corrections(this.#doubtful(typed, withProducers), false);
    const corrected =
      corrections.size === 0
        ? outcome
        : this.#find(readingOf(typed, corrections, isLastUnfinished), beats, withProducers);
    return this.#withPopularNames(corrected, withProducers);
  }

  /**
   * Adds matches of the full names of genres and, while there are few matches, of the genres and moods of a family.
   * Without any match it also tries words joined or divided, and the text without fillers.
   */
  #spelledOut(
    outcome: Outcome,
    typed: readonly QueryWord[],
    { isLastUnfinished, beats, withProducers }: Scope,
  ): Outcome {
    const find = (words: readonly QueryWord[]) =>
      this.#find(readingOf(words, noCorrections, isLastUnfinished), beats, withProducers);
    const inFull = withGenreWords(typed);
    const named = inFull === null ? outcome : this.#joined(outcome, find(inFull));
    const family = total(named) < enoughMatches ? withFamilyMembers(inFull ?? typed) : [];
    const all = family.reduce((some, words) => this.#joined(some, lowerOutcome(find(words))), named);
    if (total(all) > 0) return all;
    const isInUse = (text: string) => this.#isInUse(text);
    const spelled = [...dividedWords(typed, isInUse), ...withJoinedWords(typed, isInUse)].map(find);
    return (
      spelled.find((candidate) => total(candidate) > 0) ??
      this.#withoutFillers(typed, { isLastUnfinished, beats, withProducers }) ??
      outcome
    );
  }

  /** Searches "trap type beat" as "trap" if nothing has that name. */
  #withoutFillers(typed: readonly QueryWord[], scope: Scope): Outcome | undefined {
    const words = typed.filter((word) => !isFiller(word));
    if (words.length === 0 || words.length === typed.length) return undefined;
    const { isLastUnfinished, beats, withProducers } = scope;
    const plain = this.#find(
      readingOf(words, noCorrections, isLastUnfinished && words.at(-1) === typed.at(-1)),
      beats,
      withProducers,
    );
    const outcome = this.#spelledOut(plain, words, scope);
    if (total(outcome) === 0) return undefined;
    return { ...outcome, ignored: typed.filter(isFiller).map(({ text }) => text) };
  }

  #joined(one: Outcome, other: Outcome): Outcome {
    const { beats, producers } = one;
    return {
      ...one,
      beats: beats && other.beats ? joined(this.#beats, beats, other.beats) : beats,
      producers: producers && other.producers ? joined(this.#producers, producers, other.producers) : producers,
    };
  }

  /** Leaves out fillers, and corrects words of three letters too. Without a match, also leaves out other words. */
  #relaxed(
    typed: QueryWord[],
    isLastUnfinished: boolean,
    beats: BeatKind,
    withProducers: boolean,
  ): Outcome | undefined {
    const meaningful = typed.filter((word) => !isFiller(word));
    if (meaningful.length > 0 && meaningful.length < typed.length) {
      const outcome = this.#relaxed(
        meaningful,
        isLastUnfinished && meaningful.at(-1) === typed.at(-1),
        beats,
        withProducers,
      );
      const fillers = typed.filter(isFiller).map(({ text }) => text);
      return outcome && { ...outcome, ignored: [...fillers, ...(outcome.ignored ?? [])] };
    }
    const doubtful = this.#doubtful(typed, withProducers);
    // Two unknown words of three letters more likely name something that is not in the catalogue than contain two
    // errors.
    const isGenerous = doubtful.filter(({ text }) => text.length === 3 && !this.#isInUse(text)).length < 2;
    const reading = readingOf(typed, this.#corrections(doubtful, isGenerous), isLastUnfinished);
    const all = this.#find(reading, beats, withProducers);
    if (total(all) > 0) return all;
    const family = familyWords(typed);
    const matchesOf = (word: RequiredWord) =>
      Number(family.has(word.typed.text)) +
      (this.#query.kinds.includes("beats") ? beats.sets.union(beats.anywhere(word, 2)).count : 0) +
      (withProducers ? this.#producers.sets.union(this.#producers.anywhere(word, 2)).count : 0);
    // A word with matches as typed is not corrected if another word is left out.
    const asTyped = readingOf(typed, noCorrections, isLastUnfinished).words;
    const words = reading.words.map((word, index) => {
      const plain = asTyped[index] ?? word;
      return matchesOf(plain) > 0 ? plain : word;
    });
    for (const omitted of mostMeaningFirst(words, matchesOf, ({ typed: word }) => this.#useOf(word.text))) {
      const remaining = words.filter((word) => !omitted.includes(word));
      const wholes = wholesOf(remaining.map(({ typed: { text }, corrections }) => ({ text, corrections })));
      const outcomeOfRemaining = this.#find({ words: remaining, wholes }, beats, withProducers);
      const scope = { isLastUnfinished: isLastUnfinished && remaining.at(-1) === words.at(-1), beats, withProducers };
      const outcome = this.#spelledOut(
        outcomeOfRemaining,
        remaining.map(({ typed: word }) => word),
        scope,
      );
      if (total(outcome) > 0) return { ...outcome, ignored: omitted.map(({ typed: { text } }) => text) };
    }
    return undefined;
  }

  #find(reading: Reading, beats: BeatKind, withProducers: boolean): Outcome {
    const { kinds } = this.#query;
    const { words, wholes } = reading;
    return {
      reading,
      beats: kinds.includes("beats") ? rank(beats, words, wholes) : undefined,
      producers: kinds.includes("producers") && withProducers ? rank(this.#producers, words, wholes) : undefined,
    };
  }

  /**
   * Adds the popular producers whose whole names nearly match the text, before exact titles. Leaves out those who are
   * not more popular than a producer of exactly this name.
   */
  #withPopularNames(outcome: Outcome, withProducers: boolean): Outcome {
    const { producers } = outcome;
    if (!withProducers || producers === undefined) return outcome;
    const { titles, names } = this.#texts;
    const { popularityKey } = this.#parts.producers;
    const [whole = ""] = outcome.reading.wholes;
    let count = -1;
    for (const ordinal of this.#producers.named([whole]).exactly.slots())
      count = Math.max(count, popularityKey[ordinal] as number);
    const candidates = this.#popular
      .near(whole, titles.hasWhole(whole) || names.hasWhole(whole))
      .filter((ordinal) => (popularityKey[ordinal] as number) > count);
    if (candidates.length === 0) return outcome;
    const set = this.#producers.sets.gather((members) => {
      for (const ordinal of candidates) members.add(ordinal);
    });
    const first = rankOf(0, tiers.producerIs);
    return {
      ...outcome,
      producers: withLevel(this.#producers, unranked(this.#producers, set, first), first, producers),
    };
  }

  /**
   * Returns the words that may be misspelt: not words of music, genres or tags. Next to a tempo, a key or a price, a
   * word that is in use is not misspelt either: its beats only lack the trait.
   */
  #doubtful(typed: QueryWord[], isWholeText: boolean): QueryWord[] {
    return typed.filter((word) => !this.#isVocabulary(word) && (isWholeText || !this.#isInUse(word.text)));
  }

  /** Whether it is a word of a genre or a tag, or of music in general. */
  #isVocabulary(word: QueryWord): boolean {
    return isMusicWord(word) || this.#isGenreOrTag(word.text);
  }

  #useOf(word: string): WordUse {
    if (this.#texts.genres.hasWhole(word)) return "genre";
    return this.#isGenreOrTag(word) ? "partOfMusic" : "other";
  }

  #isGenreOrTag(word: string): boolean {
    const { genres, tags, tagList } = this.#texts;
    const { matching } = this.#parts;
    return (
      genres.hasWord(word, () => true) ||
      tags.hasWord(word, (index) => (matching({ tags: [tagList[index] as string] })?.count() ?? 0) > 0)
    );
  }

  #corrections(typed: readonly QueryWord[], isGenerous: boolean): Corrections {
    const corrections = new Map<string, Correction[]>();
    for (const text of correctableOf(typed)) {
      const allCorrections = this.#correctionsOf(text, isGenerous);
      if (allCorrections.length > 0) corrections.set(text, allCorrections);
    }
    return corrections;
  }

  /** Computed once for all attempts of the search. */
  #correctionsOf(text: string, isGenerous: boolean): Correction[] {
    const key = `${isGenerous} ${text}`;
    const cached = this.#nearest.get(key);
    if (cached !== undefined) return cached;
    const near = new Map<string, number>();
    const { titles, names, genres, tags } = this.#texts;
    for (const texts of [titles, names, genres, tags])
      texts.forEachNear(text, isGenerous, (word, edits) => near.set(word, edits));
    const all = Array.from(near, ([word, edits]) => ({ word, edits }));
    const corrections = nearest(text, all, (word) => this.#isInUse(word));
    this.#nearest.set(key, corrections);
    return corrections;
  }

  /** Whether any listed beat, producer, genre or tag has the word. */
  #isInUse(word: string): boolean {
    const { titles, names } = this.#texts;
    const { columns } = this.#parts;
    return (
      titles.hasWord(word, (slot) => columns.listed.has(slot)) ||
      names.hasWord(word, () => true) ||
      this.#isGenreOrTag(word)
    );
  }
}

const partsOf = (typed: string): string[] => typed.split(/\s+/);

/** Matches of a family of genres or moods rank after matches as typed. */
const lowerOutcome = (outcome: Outcome): Outcome => ({
  ...outcome,
  beats: outcome.beats && lowered(outcome.beats),
  producers: outcome.producers && lowered(outcome.producers),
});

const total = ({ beats, producers }: Outcome): number => (beats?.total ?? 0) + (producers?.total ?? 0);

const filtersOf = ({ bpm, keys, priceCents }: NamedTraits): BeatFilters => ({
  ...(bpm && { bpm: [bpm] }),
  ...(keys && { keys }),
  ...(priceCents && { priceCents }),
});
