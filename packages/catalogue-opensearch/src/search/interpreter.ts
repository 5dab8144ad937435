import {
  type NamedTraits,
  namedTraits,
  withNearTempos,
  withoutTrait,
} from "@beatmarket/catalogue-index/engine/search/interpretation.ts";
import { namedRank } from "@beatmarket/catalogue-index/engine/search/ranked.ts";
import {
  type Correction,
  type Corrections,
  correctableOf,
  type Reading,
  type RequiredWord,
  readingOf,
  wholesOf,
} from "@beatmarket/catalogue-index/engine/search/reading.ts";
import { mostMeaningFirst, type WordUse } from "@beatmarket/catalogue-index/engine/search/relaxing.ts";
import { familyWords, isFiller } from "@beatmarket/catalogue-index/engine/search/vocabulary.ts";
import type { BeatFilters, SearchQuery } from "@beatmarket/catalogue-index/query.ts";
import { type QueryWord, readQuery } from "@beatmarket/foundation/text/search-words.ts";
import type { Dictionary } from "./dictionary.ts";
import { allOf, anyOf, type Kind, only, producerKind } from "./kinds.ts";
import type { MatchReader } from "./matches.ts";
import { type Ranked, unranked, withMatchesAt } from "./ranked.ts";
import { enoughMatches, noCorrections, type Outcome, type Scope, type WordSearch } from "./word-search.ts";

export interface InterpreterParts {
  query: SearchQuery;
  dictionary: Dictionary;
  wordSearch: WordSearch;
  matching: MatchReader;
  /** How to search beats, without filters that the text implies. */
  beats: Kind;
}

/** Tries readings of a text until one has matches, in the same order as the index in memory. */
export class Interpreter {
  readonly #query: SearchQuery;
  readonly #dictionary: Dictionary;
  readonly #wordSearch: WordSearch;
  readonly #matching: MatchReader;
  readonly #beats: Kind;

  constructor({ query, dictionary, wordSearch, matching, beats }: InterpreterParts) {
    this.#query = query;
    this.#dictionary = dictionary;
    this.#wordSearch = wordSearch;
    this.#matching = matching;
    this.#beats = beats;
  }

