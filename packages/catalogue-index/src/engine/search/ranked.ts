import { type AnyOf, hasAny, type MemberSets, type Members } from "./members.ts";
import type { RequiredWord } from "./reading.ts";

/**
 * How well a match fits what was typed, lowest best: edits, then the kind of match. A producer of exactly that name, a
 * title of exactly that, then what begins with it and beats of a producer, genre or tag so named, all words in the title,
 * the rest.
 */
export const tiers = { producerIs: 0, titleIs: 1, begins: 2, has: 3, elsewhere: 4 } as const;
const tierCount = 5;
export const rankOf = (edits: number, tier: number): number => edits * tierCount + tier;
/** What is named exactly so comes before what the text means otherwise. */
export const namedRank = -1;

/** The beats, or the producers, as they are searched. */
export interface Kind {
  sets: MemberSets;
  /** Whose title, or name, has the word or a correction of at most so many edits. */
  inName(word: RequiredWord, edits: number): AnyOf;
  /** Also in the producer's name, genre or tags of a beat. */
  anywhere(word: RequiredWord, edits: number): AnyOf;
  /** Whose title or name is one of these; beats of a producer, genre or tag so named. */
  named(wholes: readonly string[]): { exactly: Members; ofNamed: Members };
  beginning(wholes: readonly string[]): Members;
  tierOfExact: number;
  /** Without what does not pass the filters, or is a copy. */
  restrict(found: Members): Members;
  /** As `restrict`, but for the filters of the query, and with copies. */
  restrictUnfiltered(found: Members): Members;
}

export interface Level {
  rank: number;
  set: Members;
}

/** What a reading finds of a kind: how many, and by rank. */
export interface Ranked {
  found: Members;
  total: number;
  levels(): Iterable<Level>;
  /** What it would find without the filters of the query, and with copies. */
  unfiltered(): Members;
}

const mostEdits = 2;

/** All that match every word, or are named so as a whole. `wholes`: what was typed first. */
export function rank(kind: Kind, words: readonly RequiredWord[], wholes: readonly string[]): Ranked {
  const { sets } = kind;
  const isCorrected = words.some(({ corrections }) => corrections.length > 0);
  const edits = isCorrected ? mostEdits : 0;
  const { exactly, ofNamed } = kind.named(wholes);
  const withAll = sets.all(words.map((word) => kind.anywhere(word, edits)));
  // Numbers are exact: 1 80 is not 180.
  const isNumbers = words.every(({ typed }) => typed.kind === "number");
  const matched = isNumbers ? withAll : sets.or(sets.or(withAll, exactly), ofNamed);
  const found = kind.restrict(matched);
  function* levels(): Iterable<Level> {
    if (found.count === 0) return;
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
    for (const [of, set] of isCorrected ? byEdits(kind, words, wholes, found) : [[0, found] as const]) {
      let left = set;
      for (const [tier, each] of tiersOf) {
        const level = each().reduce((some, anyOf) => sets.among(some, anyOf), left);
        yield { rank: rankOf(of, tier), set: level };
        left = sets.andNot(left, level);
      }
      yield { rank: rankOf(of, tiers.elsewhere), set: left };
    }
  }
  return { found, total: found.count, levels, unfiltered: () => kind.restrictUnfiltered(matched) };
}

/** Everything in a set, as one level. */
export function unranked(kind: Kind, matched: Members, of: number): Ranked {
  const found = kind.restrict(matched);
  return {
    found,
    total: found.count,
    levels: () => [{ rank: of, set: found }],
    unfiltered: () => kind.restrictUnfiltered(matched),
  };
}

/** Adds what another finds as a level of the rank, before others of that rank. */
export function beside({ sets }: Kind, added: Ranked, of: number, ranked: Ranked): Ranked {
  const set = added.found;
  const found = sets.or(ranked.found, set);
  function* levels(): Iterable<Level> {
    let isOut = false;
    for (const level of ranked.levels()) {
      if (!isOut && level.rank >= of) {
        isOut = true;
        yield { rank: of, set };
      }
      yield { rank: level.rank, set: sets.andNot(level.set, set) };
    }
    if (!isOut) yield { rank: of, set };
  }
  return { found, total: found.count, levels, unfiltered: () => sets.or(ranked.unfiltered(), added.unfiltered()) };
}

/** What either finds, each at its better rank. */
export function joined({ sets }: Kind, one: Ranked, other: Ranked): Ranked {
  const found = sets.or(one.found, other.found);
  function* levels(): Iterable<Level> {
    const waiting = [[...one.levels()], [...other.levels()]].flat().sort((a, b) => a.rank - b.rank);
    let left = found;
    for (const { rank: of, set } of waiting) {
      const level = sets.and(left, set);
      yield { rank: of, set: level };
      left = sets.andNot(left, level);
    }
  }
  return { found, total: found.count, levels, unfiltered: () => sets.or(one.unfiltered(), other.unfiltered()) };
}

/** The same, but after all that was named as typed: as if by one edit more. */
export const lowered = (ranked: Ranked): Ranked => ({
  ...ranked,
  levels: () => Array.from(ranked.levels(), ({ rank: of, set }) => ({ rank: of + tierCount, set })),
});

/** The matches with each number of edits between them and what was typed, fewest first. */
function byEdits(
  kind: Kind,
  words: readonly RequiredWord[],
  wholes: readonly string[],
  found: Members,
): [edits: number, set: Members][] {
  const { sets } = kind;
  const { exactly, ofNamed } = kind.named(wholes.slice(0, 1));
  const withAll = sets.all(words.map((word) => kind.anywhere(word, 0)));
  const asTyped = sets.among(found, [withAll, exactly, ofNamed]);
  const corrected = words
    .filter(({ corrections }) => corrections.length > 0)
    .map((word) => [kind.anywhere(word, 0), kind.anywhere(word, 1)] as const);
  const others: number[][] = [];
  for (const member of sets.andNot(found, asTyped).slots()) {
    let edits = 0;
    for (const [typed, nearly] of corrected)
      if (!hasAny(typed, member)) edits += hasAny(nearly, member) ? 1 : mostEdits;
    others[edits] ??= [];
    (others[edits] as number[]).push(member);
  }
  const levels: [number, Members][] = [];
  for (let edits = 0; edits < Math.max(1, others.length); edits++) {
    const members = others[edits];
    const set = sets.gather((gathered) => {
      for (const member of members ?? []) gathered.add(member);
    });
    const all = edits === 0 ? sets.or(asTyped, set) : set;
    if (all.count > 0) levels.push([edits, all]);
  }
  return levels;
}
