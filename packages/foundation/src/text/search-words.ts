/**
 * Text analysis for search: normalizes and tokenizes stored texts and queries in the same way. PostgreSQL's own text
 * search would depend on the locale of the database. Pure.
 */

// Limits of an indexed text and of its words, far below PostgreSQL's own.
const maxTextLength = 1000;
const maxWordLength = 64;
/** Shorter words are similar to too many other words. */
const minCorrectableLength = 3;
const maxCorrectableLength = 40;

/** The role of a character: part of a word, a separate token, a joiner or separator of words, or ignored. */
type Role = "letter" | "spaceless" | "symbol" | "ampersand" | "apostrophe" | "joiner" | "separator" | "ignored";

/** A token: consecutive characters of one role. */
interface Token {
  text: string;
  /**
   * letter: a word. spaceless: text in a script without spaces. symbol: an emoji, or a whole text of signs. ampersand:
   * read as "and".
   */
  role: "letter" | "spaceless" | "symbol" | "ampersand";
  /** The position of each apostrophe in the word: don't is dont with [3]. */
  apostrophes: number[];
  /** Whether one joiner, such as a hyphen, separates it from the word before. */
  isJoined: boolean;
}

const apostrophes = new Set("'’‘‛ʼʻ`´′");
const joiners = new Set("-‐‑./_*+·");
/** Letters that NFD does not decompose, and letters that a language uses interchangeably. */
const foldings = new Map(
  Object.entries({
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ø: "o",
    ł: "l",
    đ: "d",
    ð: "d",
    þ: "th",
    ı: "i",
    ħ: "h",
    ŧ: "t",
    ƒ: "f",
    ς: "σ",
    ٱ: "ا",
    ى: "ي",
    ی: "ي",
    ة: "ه",
    ک: "ك",
  }),
);
/** Diacritics that people omit. Excludes vowel signs of Indic scripts and Japanese voicing marks. */
const strippedMark = /[[\p{M}&&[\p{sc=Inherited}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Cyrillic}]]--[\u3099\u309A]]/v;
const strippedMarks = new RegExp(strippedMark, "gv");
const invisible = /[\p{Cf}\p{Emoji_Modifier}ـ]/v;
const wordCharacter = /[\p{L}\p{M}\p{N}]/v;
const scriptWithoutSpaces =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/v;
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/v;
const decimalDigit = /\p{Nd}/v;

function foldCharacter(character: string): string {
  if (decimalDigit.test(character)) return asciiDigit(character);
  const base = character.normalize("NFD").replace(strippedMarks, "").normalize("NFC").toLowerCase();
  // Katakana to hiragana.
  if (/^[ァ-ヶ]$/.test(base)) return String.fromCharCode(base.charCodeAt(0) - 0x60);
  return foldings.get(base) ?? base;
}

/** In Unicode the ten digits of a script are consecutive, so the number of digits before a digit gives its value. */
function asciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - before - 1))) before++;
  return String(before % 10);
}

function roleOf(character: string): Role {
  if (apostrophes.has(character)) return "apostrophe";
  if (joiners.has(character)) return "joiner";
  if (character === "&") return "ampersand";
  if (invisible.test(character) || strippedMark.test(character)) return "ignored";
  if (wordCharacter.test(character)) return scriptWithoutSpaces.test(character) ? "spaceless" : "letter";
  return emoji.test(character) ? "symbol" : "separator";
}

interface FoldedCharacter {
  role: Role;
  text: string;
}

// Caches, bounded by the number of Unicode characters. An array for ASCII, which is most frequent.
const asciiCache: FoldedCharacter[] = [];
const cache = new Map<number, FoldedCharacter>();

function lookUp(codePoint: number): FoldedCharacter {
  let folded = codePoint < 0x80 ? asciiCache[codePoint] : cache.get(codePoint);
  if (folded === undefined) {
    const character = String.fromCodePoint(codePoint);
    const role = roleOf(character);
    folded = { role, text: role === "letter" || role === "spaceless" ? foldCharacter(character) : character };
    if (codePoint < 0x80) asciiCache[codePoint] = folded;
    else cache.set(codePoint, folded);
  }
  return folded;
}

/** Normalizes to NFKC. Replaces signs that stand for letters or for an ampersand: A$AP, P!nk, Dan + Shay. */
function normalize(text: string): string {
  let normalized = text.slice(0, maxTextLength);
  if (/[^\0-\x7f]/.test(normalized))
    normalized = normalized
      .replace(/[©®™℠]/g, " ")
      .replace(/[´]/g, "'")
      .normalize("NFKC");
  if (normalized.includes(" + ")) normalized = normalized.replaceAll(" + ", " & ");
  if (normalized.includes("$")) normalized = normalized.replace(/\$+/g, lettersForDollars);
  if (normalized.includes("!")) normalized = normalized.replace(/(?<=\p{L})!(?=\p{L})/gu, "i");
  return normalized;
}

/** Replaces each $ of a run by s if a letter precedes or follows the run. */
function lettersForDollars(run: string, index: number, text: string): string {
  const end = index + run.length;
  const isInWord =
    /\p{L}$/u.test(text.slice(Math.max(0, index - 2), index)) || /^\p{L}/u.test(text.slice(end, end + 2));
  return isInWord ? "s".repeat(run.length) : run;
}

const noApostrophes: number[] = [];

/** A text of only signs is one symbol token, so that a query for !!! finds the title !!!. */
function tokenize(text: string): Token[] {
  const tokens = tokensOf(text);
  if (tokens.some(({ role }) => role !== "ampersand")) return tokens;
  const signs = text
    .slice(0, maxWordLength)
    .normalize("NFKC")
    .replace(/[\s\p{Cf}\p{Cc}]+/gu, "");
  return /[\p{P}\p{S}]/u.test(signs)
    ? [{ text: signs, role: "symbol", apostrophes: noApostrophes, isJoined: false }]
    : [];
}