  async outcome(): Promise<Outcome> {
    const { text, interpret } = this.#query;
    const typed = readQuery(text);
    const asTyped = readingOf(typed, noCorrections, true);
    if (asTyped.words.length === 0) return { reading: asTyped };
    await this.#dictionary.learn(typed.map((word) => word.text));
    const isOfMusic = (part: string) => readQuery(part).some((word) => this.#dictionary.isVocabulary(word.text));
    const traits = interpret ? namedTraits(text, isOfMusic) : undefined;
    const everywhere: Scope = { isLastUnfinished: true, beats: this.#beats, withProducers: true };
    if (traits !== undefined && !(traits.isDoubtful && (await this.#isNamed(asTyped)))) {
      const outcome = await this.#withTraits(traits, asTyped, false);
      if (outcome !== undefined) return outcome;
    }
    const literal = await this.#corrected(typed, everywhere, enoughMatches);
    if ((await this.#wordSearch.total(literal)) > 0) return literal;
    if (traits !== undefined) {
      const tolerant = (await this.#withMostTraits(traits, asTyped)) ?? (await this.#withFewerTraits(traits, asTyped));
      const outcome = tolerant ?? (await this.#withoutTraits(traits));
      if (outcome !== undefined) return outcome;
    }
    return (await this.#relaxed(typed, everywhere)) ?? { reading: asTyped };
  }

  /** For a text whose words and traits no beat has together: tries tempos near the typed one, then fewer words. */
  async #withMostTraits(traits: NamedTraits, asTyped: Reading): Promise<Outcome | undefined> {
    for (const near of withNearTempos(traits)) {
      const outcome = await this.#withTraits(near, asTyped, false);
      if (outcome !== undefined) return outcome;
    }
    return this.#withTraits(traits, asTyped, true);
  }

  /** For traits that no beat has together: drops one trait at a time, and reports it. */
  async #withFewerTraits(traits: NamedTraits, asTyped: Reading): Promise<Outcome | undefined> {
    for (const name of traits.droppable) {
      const others = withoutTrait(traits, name);
      if (others === undefined) continue;
      const outcome = (await this.#withTraits(others, asTyped, false)) ?? (await this.#withMostTraits(others, asTyped));
      if (outcome === undefined) continue;
      return { ...outcome, ignored: [...(outcome.ignored ?? []), ...partsOf(traits.typed[name] ?? "")] };
    }
    return undefined;
  }

  /** Returns whether a title or a name has all words as typed. */
  async #isNamed({ words }: Reading): Promise<boolean> {
    const inTitle = allOf(words.map((word) => this.#beats.inName(word, 0)));
    if ((await this.#matching.count(this.#beats, inTitle)) > 0) return true;
    if (!this.#query.kinds.includes("producers")) return false;
    return (await this.#matching.count(producerKind, allOf(words.map((word) => producerKind.inName(word, 0))))) > 0;
  }

  /** Searches the rest of the text among the beats with the named traits. Exact names as typed come first. */
  async #withTraits(traits: NamedTraits, asTyped: Reading, relax: boolean): Promise<Outcome | undefined> {
    const beats = only(this.#beats, filtersOf(traits));
    const typed = readQuery(traits.rest);
    const reading = readingOf(typed, noCorrections, false);
    const scope: Scope = { isLastUnfinished: traits.endsInRest, beats, withProducers: false };
    const find = relax ? () => this.#relaxed(typed, scope) : () => this.#corrected(typed, scope, 1);
    const outcome =
      reading.words.length === 0 ? { reading, beats: unranked(beats, { match_all: {} }, 0) } : await find();
    if (outcome?.beats === undefined || (await this.#matching.of(outcome.beats)).total === 0) return undefined;
    return { ...outcome, ...this.#namedFirst(asTyped, outcome.beats), traits };
  }

  /** Searches the rest of the text without the traits, since no beat has them. */
  async #withoutTraits({ rest, endsInRest, typed }: NamedTraits): Promise<Outcome | undefined> {
    const words = readQuery(rest);
    if (readingOf(words, noCorrections, false).words.length === 0) return undefined;
    const scope: Scope = { isLastUnfinished: endsInRest, beats: this.#beats, withProducers: true };
    const literal = await this.#corrected(words, scope, 1);
    const outcome = (await this.#wordSearch.total(literal)) > 0 ? literal : await this.#relaxed(words, scope);
    return outcome && { ...outcome, ignored: [...(outcome.ignored ?? []), ...Object.values(typed).flatMap(partsOf)] };
  }

  #namedFirst({ wholes }: Reading, outcome: Ranked): Pick<Outcome, "beats" | "producers"> {
    const { kinds } = this.#query;
    const implied = anyOf([allOf(outcome.kind.impliedFilters), this.#beats.exactly(wholes)]);
    const named = withMatchesAt(this.#beats.exactly(wholes), namedRank, {
      kind: { ...outcome.kind, impliedFilters: [implied] },
      scored: { bool: { must: [outcome.scored] } },
    });
    return {
      beats: kinds.includes("beats") ? named : undefined,
      producers: kinds.includes("producers")
        ? unranked(producerKind, producerKind.exactly(wholes), namedRank)
        : undefined,
    };
  }

  /** Returns matches of the words as typed and, if there are few, also matches of corrected words. */
  async #corrected(typed: QueryWord[], scope: Scope, enough: number): Promise<Outcome> {
    const asTyped = readingOf(typed, noCorrections, scope.isLastUnfinished);
    const outcome = await this.#wordSearch.spelledOut(this.#wordSearch.find(asTyped, scope), typed, scope);
    if ((await this.#wordSearch.total(outcome)) >= enough)
      return this.#wordSearch.withPopularNames(outcome, scope.withProducers);
    const corrections = await this.#corrections(this.#doubtful(typed, scope.withProducers), false);
    const corrected =
      corrections.size === 0
        ? outcome
        : this.#wordSearch.find(readingOf(typed, corrections, scope.isLastUnfinished), scope);
    return this.#wordSearch.withPopularNames(corrected, scope.withProducers);
  }

  /** Omits fillers, and corrects words of three letters too. Without a match, also omits other words. */
  async #relaxed(typed: QueryWord[], scope: Scope): Promise<Outcome | undefined> {
    const meaningful = typed.filter((word) => !isFiller(word));
    if (meaningful.length > 0 && meaningful.length < typed.length) {
      const outcome = await this.#relaxed(meaningful, {
        ...scope,
        isLastUnfinished: scope.isLastUnfinished && meaningful.at(-1) === typed.at(-1),
      });
      const fillers = typed.filter(isFiller).map(({ text }) => text);
      return outcome && { ...outcome, ignored: [...fillers, ...(outcome.ignored ?? [])] };
    }
    const doubtful = this.#doubtful(typed, scope.withProducers);
    // Two unknown words of three letters are more likely the name of something that the catalogue lacks than two typing
    // errors.
    const isGenerous = doubtful.filter(({ text }) => text.length === 3 && !this.#dictionary.isInUse(text)).length < 2;
    const reading = readingOf(typed, await this.#corrections(doubtful, isGenerous), scope.isLastUnfinished);
    const all = this.#wordSearch.find(reading, scope);
    if ((await this.#wordSearch.total(all)) > 0) return all;
    return this.#withOmittedWords(typed, reading, scope);
  }

  async #withOmittedWords(typed: QueryWord[], reading: Reading, scope: Scope): Promise<Outcome | undefined> {
    // A word with matches as typed is not corrected if another word is omitted.
    const asTyped = readingOf(typed, noCorrections, scope.isLastUnfinished).words;
    const words: RequiredWord[] = [];
    const counts = new Map<RequiredWord, number>();
    const family = familyWords(typed);
    const countOf = async (word: RequiredWord) =>
      Number(family.has(word.typed.text)) + (await this.#countOf(word, scope));
    for (const [at, word] of reading.words.entries()) {
      const plain = asTyped[at] ?? word;
      const ofPlain = await countOf(plain);
      const keptWord = ofPlain > 0 ? plain : word;
      words.push(keptWord);
      counts.set(keptWord, ofPlain > 0 ? ofPlain : await countOf(word));
    }
    const use = ({ typed: word }: RequiredWord): WordUse => this.#dictionary.useOf(word.text);
    for (const omitted of mostMeaningFirst(words, (word) => counts.get(word) ?? 0, use)) {
      const rest = words.filter((word) => !omitted.includes(word));
      const wholes = wholesOf(rest.map(({ typed: { text }, corrections }) => ({ text, corrections })));
      const restOutcome = this.#wordSearch.find({ words: rest, wholes }, scope);
      const keptWords = rest.map(({ typed: word }) => word);
      const isLastUnfinished = scope.isLastUnfinished && rest.at(-1) === words.at(-1);
      const outcome = await this.#wordSearch.spelledOut(restOutcome, keptWords, { ...scope, isLastUnfinished });
      if ((await this.#wordSearch.total(outcome)) > 0)
        return { ...outcome, ignored: omitted.map(({ typed: { text } }) => text) };
    }
    return undefined;
  }

  async #countOf(word: RequiredWord, { beats, withProducers }: Scope): Promise<number> {
    const within = (kind: Kind) =>
      this.#matching.countUnfiltered(kind, anyOf([0, 1, 2].map((edits) => kind.anywhere(word, edits))));
    return (
      (this.#query.kinds.includes("beats") ? await within(beats) : 0) + (withProducers ? await within(producerKind) : 0)
    );
  }

  /**
   * Returns the words that may be misspelt: not words of music, genres or tags. Next to a tempo, a key or a price
   * (`isWholeText` is false), a word that is in use is not misspelt either: the beats that have it only lack the trait.
   */
  #doubtful(typed: QueryWord[], isWholeText: boolean): QueryWord[] {
    return typed.filter(
      ({ text }) => !this.#dictionary.isVocabulary(text) && (isWholeText || !this.#dictionary.isInUse(text)),
    );
  }

  async #corrections(typed: readonly QueryWord[], isGenerous: boolean): Promise<Corrections> {
    const corrections = new Map<string, Correction[]>();
    for (const text of correctableOf(typed)) {
      const allCorrections = await this.#dictionary.correctionsOf(text, isGenerous);
      if (allCorrections.length > 0) corrections.set(text, allCorrections);
    }
    return corrections;
  }
}

const partsOf = (typed: string): string[] => typed.split(/\s+/);

const filtersOf = ({ bpm, keys, priceCents }: NamedTraits): BeatFilters => ({
  ...(bpm && { bpm: [bpm] }),
  ...(keys && { keys }),
  ...(priceCents && { priceCents }),
});
