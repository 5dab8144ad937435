import {
  numberShare,
  otherScripts,
  repeatedTitleShare,
  singleWordFrom,
  titleForms,
  titleWordCounts,
} from "./measured.ts";
import { drawFrom, type Random } from "./sampling.ts";
import { drawWord } from "./vocabulary.ts";

const wordCount = drawFrom(titleWordCounts);

const maxRecent = 65_536;

/** Invents titles. Their lengths, words, punctuation and scripts are distributed as in real ones. */
export class Titles {
  readonly #random: Random;
  readonly #recent: string[] = [];
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): string {
    const recentTitle = this.#recent[Math.floor(this.#random() * this.#recent.length)];
    if (recentTitle !== undefined && this.#random() < repeatedTitleShare) return recentTitle;
    const title = inventTitle(this.#random);
    this.#recent[this.#count++ % maxRecent] = title;
    return title;
  }
}

function inventTitle(random: Random): string {
  const script = otherScript(random);
  const count = 1 + wordCount(random);
  if (script !== undefined)
    return Array.from({ length: Math.min(count, 4) }, () => foreignWord(script, random)).join(" ");
  if (count === 1) return capitalized(titleWord(random, singleWordFrom));
  const words = Array.from({ length: count }, () => capitalized(titleWord(random)));
  const form = random();
  if (count > 2 && form < titleForms.inParentheses / shareOfLong) return inParentheses(words, random);
  if (count > 3 && form > 1 - titleForms.withDash / shareOfLonger) words[1 + Math.floor(random() * (count - 2))] = "-";
  return words.join(" ");
}

const shareOfLong = 1 - titleWordCounts[0] - titleWordCounts[1];
const shareOfLonger = shareOfLong - titleWordCounts[2];

const titleWord = (random: Random, from = 0): string =>
  random() < numberShare ? String(1 + Math.floor(random() ** 4 * 2_020)) : drawWord(random, from);

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Puts the last words, one or more, in parentheses. */
function inParentheses(words: string[], random: Random): string {
  const from = 1 + Math.floor(random() * (words.length - 1));
  return `${words.slice(0, from).join(" ")} (${words.slice(from).join(" ")})`;
}

/** Code points of other scripts, and the length of their words. */
const scripts = {
  cyrillic: { first: 0x430, last: 0x44f, letters: 6 },
  eastAsian: { first: 0x3042, last: 0x3093, letters: 4 },
  hebrew: { first: 0x5d0, last: 0x5ea, letters: 4 },
};

function otherScript(random: Random): keyof typeof scripts | undefined {
  let draw = random();
  for (const [name, share] of Object.entries(otherScripts)) {
    if (draw < share) return name as keyof typeof scripts;
    draw -= share;
  }
  return undefined;
}

/** Lower code points are more frequent than higher ones, so that words repeat. */
function foreignWord(script: keyof typeof scripts, random: Random): string {
  const { first, last, letters } = scripts[script];
  const length = 2 + Math.floor(random() * 2 * (letters - 2));
  const letter = () => String.fromCodePoint(first + Math.floor(random() ** 2 * (last - first + 1)));
  return Array.from({ length }, letter).join("");
}
