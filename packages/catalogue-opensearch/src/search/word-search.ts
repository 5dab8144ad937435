import { rankOf, tiers } from "@beatmarket/catalogue-index/engine/search/ranked.ts";
import { type Corrections, type Reading, readingOf } from "@beatmarket/catalogue-index/engine/search/reading.ts";
import type { Outcome as SearchOutcome } from "@beatmarket/catalogue-index/engine/search/search-results.ts";
import { dividedWords, withGenreWords } from "@beatmarket/catalogue-index/engine/search/spellings.ts";
import { isFiller, withFamilyMembers, withJoinedWords } from "@beatmarket/catalogue-index/engine/search/vocabulary.ts";
import type { SearchQuery } from "@beatmarket/catalogue-index/query.ts";
import type { QueryWord } from "@beatmarket/foundation/text/search-words.ts";
import type { Dictionary } from "./dictionary.ts";
import { type Kind, producerKind } from "./kinds.ts";
import type { MatchReader } from "./matches.ts";
import type { SearchParts } from "./parts.ts";
import { joined, type Ranked, rank, type Spelling, withMatchesAt } from "./ranked.ts";

/** With fewer matches than this, typing errors are corrected. */
export const enoughMatches = 20;

export const noCorrections: Corrections = new Map();

export type Outcome = SearchOutcome<Ranked>;

/** The range of a search for words. */
export interface Scope {
  /** Whether the words include the end of the text. */
  isLastUnfinished: boolean;
  beats: Kind;
  withProducers: boolean;
}

/** Finds the matches of words in all their spellings. */
export class WordSearch {
  readonly #parts: SearchParts;
  readonly #query: SearchQuery;
  readonly #matching: MatchReader;
  readonly #dictionary: Dictionary;

  constructor(parts: SearchParts, query: SearchQuery, matching: MatchReader, dictionary: Dictionary) {
    this.#parts = parts;
    this.#query = query;
    this.#matching = matching;
    this.#dictionary = dictionary;
  }

  async total({ beats, producers }: Outcome): Promise<number> {
    const outcomes = await Promise.all(
      [beats, producers].flatMap((ranked) => (ranked ? [this.#matching.of(ranked)] : [])),
    );
    return outcomes.reduce((sum, { total }) => sum + total, 0);
  }

  find({ words, wholes }: Reading, { beats, withProducers }: Scope, spelling?: Spelling): Outcome {
    const { kinds } = this.#query;
    return {
      reading: { words, wholes },
      beats: kinds.includes("beats") ? rank(beats, words, wholes, spelling) : undefined,
      producers: kinds.includes("producers") && withProducers ? rank(producerKind, words, wholes, spelling) : undefined,
    };
  }

  /**
   * Adds matches of the full names of genres and, if there are few matches, of related genres and moods. Without a
   * match, also tries joined and divided words, and then the text without fillers.
   */
  async spelledOut(outcome: Outcome, typed: readonly QueryWord[], scope: Scope): Promise<Outcome> {
    const find = (words: readonly QueryWord[], spelling?: Spelling): Outcome =>
      this.find(readingOf(words, noCorrections, scope.isLastUnfinished), scope, spelling);
    const inFull = withGenreWords(typed);
    const named = inFull === null ? outcome : joinedOutcome(outcome, find(inFull, { place: 1, isLowered: false }));
    const family = (await this.total(named)) < enoughMatches ? withFamilyMembers(inFull ?? typed) : [];
    const all = family.reduce(
      (some, words, at) => joinedOutcome(some, find(words, { place: 2 + at, isLowered: true })),
      named,
    );
    if ((await this.total(all)) > 0) return all;
    for (const words of await this.#respelled(typed)) {
      const one = find(words);
      if ((await this.total(one)) > 0) return one;
    }
    return (await this.#withoutFillers(typed, scope)) ?? outcome;
  }

  /** Adds the popular producers whose whole names almost match the text. They come before exact titles. */
  async withPopularNames(outcome: Outcome, withProducers: boolean): Promise<Outcome> {
    const { producers } = outcome;
    if (!withProducers || producers === undefined) return outcome;
    const [whole = ""] = outcome.reading.wholes;
    const near = await this.#parts.popular.near(whole, false);
    if (near.length === 0) return outcome;
    const matches = await this.#matching.named(whole);
    const longEnough = matches.isNamed ? await this.#parts.popular.near(whole, true) : near;
    const candidates = longEnough.filter(({ popularity }) => popularity > matches.popularity).map(({ id }) => id);
    if (candidates.length === 0) return outcome;
    return {
      ...outcome,
      producers: withMatchesAt({ terms: { id: candidates } }, rankOf(0, tiers.producerIs), producers),
    };
  }

  /** The variants of the text in which one word is divided or two words are joined. */
  async #respelled(typed: readonly QueryWord[]): Promise<QueryWord[][]> {
    const variants: string[] = [];
    const note = (text: string): boolean => variants.push(text) > 0;
    dividedWords(typed, note);
    withJoinedWords(typed, note);
    await this.#dictionary.learn(variants);
    const isInUse = (text: string): boolean => this.#dictionary.isInUse(text);
    return [...dividedWords(typed, isInUse), ...withJoinedWords(typed, isInUse)];
  }

  /** Searches "trap type beat" as "trap" if nothing has that name. */
  async #withoutFillers(typed: readonly QueryWord[], scope: Scope): Promise<Outcome | undefined> {
    const words = typed.filter((word) => !isFiller(word));
    if (words.length === 0 || words.length === typed.length) return undefined;
    const isLastUnfinished = scope.isLastUnfinished && words.at(-1) === typed.at(-1);
    const plain = this.find(readingOf(words, noCorrections, isLastUnfinished), scope);
    const outcome = await this.spelledOut(plain, words, scope);
    if ((await this.total(outcome)) === 0) return undefined;
    return { ...outcome, ignored: typed.filter(isFiller).map(({ text }) => text) };
  }
}

function joinedOutcome(one: Outcome, other: Outcome): Outcome {
  const { beats, producers } = one;
  return {
    ...one,
    beats: beats && other.beats ? joined(beats, other.beats) : beats,
    producers: producers && other.producers ? joined(producers, other.producers) : producers,
  };
}
