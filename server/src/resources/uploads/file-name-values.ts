import { parseKey, unknownKeyCode } from "@beatmarket/foundation/music/musical-key.ts";

// Tempo and key as people write them into the names of their recordings. They are a second source next to the measured
// values. Pure.

export interface FileNameValues {
  /**
   * "Night_drive-final.wav" gives "Night drive-final", and "Night Drive 140bpm Am.wav" gives "Night Drive". "Untitled" for
   * a name without a title.
   */
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
/** What a title is made from, so that no name takes long. */
const maxNameLength = 1_000;
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
  return {
    title: titleOf(name, bpm === undefined ? null : { key: written?.[0], isBare: named === undefined }),
    bpm: bpm ?? null,
    key: written === undefined ? null : keyOf(written[0]),
  };
}

/** What a name says next to its title: the text of its key, and whether its tempo is a bare number beside the key. */
interface Said {
  key: string | undefined;
  isBare: boolean;
}

/**
 * Without the tempo and the key, which a beat shows next to its title. A key without a tempo stays, and so does one after
 * "in": they may be words of the title.
 */
function titleOf(name: string, said: Said | null): string {
  const whole = name
    .slice(0, maxNameLength)
    .replaceAll(/[_\s]+/g, " ")
    .trim();
  const title = said === null ? whole : trimmed(withoutValues(whole, said));
  const shown = (/[\p{L}\p{N}]/u.test(title) ? title : whole).slice(0, maxTitleLength).trim();
  return shown === "" ? "Untitled" : shown;
}

function withoutValues(whole: string, { key, isBare }: Said): string {
  const title = whole.replace(bpmAfter, " ").replace(bpmBefore, " ");
  const at = key === undefined ? -1 : title.lastIndexOf(key);
  if (key === undefined || at < 0) return title;
  const [before, after] = [title.slice(0, at), title.slice(at + key.length)];
  if (/(?<!\p{L})in $/iu.test(before)) return title;
  if (!isBare) return `${before} ${after}`;
  const rest = after.replace(/^[\s-]?\d{2,3}(?:[.,]\d{1,2})?(?![\p{L}\d.,])/u, "");
  return rest === after
    ? `${before.replace(/(?<![\p{L}\d.,])\d{2,3}(?:[.,]\d{1,2})?[\s-]?$/u, "")} ${after}`
    : `${before} ${rest}`;
}

/** Without what the values leave behind: empty brackets, and separators that separate nothing. */
const trimmed = (title: string): string =>
  title
    .replaceAll(/[([{][\s,;|+@~=–—-]{0,20}[)\]}]/g, " ")
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s,;|+@~–—-]+/, "")
    .replace(/[\s,;|+@~–—-]{1,20}$/, "");

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
