/**
 * Musical keys as people and data sets write them. Pure.
 *
 * A key code is a place on the circle of fifths: 0-11 the major keys from C by fifths (C, G, D, A, E, B, F#, C#, G#,
 * D#, A#, F), 12-23 the minor keys at the place of their relative major (A minor is 12, E minor 13, …), 24 unknown.
 */
export interface MusicalKey {
  /** "C# minor" where note and mode are known, "C#" where only the note is, otherwise as given; "" when there is none. */
  key: string;
  keyCode: number;
}

export type Mode = "major" | "minor";

export const unknownKeyCode = 24;
const notes = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"] as const;
const naturals: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11, H: 11 };
const accidentals: Record<string, number> = {
  ...{ "#": 1, "♯": 1, sharp: 1, is: 1 },
  ...{ b: -1, "♭": -1, flat: -1, es: -1, s: -1 },
};

const none = new Set(["", "-", "–", "—", "?", "-1", "-1.0", "na", "n/a", "nan", "nil", "none", "null", "unknown"]);
/** Pitch classes as Spotify numbers them: 0 is C, 11 is B. */
const pitchClass = /^(\d|1[01])(\.0+)?$/;
/** The wheel of Camelot (8A) and of Open Key (1m): hours of the circle of fifths. */
const wheelHour = /^(?:camelot |open key )?(0?[1-9]|1[0-2])[ -]?([ABdm])$/i;
const spelled =
  /^([A-H])(?:[ _-]?(#|♯|♭|b|sharp|flat)|(is|es|s))?[ _:-]*(major|majeur|maggiore|maj|minor|mineur|minore|min|mi|dur|moll|m)?\.?$/i;

/**
 * Reads a key in any usual spelling: C#m, Db major, F♯ min, 8A, c-moll, or a pitch class beside a mode (7 and 1).
 * A mode in the text itself counts before the one beside it. What cannot be read stays as text.
 */
export function parseKey(text: string, mode = ""): MusicalKey {
  const given = text.normalize("NFKC").trim().replace(/\s+/g, " ");
  if (none.has(given.toLowerCase())) return { key: "", keyCode: unknownKeyCode };
  const pitch = pitchClass.exec(given)?.[1];
  if (pitch !== undefined) return keyOf(Number(pitch), parseMode(mode));
  return parseSingle(given, mode) ?? parseTwice(given, mode) ?? { key: given, keyCode: unknownKeyCode };
}

/** One key that is written twice, or in brackets: C#/Db minor, 8A - Am, C major (8B), (Am). Null for what may be two keys. */
function parseTwice(given: string, modeBeside: string): MusicalKey | null {
  const parts = given
    .split(divider)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0 || parts.length > maxSpellings || parts.some((part) => pitchClass.test(part))) return null;
  const known = parts.map((part) => parseSingle(part, ""));
  // A mode counts for the notes beside it that have none.
  const mode = known.map((key) => key && / (major|minor)$/.exec(key.key)?.[1]).find((word) => word) ?? modeBeside;
  const keys = parts.map((part) => parseSingle(part, mode)?.key);
  const [first] = keys;
  return first !== undefined && keys.every((key) => key === first) ? parseSpelled(first, "") : null;
}

const maxSpellings = 4;
const divider =
  /[/|,;=()[\]·•]|\s(?:[-–—:]|or|aka)\s|[–—]|(?<=\d[ABdm])[\s-]+(?=[A-H])|(?<=[a-z#♯♭])[\s-]+(?=\d{1,2}[ABdm]$)/i;

function parseSingle(text: string, mode: string): MusicalKey | null {
  const [, hour, ring] = wheelHour.exec(text) ?? [];
  return hour !== undefined && ring !== undefined ? keyAtHour(Number(hour), ring) : parseSpelled(text, mode);
}

/** The key of a code, as `parseKey` writes it; "" when unknown. */
export function keyName(keyCode: number): string {
  if (keyCode === unknownKeyCode) return "";
  // Seven half tones are a fifth, nine lead from a major key to its relative minor.
  const pitch = (keyCode % 12) * 7;
  return keyCode < 12 ? `${notes[pitch % 12]} major` : `${notes[(pitch + 9) % 12]} minor`;
}

/** The codes of the keys that mix with one: itself, its relative, and its neighbours on the circle of fifths. */
export function compatibleKeys(keyCode: number): number[] {
  const circle = keyCode < 12 ? 0 : 12;
  const neighbour = (step: number) => circle + ((keyCode + step) % 12);
  return [keyCode, (keyCode + 12) % 24, neighbour(1), neighbour(11)];
}

/** Reads a mode: 1 or 0 as Spotify has it, or a word; null when it is neither. */
export function parseMode(text: string): Mode | null {
  const given = text.trim();
  if (given === "M") return "major";
  if (given === "m") return "minor";
  if (/^(1(\.0+)?|maj(or|eur)?|dur|maggiore|mayor|maior)$/i.test(given)) return "major";
  if (/^(0(\.0+)?|min(or|eur|ore)?|mi|moll|menor)$/i.test(given)) return "minor";
  return null;
}

function parseSpelled(given: string, modeBeside: string): MusicalKey | null {
  const [, letter, sign, ending, modeWord] = spelled.exec(given) ?? [];
  if (letter === undefined) return parseSolfege(given, modeBeside);
  const note = letter.toUpperCase();
  const ownEnding = ending?.toLowerCase();
  // German endings: As and Es lose the e, and no other note ends in s alone.
  if (ownEnding === "s" && note !== "A" && note !== "E") return null;
  const isGerman = /^(dur|moll)$/i.test(modeWord ?? modeBeside.trim());
  const natural = isGerman && note === "B" ? 10 : (naturals[note] ?? 0);
  const shift = accidentals[(sign ?? ending ?? "").toLowerCase()] ?? 0;
  return keyOf((natural + shift + 12) % 12, parseMode(modeWord ?? "") ?? parseMode(modeBeside));
}

/** French, Italian, Spanish and Portuguese: Do# mineur, Sib maggiore, La menor. */
function parseSolfege(given: string, modeBeside: string): MusicalKey | null {
  const [, syllable, sign, modeWord] = solfege.exec(given.normalize("NFD").replace(/[\u0300\u0301]/g, "")) ?? [];
  const natural = syllables[syllable?.toLowerCase() ?? ""];
  if (natural === undefined) return null;
  const shift = sign === undefined ? 0 : /^(#|♯|di|so)/i.test(sign) ? 1 : -1;
  const mode = modeWord === undefined ? parseMode(modeBeside) : /^mi|^me|^m$/i.test(modeWord) ? "minor" : "major";
  return keyOf((natural + shift + 12) % 12, mode);
}

const syllables: Record<string, number> = { do: 0, ut: 0, re: 2, mi: 4, fa: 5, sol: 7, la: 9, si: 11 };
const solfege =
  /^(do|ut|re|mi|fa|sol|la|si)(?:[ _-]?(#|♯|♭|b(?![a-z])|diese|diesis|sostenido|sustenido|bemol(?:le)?))?[ _:-]*(majeur|mineur|maggiore|minore|mayor|menor|maior|major|minor|maj|min|m)?\.?$/i;

/** A note without a mode keeps its name and has no place on the circle: it may be either of two keys. */
function keyOf(pitch: number, mode: Mode | null): MusicalKey {
  const note = notes[pitch] ?? "";
  if (mode === null) return { key: note, keyCode: unknownKeyCode };
  const relativeMajor = mode === "major" ? pitch : pitch + 3;
  return { key: `${note} ${mode}`, keyCode: (mode === "major" ? 0 : 12) + ((relativeMajor * 7) % 12) };
}

function keyAtHour(hour: number, ring: string): MusicalKey {
  const isCamelot = /[AB]/i.test(ring);
  const mode = /[Bd]/i.test(ring) ? "major" : "minor";
  // C major is 8B in Camelot and 1d in Open Key.
  const fifths = (hour - (isCamelot ? 8 : 1) + 12) % 12;
  const pitch = (fifths * 7) % 12;
  return keyOf(mode === "major" ? pitch : (pitch + 9) % 12, mode);
}
