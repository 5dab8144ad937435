/**
 * How text becomes words that can be found: folding and splitting, the same for what is stored and for what is typed.
 * It happens here, not in the database, so that results do not depend on the server's locale. Pure.
 */

/** Bounds of what one text may put into an index, whatever an import brings; far below PostgreSQL's own. */
const maxTextLength = 1000;
const maxWordLength = 64;
/** Words of fewer letters are too close to one another to be worth correcting. */
const minCorrectableLength = 3;
const maxCorrectableLength = 40;

/** What a character does: it builds a word, stands alone, joins words, separates them, or is not there at all. */
type Role = "letter" | "spaceless" | "symbol" | "ampersand" | "apostrophe" | "joint" | "gap" | "nothing";

/** A run of characters that belong together. */
interface Run {
  text: string;
  /** "letter": a word. "spaceless": of a script without spaces. "symbol": one emoji. "ampersand": read as "and". */
  role: "letter" | "spaceless" | "symbol" | "ampersand";
  /** How many letters of a word stand before each apostrophe: don't is dont, divided after 3. */
  apostrophes: number[];
  /** Whether nothing but a hyphen, full stop or the like stands between it and the run before. */
  isJoined: boolean;
}

const apostrophes = new Set("'’‘‛ʼʻ`´′");
const joints = new Set("-‐‑./_*+·");
/** Letters that Unicode does not take apart, and those that writers of one language use for one another. */
const foldings = new Map(
  Object.entries({
    ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ħ: "h", ŧ: "t", ƒ: "f", ς: "σ" },
    ...{ ٱ: "ا", ى: "ي", ی: "ي", ة: "ه", ک: "ك" },
  }),
);
/** Marks above and below letters that people leave out. Vowel signs of Indic scripts and Japanese voicing stay. */
const strippedMark = /[[\p{M}&&[\p{sc=Inherited}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Cyrillic}]]--[\u3099\u309A]]/v;
const strippedMarks = new RegExp(strippedMark, "gv");
const invisible = /[\p{Cf}\p{Emoji_Modifier}ـ]/v;
const wordCharacter = /[\p{L}\p{M}\p{N}]/v;
const scriptWithoutSpaces =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/v;
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/v;
const decimalDigit = /\p{Nd}/v;

function foldCharacter(character: string): string {
  if (decimalDigit.test(character)) return asciiDigit(character.codePointAt(0) ?? 0);
  const bare = character.normalize("NFD").replace(strippedMarks, "").normalize("NFC").toLowerCase();
  // Katakana reads as hiragana.
  if (/^[ァ-ヶ]$/.test(bare)) return String.fromCharCode(bare.charCodeAt(0) - 0x60);
  return foldings.get(bare) ?? bare;
}

/** Digits of every script stand in runs of ten, so a digit's value is how many digits stand before it. */
function asciiDigit(codePoint: number): string {
  let before = 0;
  while (decimalDigit.test(String.fromCodePoint(codePoint - before - 1))) before++;
  return String(before % 10);
}

function roleOf(character: string): Role {
  if (apostrophes.has(character)) return "apostrophe";
  if (joints.has(character)) return "joint";
  if (character === "&") return "ampersand";
  if (invisible.test(character) || strippedMark.test(character)) return "nothing";
  if (wordCharacter.test(character)) return scriptWithoutSpaces.test(character) ? "spaceless" : "letter";
  return emoji.test(character) ? "symbol" : "gap";
}

// Bounded by the number of characters that Unicode has. ASCII is kept apart: it is most of all text.
const knownAscii: { role: Role; text: string }[] = [];
const known = new Map<number, { role: Role; text: string }>();

function lookUp(codePoint: number): { role: Role; text: string } {
  let found = codePoint < 0x80 ? knownAscii[codePoint] : known.get(codePoint);
  if (found === undefined) {
    const character = String.fromCodePoint(codePoint);
    const role = roleOf(character);
    found = { role, text: role === "letter" || role === "spaceless" ? foldCharacter(character) : character };
    if (codePoint < 0x80) knownAscii[codePoint] = found;
    else known.set(codePoint, found);
  }
  return found;
}

/** One spelling for what looks alike; signs that stand for letters become letters: A$AP, Ke$ha, P!nk. */
function tidy(text: string): string {
  let tidied = text.slice(0, maxTextLength);
  if (/[^\0-\x7f]/.test(tidied))
    tidied = tidied
      .replace(/[©®™℠]/g, " ")
      .replace(/[´]/g, "'")
      .normalize("NFKC");
  if (tidied.includes("$")) tidied = tidied.replace(/\$(?=\$*\p{L})|(?<=\p{L}\$*)\$/gu, "s");
  if (tidied.includes("!")) tidied = tidied.replace(/(?<=\p{L})!(?=\p{L})/gu, "i");
  return tidied;
}

const none: number[] = [];

