import { type AnyOf, type MemberSets, Members } from "./members.ts";
import type { RequiredWord } from "./reading.ts";

/**
 * The tiers of matches, best first: an exact producer's name; an exact title; a beginning of a name, and beats of an
 * exactly named producer, genre or tag; all words in the title or name; all other matches. A smaller number of edits
 * counts more than the tier.
 */
export const tiers = { producerIs: 0, titleIs: 1, begins: 2, has: 3, elsewhere: 4 } as const;
const tierCount = 5;
export const rankOf = (edits: number, tier: number): number => edits * tierCount + tier;
/** The rank of exact names, which come before other interpretations of the text. */
export const namedRank = -1;

/** The beats, or the producers, as searchable sets. */
export interface Kind {
  sets: MemberSets;
  /** Members whose title or name has the word, or a correction of it with at most `edits` edits. */
  inName(word: RequiredWord, edits: number): AnyOf;
  /** Like `inName`, but also in the producer's name, genre or tags of a beat. */
  anywhere(word: RequiredWord, edits: number): AnyOf;
  /** `exactly`: members with one of these titles or names. `ofNamed`: beats whose producer, genre or tag has one. */
  named(wholes: readonly string[]): { exactly: Members; ofNamed: Members };
  /** Members whose title or name begins with one of these. */
  beginning(wholes: readonly string[]): Members;
  tierOfExact: number;
  /** Removes the members that do not pass the filters, and copies. */
  restrict(members: Members): Members;
  /** Like `restrict`, but without the filters of the query, and keeps copies. */
  restrictUnfiltered(members: Members): Members;
}

export interface Level {
  rank: number;
  set: Members;
}

/** The matches of a reading in one kind: their number, and their levels by rank. */
export interface Ranked {
  found: Members;
  total: number;
  levels(): Iterable<Level>;
  /** The matches without the filters of the query, and with copies. */
  unfiltered(): Members;
}

export const mostEdits = 2;

/** Returns all members that match every word, or whose whole name matches. `wholes`: the text as typed comes first. */
export function rank(kind: Kind, words: readonly RequiredWord[], wholes: readonly string[]): Ranked {
  const { sets } = kind;
  const isCorrected = words.some(({ corrections }) => corrections.length > 0);
  const edits = isCorrected ? mostEdits : 0;
  const { exactly, ofNamed } = kind.named(wholes);
  const withAll = sets.all(words.map((word) => kind.anywhere(word, edits)));
  // Numbers are exact: 1 80 is not 180.
  const isNumbers = words.every(({ typed }) => typed.kind === "number");
  const matched = isNumbers ? withAll : sets.or(sets.or(withAll, exactly), ofNamed);
  const restricted = kind.restrict(matched);
  function* levels(): Iterable<Level> {
    if (restricted.count === 0) return;
    let begins: AnyOf | undefined;
    const tiersOf = [
      [kind.tierOfExact, () => [[exactly]]],
      [
        tiers.begins,
        () => {
          begins ??= [kind.beginning(wholes), ofNamed];
          return [begins];
        },
      ],
      [tiers.has, () => words.map((word) => kind.inName(word, edits))],
    ] as const satisfies [number, () => AnyOf[]][];
    for (const [editCount, set] of isCorrected
      ? byEdits(kind, words, wholes, restricted)
      : [[0, restricted] as const]) {
      let remaining = set;
      for (const [tier, each] of tiersOf) {
        const level = each().reduce((some, anyOf) => sets.among(some, anyOf), remaining);
        yield { rank: rankOf(editCount, tier), set: level };
        remaining = sets.andNot(remaining, level);
      }
      yield { rank: rankOf(editCount, tiers.elsewhere), set: remaining };
    }
  }
  return { found: restricted, total: restricted.count, levels, unfiltered: () => kind.restrictUnfiltered(matched) };
}

/** Returns a whole set as one level. */
export function unranked(kind: Kind, matched: Members, rankOfAll: number): Ranked {
  const restricted = kind.restrict(matched);
  return {
    found: restricted,
    total: restricted.count,
    levels: () => [{ rank: rankOfAll, set: restricted }],
    unfiltered: () => kind.restrictUnfiltered(matched),
  };
}