function tokensOf(text: string): Token[] {
  const normalized = normalize(text);
  const tokens: Token[] = [];
  let current: Token | undefined;
  let isDivided = false;
  let isJoined = false;
  for (let index = 0; index < normalized.length; index++) {
    const codePoint = normalized.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index++;
    const { role, text: folded } = lookUp(codePoint);
    if (role === "ignored") continue;
    if (role === current?.role) {
      if (isDivided) current.apostrophes = [...current.apostrophes, current.text.length];
      isDivided = false;
      current.text += folded;
    } else if (role === "apostrophe" && current?.role === "letter") {
      isDivided = true;
    } else {
      isDivided = false;
      if (role === "letter" || role === "spaceless") {
        current = { text: folded, role, apostrophes: noApostrophes, isJoined };
        tokens.push(current);
        isJoined = false;
      } else {
        isJoined = role === "joiner" && current !== undefined;
        current = undefined;
        if (role === "symbol") tokens.push({ text: folded, role, apostrophes: noApostrophes, isJoined });
        else if (role === "ampersand") tokens.push({ text: "and", role, apostrophes: noApostrophes, isJoined });
      }
    }
  }
  return tokens;
}

/** The bigrams of a text in a script without spaces, and its last character: 東京都 → 東京, 京都, 都. */
function bigrams(text: string): string[] {
  const characters = Array.from(text);
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/**
 * The index words of a text. Joined words are indexed separately and together: AC/DC as ac, dc and acdc. So are the
 * parts around an apostrophe, except in a contraction: l'amour as l, amour and lamour; don't only as dont.
 */
function wordsOf(tokens: Token[]): string[] {
  const words: string[] = [];
  const add = (text: string) => words.push(text.slice(0, maxWordLength));
  let joinedText = "";
  for (const [index, token] of tokens.entries()) {
    joinedText = token.isJoined ? joinedText + token.text : token.text;
    if (joinedText !== token.text && tokens[index + 1]?.isJoined !== true) add(joinedText);
    if (token.role === "spaceless") words.push(...bigrams(token.text));
    else if (token.role === "symbol") words.push(token.text);
    else {
      add(token.text);
      for (const part of partsOf(token)) add(part);
    }
  }
  return words;
}

/** The parts of a word between apostrophes. Empty without an apostrophe, and for a contraction. */
function partsOf({ text, apostrophes: [first, ...others] }: Token): string[] {
  if (first === undefined || (others.length === 0 && text.length - first <= 2)) return [];
  return [first, ...others, text.length].map((end, index, ends) => text.slice(ends[index - 1] ?? 0, end));
}

/**
 * Removes case, accents, spaces and punctuation from a text: "Lo-Fi", "lofi" and "LO FI" become equal. Words are not
 * truncated. A text that has only punctuation keeps it.
 */
export function foldWhole(text: string): string {
  if (plainAscii.test(text)) return text.replace(/[^A-Za-z0-9]+/g, "").toLowerCase() || text;
  return (
    tokenize(text)
      .map((token) => token.text)
      .join("") || text
  );
}

/**
 * ASCII without signs that `normalize` replaces (&, $, !, a plus between words), without line breaks, within
 * `maxTextLength`.
 */
const plainAscii = /^(?!.* \+ )[ "#%'-~]{0,1000}$/;

/** The index entries of a title or name. */
export interface IndexedText {
  /** Without duplicates. */
  words: string[];
  /** All words without spaces between them: `lovestory`. Empty if there are no words. */
  whole: string;
}

/** Tokenizes a title or name. Normalizes its words like `readQuery` does. */
export function indexedText(text: string): IndexedText {
  const tokens = tokenize(text);
  const words: string[] = [];
  for (const word of wordsOf(tokens)) if (!words.includes(word)) words.push(word);
  let whole = "";
  for (const token of tokens) whole += token.role === "letter" ? token.text.slice(0, maxWordLength) : token.text;
  return { words, whole };
}

/** Whether a normalized word may be corrected, or may be used as a correction. */
export function isCorrectable(word: string): boolean {
  return word.length >= minCorrectableLength && word.length <= maxCorrectableLength && !/\p{N}/u.test(word);
}

/** A word of a query, normalized like the indexed words. */
export type QueryWord =
  /** Numbers are never corrected and never match as a prefix. A symbol is an emoji, or a query of only signs. */
  | { kind: "word" | "number" | "symbol"; text: string }
  /** Matches an optional "and". */
  | { kind: "ampersand"; text: "and" }
  /** A character of a script without spaces. Matches the first character of a bigram. */
  | { kind: "character"; text: string }
  /** Several such characters. Match adjacent bigrams. */
  | { kind: "pairs"; text: string; pairs: string[] };

/** Parses a query into words, in order. Empty for a query without visible characters. */
export const readQuery = (q: string): QueryWord[] => tokenize(q).map(queryWord);

function queryWord({ role, text: typed }: Token): QueryWord {
  const text = typed.slice(0, maxWordLength);
  if (role === "ampersand") return { kind: "ampersand", text: "and" };
  if (role === "symbol") return { kind: "symbol", text };
  if (role === "letter") return { kind: /^\p{N}+$/u.test(text) ? "number" : "word", text };
  const [first = "", ...others] = bigrams(typed);
  return others.length === 0
    ? { kind: "character", text }
    : { kind: "pairs", text: typed, pairs: [first, ...others.slice(0, -1)] };
}
