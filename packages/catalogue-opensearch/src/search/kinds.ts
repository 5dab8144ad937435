import { tiers } from "@beatmarket/catalogue-index/engine/search/ranked.ts";
import type { RequiredWord } from "@beatmarket/catalogue-index/engine/search/reading.ts";
import type { BeatFilters } from "@beatmarket/catalogue-index/query.ts";
import type { Clause } from "../cluster/cluster.ts";
import type { NameDocument } from "../cluster/documents.ts";
import { filtersOf } from "../list/filters.ts";

/** The fields for a text of a document: one for its words, and one for the whole text. */
interface TextField {
  words: string;
  whole: string;
}

const title: TextField = { words: "title", whole: "whole" };
const producerName: TextField = { words: "name", whole: "name_whole" };
const tag: TextField = { words: "tag", whole: "tag_whole" };
const name: TextField = { words: "word", whole: "whole" };

export const anyOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 0 ? { match_none: {} } : { bool: { should: clauses, minimum_should_match: 1 } };
export const allOf = (clauses: readonly Clause[]): Clause => ({ bool: { filter: clauses } });

/** How to search beats, or producers. */
export interface Kind {
  index: "beats" | "producers";
  tierOfExact: number;
  /** Filters that the text implies, in addition to the query's filters. */
  impliedFilters: Clause[];
  /** Matches titles or names with the word: as typed (0 edits), or a correction with exactly that many edits. */
  inName(word: RequiredWord, edits: number): Clause;
  /** Like `inName`, and for beats also in the producer's name, the genre or the tags. */
  anywhere(word: RequiredWord, edits: number): Clause;
  exactly(wholes: readonly string[]): Clause;
  /** Matches the beats of a producer, genre or tag with one of these names. */
  ofNamed(wholes: readonly string[]): Clause;
  beginning(wholes: readonly string[]): Clause;
}

const ofWholes = ({ whole }: TextField, wholes: readonly string[]): Clause => ({ terms: { [whole]: wholes } });

const beginning = ({ whole }: TextField, wholes: readonly string[]): Clause =>
  anyOf(wholes.map((value) => ({ prefix: { [whole]: value } })));

function wordIn(
  { words, whole }: TextField,
  { typed, isUnfinished, corrections }: RequiredWord,
  edits: number,
): Clause {
  if (edits > 0)
    return { terms: { [words]: corrections.filter((each) => each.edits === edits).map(({ word }) => word) } };
  const { kind, text } = typed;
  if (kind === "character" || (isUnfinished && kind === "word")) return { prefix: { [words]: text } };
  if (!("pairs" in typed)) return { term: { [words]: text } };
  const pairs = typed.pairs.map((pair) => ({ term: { [words]: pair } }));
  return allOf(pairs.length === 1 ? pairs : [...pairs, { wildcard: { [whole]: `*${text}*` } }]);
}

export const producerKind: Kind = {
  index: "producers",
  tierOfExact: tiers.producerIs,
  impliedFilters: [],
  inName: (word, edits) => wordIn(name, word, edits),
  anywhere: (word, edits) => wordIn(name, word, edits),
  exactly: (wholes) => ofWholes(name, wholes),
  ofNamed: () => ({ match_none: {} }),
  beginning: (wholes) => beginning(name, wholes),
};

export function beatKind(genres: readonly NameDocument[]): Kind {
  const ofGenres = (fits: (genre: NameDocument) => boolean): Clause => ({
    terms: { genre: genres.filter(fits).map(({ id }) => id) },
  });
  return {
    index: "beats",
    tierOfExact: tiers.titleIs,
    impliedFilters: [],
    inName: (word, edits) => wordIn(title, word, edits),
    anywhere: (word, edits) =>
      anyOf([
        ...[title, producerName, tag].map((field) => wordIn(field, word, edits)),
        ofGenres((genre) => hasWord(genre, word, edits)),
      ]),
    exactly: (wholes) => ofWholes(title, wholes),
    ofNamed: (wholes) =>
      anyOf([
        ...[producerName, tag].map((field) => ofWholes(field, wholes)),
        ofGenres(({ whole }) => wholes.includes(whole)),
      ]),
    beginning: (wholes) => beginning(title, wholes),
  };
}

/** Limits a kind to the beats that pass these filters. */
export const only = (kind: Kind, filters: BeatFilters): Kind => ({
  ...kind,
  impliedFilters: filtersOf(filters).map(({ clause }) => clause),
});

function hasWord(
  { word: words, whole }: NameDocument,
  { typed, isUnfinished, corrections }: RequiredWord,
  edits: number,
): boolean {
  if (edits > 0) return corrections.some((each) => each.edits === edits && words.includes(each.word));
  const { kind, text } = typed;
  if (kind === "character" || (isUnfinished && kind === "word")) return words.some((word) => word.startsWith(text));
  return "pairs" in typed ? whole.includes(text) : words.includes(text);
}