/** Adds another result as a level of the rank `rankOfAdded`, before other levels of that rank. */
export function withLevel({ sets }: Kind, added: Ranked, rankOfAdded: number, ranked: Ranked): Ranked {
  const set = added.found;
  const union = sets.or(ranked.found, set);
  function* levels(): Iterable<Level> {
    let isYielded = false;
    for (const level of ranked.levels()) {
      if (!isYielded && level.rank >= rankOfAdded) {
        isYielded = true;
        yield { rank: rankOfAdded, set };
      }
      yield { rank: level.rank, set: sets.andNot(level.set, set) };
    }
    if (!isYielded) yield { rank: rankOfAdded, set };
  }
  return {
    found: union,
    total: union.count,
    levels,
    unfiltered: () => sets.or(ranked.unfiltered(), added.unfiltered()),
  };
}

/** Joins two results; a member of both has its better rank. */
export function joined({ sets }: Kind, one: Ranked, other: Ranked): Ranked {
  const union = sets.or(one.found, other.found);
  function* levels(): Iterable<Level> {
    const waiting = [[...one.levels()], [...other.levels()]].flat().sort((a, b) => a.rank - b.rank);
    let remaining = union;
    for (const { rank, set } of waiting) {
      const level = sets.and(remaining, set);
      yield { rank, set: level };
      remaining = sets.andNot(remaining, level);
    }
  }
  return { found: union, total: union.count, levels, unfiltered: () => sets.or(one.unfiltered(), other.unfiltered()) };
}

/** Moves a result after all matches as typed, as if it had one edit more. */
export const lowered = (ranked: Ranked): Ranked => ({
  ...ranked,
  levels: () => Array.from(ranked.levels(), (level) => ({ rank: level.rank + tierCount, set: level.set })),
});

/** Yields the matches by their number of edits from the typed text, fewest first. */
function* byEdits(
  kind: Kind,
  words: readonly RequiredWord[],
  wholes: readonly string[],
  found: Members,
): Iterable<[edits: number, set: Members]> {
  const { sets } = kind;
  const { exactly, ofNamed } = kind.named(wholes.slice(0, 1));
  const withAll = sets.all(words.map((word) => kind.anywhere(word, 0)));
  const corrected = words
    .filter(({ corrections }) => corrections.length > 0)
    .map((word) => [kind.anywhere(word, 0), kind.anywhere(word, 1)] as const);
  const asTyped = sets.among(found, [withAll, exactly, ofNamed]);
  let remaining = sets.andNot(found, asTyped);
  for (let edits = 0; edits === 0 || remaining.count > 0; edits++) {
    const within = withinEdits(sets, remaining, corrected, edits);
    const set = edits === 0 ? sets.or(asTyped, within) : within;
    if (set.count > 0) yield [edits, set];
    remaining = sets.andNot(remaining, within);
  }
}

/**
 * Returns the members that have the words with at most `edits` edits together. `words`: the sets of each word as typed,
 * and with one edit; members in neither need two.
 */
function withinEdits(
  sets: MemberSets,
  members: Members,
  words: readonly (readonly [asTyped: AnyOf, withOne: AnyOf])[],
  edits: number,
): Members {
  const [word, ...others] = words;
  if (word === undefined || members.isEmpty || edits >= mostEdits * words.length) return members;
  // The sets of the last word are of at most that many edits.
  if (others.length === 0) return sets.among(members, edits === 0 ? word[0] : word[1]);
  let remaining = members;
  let within = Members.none;
  for (const [needed, having] of word.entries()) {
    if (needed > edits) return within;
    const some = sets.among(remaining, having);
    within = sets.or(within, withinEdits(sets, some, others, edits - needed));
    remaining = sets.andNot(remaining, some);
  }
  return edits < mostEdits ? within : sets.or(within, withinEdits(sets, remaining, others, edits - mostEdits));
}
