/**
 * How text becomes words that can be found: folding and splitting, the same for what is stored and for what is typed.
 * It happens here, not in the database, so that results do not depend on the server's locale. Pure.
 */

/** Bounds of what one text may put into an index, whatever an import brings. */
const maxTextLength = 1000;
const maxWordLength = 64;
const maxPosition = 16383;
/** Words of fewer letters are too close to one another to be worth correcting. */
const minCorrectableLength = 3;
const maxCorrectableLength = 40;

/** What a character does: it builds a word, stands alone, joins words, separates them, or is not there at all. */
type Role = "letter" | "spaceless" | "symbol" | "ampersand" | "apostrophe" | "joint" | "gap" | "nothing";

/** A run of characters that belong together. `link` tells what, if not a gap, stands between it and the run before. */
interface Run {
  text: string;
  /** "letter": a word. "spaceless": of a script without spaces. "symbol": one emoji. "ampersand": read as "and". */
  role: "letter" | "spaceless" | "symbol" | "ampersand";
  link: "gap" | "apostrophe" | "joint";
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

// Bounded by the number of characters that Unicode has.
const known = new Map<number, { role: Role; text: string }>();

function lookUp(codePoint: number): { role: Role; text: string } {
  let found = known.get(codePoint);
  if (found === undefined) {
    const character = String.fromCodePoint(codePoint);
    const role = roleOf(character);
    found = { role, text: role === "letter" || role === "spaceless" ? foldCharacter(character) : character };
    known.set(codePoint, found);
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

function runsOf(text: string): Run[] {
  const tidied = tidy(text);
  const runs: Run[] = [];
  let open: Run | undefined;
  let link: Run["link"] = "gap";
  for (let at = 0; at < tidied.length; at++) {
    const codePoint = tidied.codePointAt(at) ?? 0;
    if (codePoint > 0xffff) at++;
    const { role, text: folded } = lookUp(codePoint);
    if (role === "letter" || role === "spaceless") {
      if (open?.role === role) {
        open.text += folded;
      } else {
        open = { text: folded, role, link: open === undefined ? link : "gap" };
        runs.push(open);
        link = "gap";
      }
    } else if (role === "apostrophe" || role === "joint") {
      // Only what stands directly between two runs links them.
      link = open === undefined ? "gap" : role;
      open = undefined;
    } else if (role !== "nothing") {
      open = undefined;
      link = "gap";
      if (role !== "gap") runs.push({ text: role === "ampersand" ? "and" : folded, role, link: "gap" });
    }
  }
  return runs;
}

/** Overlapping pairs of a run in a script without spaces, and its last character: 東京都 → 東京, 京都, 都. */
function pairs(text: string): string[] {
  const characters = Array.from(text);
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

const contraction = /^\p{L}{1,2}$/u;

/** Glues what an apostrophe only marks as shortened, on both sides: don't → dont, you're → youre. */
function withoutContractions(runs: Run[]): Run[] {
  if (!runs.some((run) => run.link === "apostrophe")) return runs;
  const glued: Run[] = [];
  for (const [at, run] of runs.entries()) {
    const before = glued.at(-1);
    const ends = runs[at + 1] === undefined || runs[at + 1]?.link === "gap";
    if (run.link === "apostrophe" && before?.link === "gap" && ends && contraction.test(run.text))
      glued[glued.length - 1] = { ...before, text: before.text + run.text };
    else glued.push(run);
  }
  return glued;
}

interface Placed {
  word: string;
  /** Counted from 0; neighbours in the text are neighbours here. */
  position: number;
  /** Whether it is a word that a person could have mistyped. */
  isWord: boolean;
}

/**
 * The words under which a text is found. Parts that a sign links are found alone and joined: AC/DC as ac, dc and acdc,
 * l'amour as l, amour and lamour.
 */
function wordsOf(runs: Run[]): Placed[] {
  const words: Placed[] = [];
  let position = 0;
  let joined = "";
  let joinedAt = 0;
  let parts = 0;
  const close = () => {
    if (parts > 1) words.push({ word: joined.slice(0, maxWordLength), position: joinedAt, isWord: true });
  };
  for (const run of runs) {
    if (run.link === "gap") {
      close();
      joined = "";
      joinedAt = position;
      parts = 0;
    }
    joined += run.text;
    parts++;
    if (run.role === "spaceless")
      for (const word of pairs(run.text)) words.push({ word, position: position++, isWord: false });
    else words.push({ word: run.text.slice(0, maxWordLength), position: position++, isWord: run.role === "letter" });
  }
  close();
  return words;
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
    const runs = withoutContractions(runsOf(text));
    if (runs.length === 0) continue;
    vector += `'${wholeLexeme(runs.map((run) => run.text))}':${Math.min(offset, maxPosition)}${weight} `;
    let last = 0;
    for (const { word, position } of wordsOf(runs)) {
      vector += `'${word}':${Math.min(offset + position, maxPosition)}${weight} `;
      last = Math.max(last, position);
    }
    // A gap, so that no phrase runs from one part into the next.
    offset += last + 2;
  }
  return vector.trimEnd();
}

/** The words of a text that a person might mistype, each once: letters only, of a script that has spaces. */
export function correctableWords(text: string): string[] {
  const words = wordsOf(withoutContractions(runsOf(text)));
  return [...new Set(words.filter(({ word, isWord }) => isWord && isCorrectable(word)).map(({ word }) => word))];
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
export function readQuery(q: string): TypedWord[] {
  const words: TypedWord[] = [];
  for (const run of withoutContractions(runsOf(q))) {
    const before = words.at(-1);
    const text = run.text.slice(0, maxWordLength);
    if (run.role === "ampersand") words.push({ kind: "ampersand", text: "and" });
    else if (run.role === "symbol") words.push({ kind: "symbol", text });
    else if (run.role === "spaceless") {
      const typed = pairs(run.text);
      words.push(
        typed.length === 1 ? { kind: "character", text } : { kind: "pairs", text: run.text, pairs: typed.slice(0, -1) },
      );
    } else if (run.link === "apostrophe" && before?.kind === "word")
      words[words.length - 1] = { kind: "word", text: (before.text + text).slice(0, maxWordLength) };
    else words.push({ kind: /^\p{N}+$/u.test(text) ? "number" : "word", text });
  }
  return words;
}
