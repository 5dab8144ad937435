import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import type { Range } from "../../query.ts";

const unknownKeyCode = 24;
/** A range of tempos that does not say so. */
const usualBpm = { min: 40, max: 300 };
const maxBpm = 999;

/** Tempos and keys that a text names, and what is left of it. */
export interface NamedTraits {
  bpm?: Range;
  /** Key codes. */
  keys?: number[];
  rest: string;
  /** Whether the text ends in what is left of it, so that its last word may be unfinished. */
  endsInRest: boolean;
  /** It may as well be words: "Am", or "8A" next to others. */
  isDoubtful: boolean;
}

/**
 * Reads tempos and keys in what was typed: `140 bpm`, `138-142`, `a minor`, `8A`, `C#m`. A number alone is no tempo; two
 * joined by a hyphen are one from 40 to 300. Undefined if there is none.
 */
export function namedTraits(text: string): NamedTraits | undefined {
  const parts = text
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/♯/g, "#")
    .replace(/♭/g, "b")
    .trim()
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  const isRest = parts.map(() => true);
  const take = (from: number, count: number) => isRest.fill(false, from, from + count);
  const keys: number[] = [];
  let bpm: Range | undefined;
  let isCertain = true;
  for (let at = 0; at < parts.length; ) {
    const tempo = bpm === undefined ? tempoAt(parts, at) : undefined;
    const key = tempo === undefined ? keyAt(parts, at) : undefined;
    const found = tempo ?? key;
    if (found === undefined) {
      at++;
      continue;
    }
    if (tempo !== undefined) bpm = tempo.bpm;
    if (key !== undefined && !keys.includes(key.keyCode)) keys.push(key.keyCode);
    isCertain &&= found.isCertain;
    take(at, found.count);
    at += found.count;
  }
  if (bpm === undefined && keys.length === 0) return undefined;
  const rest = parts.filter((_, at) => isRest[at]).join(" ");
  const isOneWord = parts.length === 1 && !/^[A-G]m$/.test(text.trim());
  return {
    ...(bpm && { bpm }),
    ...(keys.length > 0 && { keys }),
    rest,
    endsInRest: isRest.at(-1) === true,
    isDoubtful: !isCertain && !isOneWord,
  };
}

interface Found {
  /** How many parts of the text it takes. */
  count: number;
  isCertain: boolean;
}

/** `140 bpm`, `140bpm`, `bpm 140`, `138-142`, `138 - 142 bpm`, `138 to 142 bpm`. */
function tempoAt(parts: readonly string[], at: number): (Found & { bpm: Range }) | undefined {
  for (const count of [4, 3, 2, 1]) {
    if (at + count > parts.length) continue;
    const found = /^(bpm )?(\d{1,3}(?:\.\d+)?)(?: ?(?:-|to) ?(\d{1,3}(?:\.\d+)?))?( ?bpm)?$/i.exec(
      parts.slice(at, at + count).join(" "),
    );
    if (found === null) continue;
    const [, before, low, high, behind] = found;
    const isCertain = before !== undefined || behind !== undefined;
    const ends = [low, high ?? low].map((end) => Math.round(Number(end))).sort((a, b) => a - b);
    const [min = 0, max = 0] = ends;
    if (isCertain ? min < 1 || max > maxBpm : !isUsualRange(found[0], Number(low), Number(high))) continue;
    return { count, isCertain, bpm: { min, max } };
  }
  return undefined;
}

const isUsualRange = (text: string, low: number, high: number): boolean =>
  text.includes("-") && low >= usualBpm.min && high <= usualBpm.max && low < high;

/** `a minor`, `in A min`, `Bb maj`, `C # minor`, `C#m`, `Am`, `8A`. */
function keyAt(parts: readonly string[], at: number): (Found & { keyCode: number }) | undefined {
  const before = leadIn(parts, at);
  for (const count of [3, 2, 1]) {
    const from = at + before;
    if (from + count > parts.length) continue;
    const text = parts.slice(from, from + count).join(" ");
    const shape = keyShapes.find(({ is }) => is.test(text));
    const { keyCode } = shape === undefined ? { keyCode: unknownKeyCode } : parseKey(text.replace(/ (?=#|b\b)/i, ""));
    if (shape === undefined || keyCode === unknownKeyCode) continue;
    const behind = parts[from + count]?.toLowerCase() === "key" && before === 0 ? 1 : 0;
    return { keyCode, count: before + count + behind, isCertain: shape.isCertain };
  }
  return undefined;
}

/** `in` and `key of` before a key belong to it. */
function leadIn(parts: readonly string[], at: number): number {
  const [first, second, third] = parts.slice(at, at + 3).map((part) => part.toLowerCase());
  if (first === "in" && second === "key" && third === "of") return 3;
  if (first === "key" && second === "of") return 2;
  return first === "in" || first === "key" ? 1 : 0;
}

/** "am", "em" and "ebm" are words: a minor key of two letters must be written as such, Am or Ebm. */
const keyShapes = [
  { is: /^[a-h] ?(#|b|sharp|flat|is|es|s)?[ -]?(major|minor|maj|min|dur|moll)\.?$/i, isCertain: true },
  { is: /^[a-g]#m$/i, isCertain: true },
  { is: /^[A-G]bm$/, isCertain: true },
  { is: /^[A-G]m$/, isCertain: false },
  { is: /^(0?[1-9]|1[0-2])[AB]$/i, isCertain: false },
];
