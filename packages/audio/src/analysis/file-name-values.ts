import { parseKey, unknownKeyCode } from "@beatmarket/foundation/music/musical-key.ts";

// Reads tempo and key from the names of recordings. They are a second source besides the measured values. Pure.

export interface FileNameValues {
  /**
   * For example "Night drive-final" for "Night_drive-final.wav", and "Night Drive" for "Night Drive 140bpm Am.wav". For
   * a name of only spaces and underscores, "Untitled".
   */
  title: string;
  /** Beats per minute. Null if the name contains no tempo. */
  bpm: number | null;
  /** The key in the API's notation, such as `A minor`. Null if the name contains no key. */
  key: string | null;
}

const bpmAfter = /(?<![\d.,])(\d{2,3}(?:[.,]\d{1,2})?) ?bpm(?![a-z])/gi;
const bpmBefore = /(?<![a-z])bpm ?[:=]? ?(\d{2,3}(?:[.,]\d{1,2})?)(?!\d)/gi;

/** Matches a key. The mode "m" needs a capital letter or a sharp before it, because "am" and "em" are words. */
const keyText =
  /(?<![\p{L}\d#♯♭])(?:[A-G](?:#|♯|b|♭| ?(?:sharp|flat))? ?(?:[Mm]ajor|[Mm]aj|MAJ|MAJOR|[Mm]inor|[Mm]in|MIN|MINOR|m)|[a-g](?:#|♯|b|♭| ?(?:sharp|flat))? ?(?:major|maj|minor|min)|[a-g][#♯]m)(?![\p{L}\d#])/gu;
/** Matches a Camelot name. It counts only together with a tempo, because takes and versions look the same. */
const camelot = /(?<![\p{L}\d])(?:1[0-2]|[1-9])[AB](?![\p{L}\d])/gu;

const maxTitleLength = 200;
/** The maximum length of the text from which a title is made, so that long names do not take long. */
const maxNameLength = 1_000;
const slowest = 40;
const fastest = 250;

/** Returns the values in a file's name. The last of several values counts, because people write values at the end. */
export function valuesOfFileName(filename: string): FileNameValues {
  const name = filename.replace(/\.[A-Za-z0-9]{1,5}$/, "");
  const words = name
    .normalize("NFKC")
    .replaceAll(/[\s_\-–—()[\]{}|+@~]+/g, " ")
    .trim();
  const tempoMatch = [...words.matchAll(bpmAfter), ...words.matchAll(bpmBefore)]
    .sort((a, b) => a.index - b.index)
    .at(-1);
  const keyMatch = [...words.matchAll(keyText)].at(-1) ?? (tempoMatch && [...words.matchAll(camelot)].at(-1));
  const bpm = tempoOf(tempoMatch?.[1]) ?? (keyMatch && tempoNextTo(words, keyMatch));
  return {
    title: titleOf(name, bpm === undefined ? null : { key: keyMatch?.[0], isBare: tempoMatch === undefined }),
    bpm: bpm ?? null,
    key: keyMatch === undefined ? null : keyOf(keyMatch[0]),
  };
}

/** The other parts of a name: the text of the key, and whether the tempo is a bare number next to the key. */
interface OtherParts {
  key: string | undefined;
  isBare: boolean;
}

/**
 * Returns the title without tempo and key, which a beat shows separately. A key without a tempo, and a key after "in",
 * stay in the title, because they may be words of the title.
 */
function titleOf(name: string, otherParts: OtherParts | null): string {
  const fullName = name
    .slice(0, maxNameLength)
    .replaceAll(/[_\s]+/g, " ")
    .trim();
  const title = otherParts === null ? fullName : removeRemains(withoutValues(fullName, otherParts));
  const shownTitle = (/[\p{L}\p{N}]/u.test(title) ? title : fullName).slice(0, maxTitleLength).trim();
  return shownTitle === "" ? "Untitled" : shownTitle;
}

function withoutValues(fullName: string, { key, isBare }: OtherParts): string {
  const title = fullName.replace(bpmAfter, " ").replace(bpmBefore, " ");
  const start = key === undefined ? -1 : title.lastIndexOf(key);
  if (key === undefined || start < 0) return title;
  const before = title.slice(0, start);
  const after = title.slice(start + key.length);
  if (/(?<!\p{L})in $/iu.test(before)) return title;
  if (!isBare) return `${before} ${after}`;
  const withoutTempo = after.replace(/^[\s-]?\d{2,3}(?:[.,]\d{1,2})?(?![\p{L}\d.,])/u, "");
  return withoutTempo === after
    ? `${before.replace(/(?<![\p{L}\d.,])\d{2,3}(?:[.,]\d{1,2})?[\s-]?$/u, "")} ${after}`
    : `${before} ${withoutTempo}`;
}

/** Removes empty brackets, and separators at the start and the end, which remain after the values are removed. */
const removeRemains = (title: string): string =>
  title
    .replaceAll(/[([{][\s,;|+@~=–—-]{0,20}[)\]}]/g, " ")
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s,;|+@~–—-]+/, "")
    .replace(/[\s,;|+@~–—-]{1,20}$/, "");

/** Returns a bare number directly before or after a key, such as in "Cmin 92". Other bare numbers are not tempos. */
function tempoNextTo(words: string, { 0: key, index }: RegExpExecArray): number | undefined {
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