function runsOf(text: string): Run[] {
  const tidied = tidy(text);
  const runs: Run[] = [];
  let open: Run | undefined;
  let isDivided = false;
  let isJoined = false;
  for (let at = 0; at < tidied.length; at++) {
    const codePoint = tidied.codePointAt(at) ?? 0;
    if (codePoint > 0xffff) at++;
    const { role, text: folded } = lookUp(codePoint);
    if (role === "nothing") continue;
    if (role === open?.role) {
      if (isDivided) open.apostrophes = [...open.apostrophes, open.text.length];
      isDivided = false;
      open.text += folded;
    } else if (role === "apostrophe" && open?.role === "letter") {
      isDivided = true;
    } else {
      isDivided = false;
      if (role === "letter" || role === "spaceless") {
        open = { text: folded, role, apostrophes: none, isJoined };
        runs.push(open);
        isJoined = false;
      } else {
        isJoined = role === "joint" && open !== undefined;
        open = undefined;
        if (role === "symbol") runs.push({ text: folded, role, apostrophes: none, isJoined });
        else if (role === "ampersand") runs.push({ text: "and", role, apostrophes: none, isJoined });
      }
    }
  }
  return runs;
}

/** Overlapping pairs of a run in a script without spaces, and its last character: 東京都 → 東京, 京都, 都. */
function pairs(text: string): string[] {
  const characters = Array.from(text);
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

interface Placed {
  word: string;
  /** Counted from 0; neighbours in the text are neighbours here. */
  position: number;
  /** Whether it is a word that a person could have mistyped. */
  isWord: boolean;
}

/**
 * The words under which a text is found. What a sign joins is found apart and joined: AC/DC as ac, dc and acdc. So is
 * what an apostrophe divides, unless that only shortens a word: l'amour as l, amour and lamour, don't only as dont.
 */
function wordsOf(runs: Run[]): Placed[] {
  const words: Placed[] = [];
  const add = (text: string, position: number) =>
    words.push({ word: text.slice(0, maxWordLength), position, isWord: true });
  let position = 0;
  let chain = "";
  for (const [at, run] of runs.entries()) {
    chain = run.isJoined ? chain + run.text : run.text;
    if (chain !== run.text && runs[at + 1]?.isJoined !== true) add(chain, position);
    if (run.role === "spaceless") {
      for (const word of pairs(run.text)) words.push({ word, position: position++, isWord: false });
    } else if (run.role === "symbol") {
      words.push({ word: run.text, position: position++, isWord: false });
    } else {
      add(run.text, position);
      for (const part of partsOf(run)) add(part, position);
      position++;
    }
  }
  return words;
}

/** What apostrophes divide a word into, unless one only shortens it. */
function partsOf({ text, apostrophes: [first, ...others] }: Run): string[] {
  if (first === undefined || (others.length === 0 && text.length - first <= 2)) return [];
  return [first, ...others, text.length].map((end, at, ends) => text.slice(ends[at - 1] ?? 0, end));
}

/**
 * The lexeme of a whole title or name, however it is spaced: `=lovestory`. No word contains its mark.
 */
export const wholeLexeme = (texts: string[]): string => `=${texts.join("").slice(0, maxWordLength)}`;

/**
 * The index entry of a row, as the text of a tsvector: cast it with `::tsvector`. Beats: title A, producer's name B;
 * users: display name A. Holds every word with its place and weight, and each part as a whole (`=lovestory`), by
 * which a title or name that equals what was typed, or begins with it, is known, however it is spaced.
 */
export function searchVector(parts: { text: string; weight: "A" | "B" | "C" }[]): string {
  let vector = "";
  let offset = 1;
  for (const { text, weight } of parts) {
    const runs = runsOf(text);
    if (runs.length === 0) continue;
    vector += `'${wholeLexeme(runs.map((run) => run.text))}':${offset}${weight} `;
    let last = 0;
    for (const { word, position } of wordsOf(runs)) {
      vector += `'${word}':${offset + position}${weight} `;
      last = Math.max(last, position);
    }
    // A gap, so that no phrase runs from one part into the next.
    offset += last + 2;
  }
  return vector.trimEnd();
}

/** The words of a text that a person might mistype, each once: letters only, of a script that has spaces. */
export function correctableWords(text: string): string[] {
  const correctable = new Set<string>();
  for (const { word, isWord } of wordsOf(runsOf(text))) if (isWord && isCorrectable(word)) correctable.add(word);
  return [...correctable];
}

/** Whether a folded word may be replaced by a similar one, or be such a replacement. */
export function isCorrectable(word: string): boolean {
  return word.length >= minCorrectableLength && word.length <= maxCorrectableLength && !/\p{N}/u.test(word);
}

/** One word of a query, folded as the stored words are. Of them a whole is made, so none is left out. */
export type TypedWord =
  /** Numbers are never corrected, and never the beginning of something longer. Symbols are emoji. */
  | { kind: "word" | "number" | "symbol"; text: string }
  /** Read as "and", which nobody need have written. */
  | { kind: "ampersand"; text: "and" }
  /** One character of a script without spaces. It may begin any pair. */
  | { kind: "character"; text: string }
  /** A run in such a script: its pairs stand side by side. */
  | { kind: "pairs"; text: string; pairs: string[] };

/** Reads what was typed, in order. Only ampersands, or none: there is nothing to look for. */
export const readQuery = (q: string): TypedWord[] => runsOf(q).map(typedWord);

function typedWord({ role, text: typed }: Run): TypedWord {
  const text = typed.slice(0, maxWordLength);
  if (role === "ampersand") return { kind: "ampersand", text: "and" };
  if (role === "symbol") return { kind: "symbol", text };
  if (role === "letter") return { kind: /^\p{N}+$/u.test(text) ? "number" : "word", text };
  const [first = "", ...others] = pairs(typed);
  return others.length === 0
    ? { kind: "character", text }
    : { kind: "pairs", text: typed, pairs: [first, ...others.slice(0, -1)] };
}
