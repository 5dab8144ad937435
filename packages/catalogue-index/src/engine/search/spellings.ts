import { type QueryWord, readQuery } from "@beatmarket/foundation/text/search-words.ts";

/**
 * Short names of genres, and their full spelling. Source: the first sentences of their articles in the English
 * Wikipedia (Contemporary R&B, Drum and bass, Hip-hop, Lo-fi music, Trip hop, UK garage).
 */
const genreNames = new Map(
  Object.entries({
    rnb: "r&b",
    dnb: "drum & bass",
    drumnbass: "drum & bass",
    hiphop: "hip hop",
    lofi: "lo fi",
    triphop: "trip hop",
    ukg: "uk garage",
  }).map(([name, words]) => [name, readQuery(words)]),
);

const minSplitLength = 4;
const maxSplitLength = 24;

const word = (text: string): QueryWord => ({ kind: "word", text });

/** Whether it is a short name of a genre. */
export const isGenreName = (text: string): boolean => genreNames.has(text);

/** Replaces short names of genres by their full spelling; null if the text has none. */
export function withGenreWords(typed: readonly QueryWord[]): QueryWord[] | null {
  if (!typed.some(({ kind, text }) => kind === "word" && genreNames.has(text))) return null;
  return typed.flatMap((one) => (one.kind === "word" ? (genreNames.get(one.text) ?? one) : one));
}

/** Divides one word, for each way in which both parts are words in use: jayz is jay z. */
export function dividedWords(typed: readonly QueryWord[], isInUse: (word: string) => boolean): QueryWord[][] {
  return typed.flatMap((one, place) => {
    const { kind, text } = one;
    if (kind !== "word" || text.length < minSplitLength || text.length > maxSplitLength) return [];
    return Array.from({ length: text.length - 1 }, (_, index) => [text.slice(0, index + 1), text.slice(index + 1)])
      .filter((parts) => parts.every(isInUse))
      .map((parts) => typed.toSpliced(place, 1, ...parts.map(word)));
  });
}
