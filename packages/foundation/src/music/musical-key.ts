// Parses musical keys as people and data sets write them. Pure.

/**
 * A key code is a position on the circle of fifths. 0-11: the major keys by fifths from C (C, G, D, A, E, B, F#, C#,
 * G#, D#, A#, F). 12-23: the minor keys in the order of their relative majors (A minor is 12, E minor 13, …). 24:
 * unknown.
 */
export interface MusicalKey {
  /** "C# minor"; "C#" if the mode is unknown; the text in NFKC if it is not a key; "" if there is no key. */
  key: string;
  keyCode: number;
}

export type Mode = "major" | "minor";

export const unknownKeyCode = 24;
const notes = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"] as const;
const naturals: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11, H: 11 };
const accidentals: Record<string, number> = {
  "#": 1,
  "♯": 1,
  sharp: 1,
  is: 1,
  b: -1,
  "♭": -1,
  flat: -1,
  es: -1,
  s: -1,
};

/** Texts for "no key". */
const noKey = new Set(["", "-", "–", "—", "?", "-1", "-1.0", "na", "n/a", "nan", "nil", "none", "null", "unknown"]);
/** Pitch classes as Spotify numbers them: 0 is C, 11 is B. */
const pitchClass = /^(\d|1[01])(\.0+)?$/;
/** A key in Camelot notation (8A) or Open Key notation (1m): the hour on a clock of fifths, and the mode. */
const wheelHour = /^(?:camelot |open key )?(0?[1-9]|1[0-2])[ -]?([ABdm])$/i;
const noteWithMode =
  /^([A-H])(?:[ _-]?(#|♯|♭|b|sharp|flat)|(is|es|s))?[ _:-]*(major|majeur|maggiore|maj|minor|mineur|minore|min|mi|dur|moll|m)?\.?$/i;

/**
 * Parses a key in any usual spelling: C#m, Db major, F♯ min, 8A, c-moll, or a pitch class (7) with a separate `mode`
 * (1). A mode within `text` takes precedence over `mode`. A text that is not a key is returned in NFKC.
 */
export function parseKey(text: string, mode = ""): MusicalKey {
  const trimmed = text.normalize("NFKC").trim().replace(/\s+/g, " ");
  if (noKey.has(trimmed.toLowerCase())) return { key: "", keyCode: unknownKeyCode };
  const pitch = pitchClass.exec(trimmed)?.[1];
  if (pitch !== undefined) return keyOf(Number(pitch), parseMode(mode));
  return parseSingle(trimmed, mode) ?? parseSpellings(trimmed, mode) ?? { key: trimmed, keyCode: unknownKeyCode };
}

/**
 * Parses one key in several spellings, or in brackets: C#/Db minor, 8A - Am, C major (8B), (Am). Returns null if the
 * spellings differ.
 */
function parseSpellings(text: string, separateMode: string): MusicalKey | null {
  const parts = text
    .split(divider)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0 || parts.length > maxSpellings || parts.some((part) => pitchClass.test(part))) return null;
  // The mode of one spelling applies to the others: in C#/Db minor also to C#.
  const modes = parts.map((part) => / (major|minor)$/.exec(parseSingle(part, "")?.key ?? "")?.[1]);
  const mode = modes.find((word) => word !== undefined) ?? separateMode;
  const keys = parts.map((part) => parseSingle(part, mode)?.key);
  const [first] = keys;
  return first !== undefined && keys.every((key) => key === first) ? parseNote(first, "") : null;
}

const maxSpellings = 4;
const divider =
  /[/|,;=()[\]·•]|\s(?:[-–—:]|or|aka)\s|[–—]|(?<=\d[ABdm])[\s-]+(?=[A-H])|(?<=[a-z#♯♭])[\s-]+(?=\d{1,2}[ABdm]$)/i;

function parseSingle(text: string, mode: string): MusicalKey | null {
  const [, hour, ring] = wheelHour.exec(text) ?? [];
  return hour !== undefined && ring !== undefined ? keyAtHour(Number(hour), ring) : parseNote(text, mode);
}

/** The name of a key code, as in `MusicalKey.key`; "" if unknown. */
export function keyName(keyCode: number): string {
  if (keyCode === unknownKeyCode) return "";
  // A fifth is 7 semitones. The relative minor is 9 semitones above its major.
  const pitch = (keyCode % 12) * 7;
  return keyCode < 12 ? `${notes[pitch % 12]} major` : `${notes[(pitch + 9) % 12]} minor`;
}

/**
 * The codes of the keys that mix well with a key: the key, its relative and its two neighbours on the circle of fifths.
 */
export function compatibleKeys(keyCode: number): number[] {
  const circle = keyCode < 12 ? 0 : 12;
  const neighbour = (step: number) => circle + ((keyCode + step) % 12);
  return [keyCode, (keyCode + 12) % 24, neighbour(1), neighbour(11)];
}

/** Parses a mode: 1 or 0, as Spotify writes it, or a word. Returns null for any other text. */
export function parseMode(text: string): Mode | null {
  const trimmed = text.trim();
  if (trimmed === "M") return "major";
  if (trimmed === "m") return "minor";
  if (/^(1(\.0+)?|maj(or|eur)?|dur|maggiore|mayor|maior)$/i.test(trimmed)) return "major";
  if (/^(0(\.0+)?|min(or|eur|ore)?|mi|moll|menor)$/i.test(trimmed)) return "minor";
  return null;
}

/** Parses a note name with an optional accidental and mode, in letters or solfège. */
function parseNote(text: string, separateMode: string): MusicalKey | null {
  const [, letter, sign, ending, modeWord] = noteWithMode.exec(text) ?? [];
  if (letter === undefined) return parseSolfege(text, separateMode);
  const note = letter.toUpperCase();
  // In German, A and E take the ending -s instead of -es (As, Es). Other notes do not.
  if (ending?.toLowerCase() === "s" && note !== "A" && note !== "E") return null;
  const isGerman = /^(dur|moll)$/i.test(modeWord ?? separateMode.trim());
  const natural = isGerman && note === "B" ? 10 : (naturals[note] ?? 0);
  const shift = accidentals[(sign ?? ending ?? "").toLowerCase()] ?? 0;
  return keyOf((natural + shift + 12) % 12, parseMode(modeWord ?? "") ?? parseMode(separateMode));
}

/** Parses French, Italian, Spanish and Portuguese: Do# mineur, Sib maggiore, La menor. */
function parseSolfege(text: string, separateMode: string): MusicalKey | null {
  const [, syllable, sign, modeWord] = solfege.exec(text.normalize("NFD").replace(/[\u0300\u0301]/g, "")) ?? [];
  const natural = syllables[syllable?.toLowerCase() ?? ""];
  if (natural === undefined) return null;
  return keyOf((natural + solfegeShift(sign) + 12) % 12, solfegeMode(modeWord) ?? parseMode(separateMode));
}

/** The semitones by which an accidental moves a note. */
function solfegeShift(accidental: string | undefined): number {
  if (accidental === undefined) return 0;
  return /^(#|♯|di|so)/i.test(accidental) ? 1 : -1;
}

function solfegeMode(word: string | undefined): Mode | null {
  if (word === undefined) return null;
  return /^mi|^me|^m$/i.test(word) ? "minor" : "major";
}

const syllables: Record<string, number> = { do: 0, ut: 0, re: 2, mi: 4, fa: 5, sol: 7, la: 9, si: 11 };
const solfege =
  /^(do|ut|re|mi|fa|sol|la|si)(?:[ _-]?(#|♯|♭|b(?![a-z])|diese|diesis|sostenido|sustenido|bemol(?:le)?))?[ _:-]*(majeur|mineur|maggiore|minore|mayor|menor|maior|major|minor|maj|min|m)?\.?$/i;

/** Without a mode, the key is the note alone. Its code is unknown, since it may be a major or a minor key. */
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
