import type { Bitmap } from "../columns/bitmap.ts";
import type { RequiredWord } from "./reading.ts";
import type { ScratchBitmaps } from "./scratch-bitmaps.ts";

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

/** The beats, or the producers, as they are searched. Sets are not to be changed by who gets them, but for `named`. */
export interface Kind {
  size: number;
  sets: ScratchBitmaps;
  /** Whose title, or name, has the word or a correction of at most so many edits; a new set for each word. */
  inName(word: RequiredWord, edits: number): Bitmap;
  /** Also in the producer's name, genre or tags of a beat. */
  anywhere(word: RequiredWord, edits: number): Bitmap;
  /** Whose title or name is one of these; beats of a producer, genre or tag so named. */
  named(wholes: readonly string[]): { exactly: Bitmap; ofNamed: Bitmap | null };
  beginning(wholes: readonly string[]): Bitmap;
  tierOfExact: number;
  /** Leaves out what is not listed, does not pass the filters, or is a copy. */
  restrict(found: Bitmap): void;
  /** As `restrict`, but for the filters of the query. */
  restrictUnfiltered(found: Bitmap): void;
}

export interface Level {
  rank: number;
  set: Bitmap;
}

/** What a reading finds of a kind: how many, and by rank. */
export interface Ranked {
  found: Bitmap;
  total: number;
  levels(): Iterable<Level>;
  /** What it would find without the filters of the query. */
  unfiltered(): Bitmap;
}

const mostEdits = 2;

/** All that match every word, or are named so as a whole. `wholes`: what was typed first. */
export function rank(kind: Kind, words: readonly RequiredWord[], wholes: readonly string[]): Ranked {
  const isCorrected = words.some(({ corrections }) => corrections.length > 0);
  const edits = isCorrected ? mostEdits : 0;
  const { exactly, ofNamed } = kind.named(wholes);
  const found = all(
    kind,
    words.map((word) => kind.anywhere(word, edits)),
  );
  // Numbers are exact: 1 80 is not 180.
  if (words.some(({ typed }) => typed.kind !== "number")) {
    found.or(exactly);
    if (ofNamed !== null) found.or(ofNamed);
  }
  const matched = kind.sets.copy(found);
  kind.restrict(found);
  const total = found.count();
  function* levels(): Iterable<Level> {
    if (total === 0) return;
    const begins = kind.beginning(wholes);
    if (ofNamed !== null) begins.or(ofNamed);
    const has = all(
      kind,
      words.map((word) => kind.inName(word, edits)),
    );
    for (const [of, set] of isCorrected ? byEdits(kind, words, wholes, found) : [[0, found] as const]) {
      const left = kind.sets.copy(set);
      for (const [tier, matches] of [
        [kind.tierOfExact, exactly],
        [tiers.begins, begins],
        [tiers.has, has],
      ] as const) {
        const level = kind.sets.copy(left).and(matches);
        left.andNot(matches);
        yield { rank: rankOf(of, tier), set: level };
      }
      yield { rank: rankOf(of, tiers.elsewhere), set: left };
    }
  }
  const unfiltered = () => {
    kind.restrictUnfiltered(matched);
    return matched;
  };
  return { found, total, levels, unfiltered };
}

/** Everything in a set, as one level. */
export function unranked(kind: Kind, matched: Bitmap, of: number): Ranked {
  const found = kind.sets.copy(matched);
  kind.restrict(found);
  const unfiltered = () => {
    kind.restrictUnfiltered(matched);
    return matched;
  };
  return { found, total: found.count(), levels: () => [{ rank: of, set: found }], unfiltered };
}

/** The matches with each number of edits between them and what was typed, fewest first. */
function byEdits(
  kind: Kind,
  words: readonly RequiredWord[],
  wholes: readonly string[],
  found: Bitmap,
): [edits: number, set: Bitmap][] {
  const { exactly, ofNamed } = kind.named(wholes.slice(0, 1));
  const asTyped = all(
    kind,
    words.map((word) => kind.anywhere(word, 0)),
  ).or(exactly);
  if (ofNamed !== null) asTyped.or(ofNamed);
  asTyped.and(found);
  const sets: Bitmap[] = [asTyped];
  const corrected = words.filter(({ corrections }) => corrections.length > 0);
  const atMost = [0, 1].map((edits) => corrected.map((word) => kind.anywhere(word, edits)));
  found.forEach((member) => {
    if (asTyped.has(member)) return;
    let edits = 0;
    for (let at = 0; at < corrected.length; at++)
      if (!atMost[0]?.[at]?.has(member)) edits += atMost[1]?.[at]?.has(member) ? 1 : mostEdits;
    const set = sets[edits] ?? kind.sets.empty(kind.size);
    sets[edits] = set;
    set.add(member);
  });
  return sets.flatMap((set, edits) => (set === undefined ? [] : [[edits, set] as [number, Bitmap]]));
}

/** What all sets have; a new set. */
function all(kind: Kind, sets: readonly Bitmap[]): Bitmap {
  const [first, ...others] = sets;
  const both = first === undefined ? kind.sets.empty(kind.size) : kind.sets.copy(first);
  for (const other of others) both.and(other);
  return both;
}
