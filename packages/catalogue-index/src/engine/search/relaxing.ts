import type { RequiredWord } from "./reading.ts";

/** A word may be a genre's whole name, a word in the name of a genre or tag, or neither. */
export type WordUse = "genre" | "partOfMusic" | "other";

const weights: Record<WordUse, number> = { other: 0, partOfMusic: 1, genre: 2 };

/** With more words, only words without any match are left out. */
const maxWords = 8;

/**
 * Yields the sets of words to leave out, best first: all words without a match; then these and one more word; then, in
 * a text of four words or more, these and two more. Frequent words say least, so they are left out first. Words of
 * genres and tags follow. Whole names of genres come last, so `uk drill` becomes drill before it becomes UK garage. At
 * least half of the words stay.
 */
export function* mostMeaningFirst(
  words: readonly RequiredWord[],
  matches: (word: RequiredWord) => number,
  use: (word: RequiredWord) => WordUse,
): Iterable<readonly RequiredWord[]> {
  const counts = new Map(words.map((word) => [word, matches(word)]));
  const unmatched = words.filter((word) => counts.get(word) === 0);
  const maxOmitted = Math.floor(words.length / 2);
  if (unmatched.length > maxOmitted) return;
  if (unmatched.length > 0) yield unmatched;
  if (words.length > maxWords) return;
  const matched = words.filter((word) => !unmatched.includes(word));
  const meaning = (omitted: readonly RequiredWord[]) =>
    omitted.reduce((sum, word) => sum - Math.log(1 + (counts.get(word) ?? 0)), 0);
  const music = (omitted: readonly RequiredWord[]) => omitted.reduce((sum, word) => sum + weights[use(word)], 0);
  for (const size of [1, 2]) {
    if (unmatched.length + size > maxOmitted) return;
    const choices = choose(matched, size).sort((a, b) => music(a) - music(b) || meaning(a) / size - meaning(b) / size);
    for (const choice of choices) yield [...unmatched, ...choice];
  }
}

function choose<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 1) return items.map((item) => [item]);
  return items.flatMap((item, index) => items.slice(index + 1).map((other) => [item, other]));
}
