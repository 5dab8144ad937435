import { isCorrectable, type QueryWord } from "@beatmarket/foundation/text/search-words.ts";

/** Only this many words are corrected: a longer text was probably pasted, not typed. */
const maxCorrectedWords = 8;
const maxCorrectionsOfWord = 50;
/** Maximum combinations of corrections that are compared with whole titles and names. */
const maxWholes = 50;

/** A word of the catalogue that a typed word may mean. */
export interface Correction {
  word: string;
  edits: number;
}

/** Corrections by typed word; fewest edits first. */
export type Corrections = ReadonlyMap<string, readonly Correction[]>;

/** A typed word that has to match. */
export interface RequiredWord {
  typed: QueryWord;
  /** Whether it is the last word, so that it may be the beginning of a word. */
  isUnfinished: boolean;
  /** Equal for words that have the same matches as typed. */
  key: string;
  corrections: readonly Correction[];
}

/** The words and the whole texts to search for. */
export interface Reading {
  words: readonly RequiredWord[];
  /** The whole text without spaces, then with each combination of corrections, fewest edits first. */
  wholes: readonly string[];
}

/**
 * Returns the words to search for. Ampersands are read as an optional "and". `isLastUnfinished` says whether `typed`
 * includes the end of the text.
 */
export function readingOf(typed: readonly QueryWord[], corrections: Corrections, isLastUnfinished: boolean): Reading {
  const required = typed.filter(({ kind }) => kind !== "ampersand");
  return {
    words: required.map((word) => {
      const isUnfinished = isLastUnfinished && word === required.at(-1);
      const key = `${isUnfinished} ${word.kind} ${word.text}`;
      return { typed: word, isUnfinished, key, corrections: corrections.get(word.text) ?? [] };
    }),
    wholes: wholesOf(typed.map(({ text }) => ({ text, corrections: corrections.get(text) ?? [] }))),
  };
}

/** Returns the typed words that may contain typing errors. */
export function correctableOf(typed: readonly QueryWord[]): string[] {
  const words = typed.filter(({ kind, text }) => kind === "word" && isCorrectable(text)).map(({ text }) => text);
  return Array.from(new Set(words)).slice(0, maxCorrectedWords);
}

/**
 * Returns the nearest of the words with one or two edits that are in use. Of equally near words, those with the same
 * first letter come first, since the first letter is seldom mistyped.
 */
export function nearest(typed: string, near: Correction[], isInUse: (word: string) => boolean): Correction[] {
  const places: Correction[][] = [[], [], [], []];
  for (const correction of near)
    places[2 * (correction.edits - 1) + Number(typed[0] !== correction.word[0])]?.push(correction);
  const inUse: Correction[] = [];
  for (const corrections of places)
    for (const correction of corrections) {
      if (inUse.length === maxCorrectionsOfWord) return inUse;
      if (isInUse(correction.word)) inUse.push(correction);
    }
  return inUse;
}

/** Returns the whole texts that result from each word as typed or corrected; fewest edits first. */
export function wholesOf(words: readonly { text: string; corrections: readonly Correction[] }[]): string[] {
  if (words.every(({ corrections }) => corrections.length === 0)) return [words.map(({ text }) => text).join("")];
  let wholes: Correction[] = [{ word: "", edits: 0 }];
  for (const { text, corrections } of words) {
    wholes = combined(wholes, [{ word: text, edits: 0 }, ...corrections]);
  }
  return Array.from(new Set(wholes.map(({ word }) => word)));
}

/**
 * Returns the combinations with the fewest edits. Most combinations are never built: eight words may have fifty
 * corrections each.
 */
function combined(wholes: readonly Correction[], readings: readonly Correction[]): Correction[] {
  const maxEdits = Math.max(...wholes.map(({ edits }) => edits)) + Math.max(...readings.map(({ edits }) => edits));
  const corrections: Correction[] = [];
  for (let edits = 0; edits <= maxEdits; edits++)
    for (const whole of wholes)
      for (const reading of readings) {
        if (whole.edits + reading.edits !== edits) continue;
        corrections.push({ word: whole.word + reading.word, edits });
        if (corrections.length === maxWholes) return corrections;
      }
  return corrections;
}
