import { parseKey, unknownKeyCode } from "@beatmarket/foundation/music/musical-key.ts";

// Tempo and key as people write them into the names of their recordings. They are a second source next to the measured
// values. Pure.

export interface FileNameValues {
  /** "Night_drive-final.wav" gives "Night drive-final"; "Untitled" for a name without a title. */
  title: string;
  /** Beats per minute; null where the name contains none. */
  bpm: number | null;
  /** In the API's notation, such as `A minor`; null where the name contains none. */
  key: string | null;
}

const bpmAfter = /(?<![\d.,])(\d{2,3}(?:[.,]\d{1,2})?) ?bpm(?![a-z])/gi;
const bpmBefore = /(?<![a-z])bpm ?[:=]? ?(\d{2,3}(?:[.,]\d{1,2})?)(?!\d)/gi;

/** A short mode needs a capital: "am" and "em" are words. */
const keyText =
  /(?<![\p{L}\d#♯♭])(?:[A-G](?:#|♯|b|♭| ?(?:sharp|flat))? ?(?:[Mm]ajor|[Mm]aj|MAJ|MAJOR|[Mm]inor|[Mm]in|MIN|MINOR|m)|[a-g](?:#|♯|b|♭| ?(?:sharp|flat))? ?(?:major|maj|minor|min)|[a-g][#♯]m)(?![\p{L}\d#])/gu;
/** Camelot's names look like takes and versions, so they count only next to a tempo. */
const camelot = /(?<![\p{L}\d])(?:1[0-2]|[1-9])[AB](?![\p{L}\d])/gu;

const maxTitleLength = 200;
const slowest = 40;
const fastest = 250;

/** The values in a file's name. Of several the last counts, since people write them at the end. */
export function valuesOfFileName(filename: string): FileNameValues {
  const name = filename.replace(/\.[A-Za-z0-9]{1,5}$/, "");
  const words = name
    .normalize("NFKC")
    .replaceAll(/[\s_\-–—()[\]{}|+@~]+/g, " ")
    .trim();
  const named = [...words.matchAll(bpmAfter), ...words.matchAll(bpmBefore)].sort((a, b) => a.index - b.index).at(-1);
  const written = [...words.matchAll(keyText)].at(-1) ?? (named && [...words.matchAll(camelot)].at(-1));
  const bpm = tempoOf(named?.[1]) ?? (written && numberBeside(words, written));
  const title = name
    .replaceAll(/[_\s]+/g, " ")
    .trim()
    .slice(0, maxTitleLength)
    .trim();
  return {
    title: title === "" ? "Untitled" : title,
    bpm: bpm ?? null,
    key: written === undefined ? null : keyOf(written[0]),
  };
}

/** A bare number is a tempo only right before or after a key: "Cmin 92". */
function numberBeside(words: string, { 0: key, index }: RegExpExecArray): number | undefined {
  const after = /^ ?(\d{2,3}(?:[.,]\d{1,2})?)(?![\p{L}\d.,])/u.exec(words.slice(index + key.length))?.[1];
  const before = /(?<![\p{L}\d.,])(\d{2,3}(?:[.,]\d{1,2})?) ?$/u.exec(words.slice(0, index))?.[1];
  return tempoOf(after) ?? tempoOf(before);
}

function tempoOf(text: string | undefined): number | undefined {
  const bpm = Number(text?.replace(",", "."));
  return bpm >= slowest && bpm <= fastest ? bpm : undefined;
}

function keyOf(text: string): string | null {
  const { key, keyCode } = parseKey(text);
  return keyCode === unknownKeyCode ? null : key;
}
