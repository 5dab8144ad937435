import type { ShownBeat } from "./html/beats.ts";

/** Searches of every kind that find one of these beats: tempo and key, genre and tempi, a producer, a typing error. */
export function triesOf(beats: readonly ShownBeat[]): string[] {
  const inKey = beats.find(({ key }) => key !== "");
  const [first] = beats;
  const inGenre = beats.find(({ genre }) => genre.id !== first?.genre.id) ?? first;
  const titled = beats.map(({ title }) => /^[A-Za-z]{6,}/.exec(title)?.[0]).find((word) => word !== undefined);
  return [
    ...(inKey === undefined ? [] : [`${inKey.bpm} bpm ${inKey.key}`]),
    ...(inGenre === undefined ? [] : [`${inGenre.genre.name} ${Math.max(1, inGenre.bpm - 5)}-${inGenre.bpm + 5} bpm`]),
    ...(titled === undefined ? [] : [mistyped(titled)]),
  ].map((text) => text.toLowerCase());
}

/** With two letters in the middle exchanged. */
function mistyped(word: string): string {
  const at = Math.floor(word.length / 2);
  return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
}
