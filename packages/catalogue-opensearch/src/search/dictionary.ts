import { type Correction, nearest } from "@beatmarket/catalogue-index/engine/search/reading.ts";
import type { WordUse } from "@beatmarket/catalogue-index/engine/search/relaxing.ts";
import { isMusicWord } from "@beatmarket/catalogue-index/engine/search/vocabulary.ts";
import { editsBetween } from "@beatmarket/catalogue-index/engine/search/words/near-words.ts";
import { editsWithin, unitsOf } from "@beatmarket/catalogue-index/engine/search/words/typing-errors.ts";
import { isCorrectable } from "@beatmarket/foundation/text/search-words.ts";
import type { Clause } from "../cluster/cluster.ts";
import type { NameDocument } from "../cluster/documents.ts";
import type { SearchParts } from "./parts.ts";

/** Whether tags, and titles or names, have a word. */
interface Use {
  isOfTag: boolean;
  isOfText: boolean;
}

const mostSuggestions = 100;
const unused: Use = { isOfTag: false, isOfText: false };

/** The words of the catalogue that one search needs. */
export class Dictionary {
  readonly #parts: SearchParts;
  readonly #genreWords: ReadonlySet<string>;
  /** Whole names, without spaces. */
  readonly #genres: ReadonlySet<string>;
  readonly #uses = new Map<string, Use>();
  readonly #nearest = new Map<string, Correction[]>();

  constructor(parts: SearchParts, genres: readonly NameDocument[]) {
    this.#parts = parts;
    this.#genreWords = new Set(genres.flatMap(({ word }) => word));
    this.#genres = new Set(genres.map(({ whole }) => whole));
  }

  /** Looks words up. The other methods know only words that were looked up. */
  async learn(words: readonly string[]): Promise<void> {
    const unknown = Array.from(new Set(words)).filter((word) => !this.#uses.has(word));
    if (unknown.length === 0) return;
    const [beats, producers] = await Promise.all([
      this.#inUse("beats", ["title", "tag"], unknown),
      this.#inUse("producers", ["word"], unknown),
    ]);
    const [titles = new Set(), tags = new Set()] = beats;
    const [names = new Set()] = producers;
    for (const word of unknown)
      this.#uses.set(word, { isOfTag: tags.has(word), isOfText: titles.has(word) || names.has(word) });
  }

  /** Whether any listed beat, producer or genre has the word. */
  isInUse(word: string): boolean {
    return (this.#uses.get(word) ?? unused).isOfText || this.isGenreOrTag(word);
  }

  useOf(word: string): WordUse {
    if (this.#genres.has(word)) return "genre";
    return this.isGenreOrTag(word) ? "partOfMusic" : "other";
  }

  isGenreOrTag(word: string): boolean {
    return this.#genreWords.has(word) || (this.#uses.get(word) ?? unused).isOfTag;
  }

  /** Whether the word is one of a genre or a tag, or of music in general. */
  isVocabulary(word: string): boolean {
    return isMusicWord({ text: word }) || this.isGenreOrTag(word);
  }

  /** Returns the nearest words in use that a typed word may mean. Words with fewer edits come first. */
  async correctionsOf(typed: string, isGenerous: boolean): Promise<Correction[]> {
    const key = `${isGenerous} ${typed}`;
    const cached = this.#nearest.get(key);
    if (cached !== undefined) return cached;
    const near = await this.#near(typed, isGenerous);
    await this.learn(near.map(({ word }) => word));
    const corrections = nearest(typed, near, (word) => this.isInUse(word));
    this.#nearest.set(key, corrections);
    return corrections;
  }

  async #near(typed: string, isGenerous: boolean): Promise<Correction[]> {
    const [ofBeats, ofProducers] = await Promise.all([
      this.#suggest("beats", ["title", "tag"], typed),
      this.#suggest("producers", ["word"], typed),
    ]);
    const units = unitsOf(typed);
    return Array.from(new Set([...ofBeats, ...ofProducers, ...this.#genreWords])).flatMap((word) => {
      const maxEdits = editsBetween(typed.length, word.length, isGenerous);
      if (Math.abs(word.length - typed.length) > maxEdits || maxEdits === 0 || !isCorrectable(word)) return [];
      const edits = editsWithin(units, unitsOf(word), 0, word.length, maxEdits);
      return edits > 0 ? [{ word, edits }] : [];
    });
  }

  async #suggest(kind: "beats" | "producers", fields: readonly string[], text: string): Promise<string[]> {
    const options = {
      suggest_mode: "always",
      max_edits: 2,
      prefix_length: 0,
      min_word_length: 3,
      size: mostSuggestions,
      shard_size: 2 * mostSuggestions,
      max_inspections: 20,
      accuracy: 0.1,
      max_term_freq: 2_000_000_000,
      string_distance: "damerau_levenshtein",
    };
    const suggest = Object.fromEntries(fields.map((field) => [field, { text, term: { field, ...options } }]));
    const response = await this.#parts.cluster.search(this.#parts.indexOf(kind), { size: 0, suggest });
    const { suggest: suggested = {} } = response as { suggest?: Record<string, { options: { text: string }[] }[]> };
    return Object.values(suggested).flatMap((entries) =>
      entries.flatMap(({ options }) => options.map(({ text }) => text)),
    );
  }

  async #inUse(
    kind: "beats" | "producers",
    fields: readonly string[],
    words: readonly string[],
  ): Promise<Set<string>[]> {
    const aggs = Object.fromEntries(fields.map((field) => [field, usesOf(field, words)]));
    const query = { bool: { filter: [{ bool: { should: fields.map((field) => ({ terms: { [field]: words } })) } }] } };
    const { aggregations } = await this.#parts.cluster.search(this.#parts.indexOf(kind), {
      query,
      size: 0,
      track_total_hits: false,
      aggs,
    });
    return fields.map((field) => new Set((aggregations[field].buckets as { key: string }[]).map(({ key }) => key)));
  }
}

const usesOf = (field: string, words: readonly string[]): Clause => ({
  terms: { field, include: words, size: words.length },
});
