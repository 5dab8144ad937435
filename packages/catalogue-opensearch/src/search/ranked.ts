import { mostEdits, rankOf, tiers } from "@beatmarket/catalogue-index/engine/search/ranked.ts";
import type { RequiredWord } from "@beatmarket/catalogue-index/engine/search/reading.ts";
import type { Clause } from "../cluster/cluster.ts";
import { allOf, anyOf, type Kind } from "./kinds.ts";

/**
 * A query whose scores are `best` minus the rank of a match, plus a fraction that sorts the matches of one rank. Scores
 * are sums and maxima of small multiples of 1/64, so they are exact.
 */
export interface Ranked {
  kind: Kind;
  scored: Clause;
}

const best = 1_000;
/** Within a rank, the matches that `withMatchesAt` adds come first, then the matches of earlier spellings. */
const before = 0.5;
const beforeNextSpelling = 1 / 64;
const tierCount = rankOf(1, 0);

export const rankOfScore = (score: number): number => Math.ceil(best - score);

const constant = (filter: Clause, boost: number): Clause => ({ constant_score: { filter, boost } });
const greatest = (queries: readonly Clause[]): Clause =>
  queries.length === 0 ? { match_none: {} } : { dis_max: { queries } };

/** One of several spellings whose matches are joined. */
export interface Spelling {
  /** The place among the spellings: 0 to 31. */
  place: number;
  /** Whether the matches rank as if they had one edit more. */
  isLowered: boolean;
}

const asTyped: Spelling = { place: 0, isLowered: false };

/** Ranks the beats or producers that match every word, or whose whole name matches. */
export function rank(
  kind: Kind,
  words: readonly RequiredWord[],
  wholes: readonly string[],
  { place, isLowered } = asTyped,
): Ranked {
  const fraction = before - (place + 1) * beforeNextSpelling;
  const top = best - tiers.elsewhere - (isLowered ? tierCount : 0) + fraction;
  const corrected = words.filter(({ corrections }) => corrections.length > 0);
  const edits = corrected.length > 0 ? mostEdits : 0;
  const all = words.length === 0 ? [] : [withAll(kind, words, corrected, top)];
  // Numbers are exact: 1 80 is not 180.
  const isNumbers = words.every(({ typed }) => typed.kind === "number");
  const typed = wholes.slice(0, 1);
  const named = isNumbers
    ? []
    : [
        constant(anyOf([kind.exactly(typed), kind.ofNamed(typed)]), top),
        ...(wholes.length > 1 ? [constant(anyOf([kind.exactly(wholes), kind.ofNamed(wholes)]), top - tierCount)] : []),
      ];
  const inNames = allOf(words.map((word) => anyOf(editsUpTo(edits).map((each) => kind.inName(word, each)))));
  const tier = greatest([
    constant(kind.exactly(wholes), tiers.elsewhere - kind.tierOfExact),
    constant(anyOf([kind.beginning(wholes), kind.ofNamed(wholes)]), tiers.elsewhere - tiers.begins),
    constant(inNames, tiers.elsewhere - tiers.has),
  ]);
  return { kind, scored: { bool: { must: [greatest([...all, ...named])], should: [tier] } } };
}

/** Matches all words. Each corrected word adds points: the fewer edits, the more points. */
function withAll(kind: Kind, words: readonly RequiredWord[], corrected: readonly RequiredWord[], top: number): Clause {
  const exact = words.filter((word) => !corrected.includes(word)).map((word) => kind.anywhere(word, 0));
  const points = (edits: number): number => (mostEdits - edits) * tierCount;
  const scored = corrected.map((word) =>
    greatest(editsUpTo(mostEdits).map((edits) => constant(kind.anywhere(word, edits), points(edits)))),
  );
  const base = constant({ match_all: {} }, top - corrected.length * points(0));
  return { bool: { filter: exact, must: [...scored, base] } };
}

const editsUpTo = (max: number): number[] => Array.from({ length: max + 1 }, (_, edits) => edits);

/** Gives all matches of a clause the same rank. */
export const unranked = (kind: Kind, matched: Clause, atRank: number): Ranked => ({
  kind,
  scored: constant(matched, best - atRank),
});

/** Adds the matches of a clause before the other matches of a rank. */
export const withMatchesAt = (added: Clause, atRank: number, { kind, scored }: Ranked): Ranked => ({
  kind,
  scored: greatest([scored, constant(added, best - atRank + before)]),
});

/** Joins two results. A hit that is in both results gets the better of its two ranks. */
export const joined = (one: Ranked, other: Ranked): Ranked => ({
  kind: one.kind,
  scored: greatest([one.scored, other.scored]),
});
