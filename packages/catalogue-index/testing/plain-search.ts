import { foldWhole, indexedText, readQuery } from "@beatmarket/foundation/text/search-words.ts";
import type { BeatEntry, GenreEntry, ProducerEntry } from "../src/entry.ts";
import type { SearchHit } from "../src/query.ts";

interface Ranked extends SearchHit {
  tier: number;
  popularity: number;
}

/**
 * Everything that a text finds as typed, best first, by visiting every beat and producer. Only for letters and digits.
 */
export function plainSearch(
  text: string,
  beats: readonly BeatEntry[],
  producers: ReadonlyMap<number, ProducerEntry>,
  genres: ReadonlyMap<number, GenreEntry>,
): SearchHit[] {
  const typed = readQuery(text).map((word) => word.text);
  const whole = typed.join("");
  // Numbers are exact: "1 80" is not "180".
  const isNumbers = typed.every((word) => /^\d+$/.test(word));
  const wholeOf = (one: string) => indexedText(one).whole;
  const has = (word: string, isLast: boolean, texts: readonly string[]) =>
    (isRun(word) && texts.some((one) => wholeOf(one).includes(word))) ||
    texts
      .flatMap((one) => indexedText(one).words)
      .some((other) => (isLast && !/^\d+$/.test(word) ? other.startsWith(word) : other === word));
  const hasAll = (texts: readonly string[]) =>
    typed.every((word, index) => has(word, index === typed.length - 1, texts));
  const popularity = (key: number, keys: readonly number[]) => Math.log(1 + key) / Math.log(2 + Math.max(0, ...keys));
  const rank = (name: string, exact: number, others: readonly string[], anywhere: readonly string[]) => {
    if (!hasAll([name, ...anywhere]) && (isNumbers || ![name, ...others].some((one) => wholeOf(one) === whole)))
      return null;
    if (wholeOf(name) === whole) return exact;
    if (wholeOf(name).startsWith(whole) || others.some((one) => wholeOf(one) === whole)) return 2;
    return hasAll([name]) ? 3 : 4;
  };
  const beatKeys = beats.map(({ popularityKey }) => popularityKey);
  const producerKeys = Array.from(producers.values(), ({ popularityKey }) => popularityKey);
  const found: Ranked[] = [];
  const ranked = new Map<BeatEntry, number>();
  for (const beat of beats) {
    const others = [producers.get(beat.producerId)?.name, genres.get(beat.genreId)?.name, ...beat.tags];
    const named = others.filter((one) => one !== undefined);
    const tier = rank(beat.title, 1, named, named);
    if (tier !== null) ranked.set(beat, tier);
  }
  for (const [beat, tier] of ranked)
    if (!Array.from(ranked.keys()).some((other) => isBetterCopy(other, beat)))
      found.push({ kind: "beat", id: beat.id, tier, popularity: popularity(beat.popularityKey, beatKeys) });
  for (const { id, name, popularityKey } of producers.values()) {
    const tier = rank(name, 0, [], []);
    if (tier !== null) found.push({ kind: "producer", id, tier, popularity: popularity(popularityKey, producerKeys) });
  }
  found.sort(
    (a, b) =>
      a.tier - b.tier ||
      b.popularity - a.popularity ||
      Number(b.kind === "producer") - Number(a.kind === "producer") ||
      b.id - a.id,
  );
  return found.map(({ kind, id }) =>
    kind === "beat" ? { kind, id } : { kind, id, genres: genresOf(id, beats, genres) },
  );
}

/** The producer's genres, most used first, then by name. */
function genresOf(producerId: number, beats: readonly BeatEntry[], genres: ReadonlyMap<number, GenreEntry>): number[] {
  const counts = new Map<number, number>();
  for (const beat of beats)
    if (beat.producerId === producerId) counts.set(beat.genreId, (counts.get(beat.genreId) ?? 0) + 1);
  const nameOf = (id: number) => genres.get(id)?.name ?? "";
  return Array.from(counts)
    .sort(([a], [b]) => (nameOf(a) === nameOf(b) ? a - b : nameOf(a) < nameOf(b) ? -1 : 1))
    .sort(([, a], [, b]) => b - a)
    .map(([id]) => id);
}

/** Whether the word is of a script without spaces. */
const isRun = (word: string): boolean => /[^\p{Script=Latin}\p{N}]/u.test(word);

const isBetterCopy = (other: BeatEntry, beat: BeatEntry): boolean =>
  other.producerId === beat.producerId &&
  foldWhole(other.title) === foldWhole(beat.title) &&
  (other.popularityKey - beat.popularityKey || other.id - beat.id) > 0;
