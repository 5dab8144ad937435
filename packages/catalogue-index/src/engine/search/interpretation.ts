import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import type { Range } from "../../query.ts";
import { namedPrice } from "./prices.ts";

const unknownKeyCode = 24;
/** Limits of a tempo range without "bpm". */
const usualBpm = { min: 40, max: 300 };
const maxBpm = 999;

const traitNames = ["priceCents", "keys", "bpm"] as const;
type TraitName = (typeof traitNames)[number];

/** The percentages by which a tempo is widened. A track that is played up to 8 % faster sounds nearly the same. */
const nearPercents = [2, 4, 8];

/** Prices, tempos and keys that a text names, and the rest of the text. */
export interface NamedTraits {
  priceCents?: Range;
  bpm?: Range;
  /** Key codes. */
  keys?: number[];
  /** The typed text of each trait. */
  typed: Partial<Record<TraitName, string>>;
  /** The named traits in the order in which they are dropped if no beat has them all. */
  droppable: readonly TraitName[];
  /** The typed tempo, and the range in place of it. */
  widened?: Record<string, string>;
  rest: string;
  /** Whether the text ends with the rest, so that its last word may be unfinished. */
  endsInRest: boolean;
  /**
   * Whether a trait could also be words: "Am", "under 20"; next to other words also "8A", or a number without a unit.
   */
  isDoubtful: boolean;
}

/** Matches every text with a price, a tempo or a key: digits, or the name of a note. Most texts need no parsing. */
const mayNameTrait = /[\d♯♭]|(?:^|[\s,;])[a-h](?:$|[\s,;#bdefims\-\u2010-\u2015])/i;

/** Limits of a bare number. A number outside them is more likely part of a name. */
const bareBpm = { min: 50, max: 220 };

/**
 * Reads prices, tempos and keys in the typed text: `under $20`, `140 bpm`, `138-142`, `a minor`, `8A`, `C#m`. A bare
 * number is a tempo if it stands alone, or next to a key or to a word that `isOfMusic`. Returns undefined without any
 * trait.
 */
export function namedTraits(text: string, isOfMusic: (word: string) => boolean): NamedTraits | undefined {
  if (!mayNameTrait.test(text)) return undefined;
  const price = namedPrice(text);
  const parts = (price?.rest ?? text)
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/♯/g, "#")
    .replace(/♭/g, "b")
    .trim()
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  const isRest = parts.map(() => true);
  const typed: NamedTraits["typed"] = price === undefined ? {} : { priceCents: price.typed };
  const keys: number[] = [];
  let bpm: Range | undefined;
  const isCertain: Partial<Record<TraitName, boolean>> = price === undefined ? {} : { priceCents: price.isCertain };
  const addTrait = (name: TraitName, from: number, trait: Trait) => {
    isRest.fill(false, from, from + trait.count);
    typed[name] = [typed[name], parts.slice(from, from + trait.count).join(" ")].filter(Boolean).join(" ");
    isCertain[name] = (isCertain[name] ?? true) && trait.isCertain;
  };
  for (let index = 0; index < parts.length; ) {
    const tempo = bpm === undefined ? tempoAt(parts, index) : undefined;
    const key = tempo === undefined ? keyAt(parts, index) : undefined;
    const trait = tempo ?? key;
    if (tempo !== undefined) bpm = tempo.bpm;
    if (key !== undefined && !keys.includes(key.keyCode)) keys.push(key.keyCode);
    if (trait !== undefined) addTrait(tempo === undefined ? "keys" : "bpm", index, trait);
    index += trait?.count ?? 1;
  }
  if (keys.length === 0) {
    const word = wordLikeKeyIn(parts, isRest, bpm !== undefined);
    if (word !== undefined) {
      keys.push(word.keyCode);
      addTrait("keys", word.index, { count: 1, isCertain: false });
    }
  }
  const bareIndex = bpm === undefined ? bareTempoIn(parts, isRest, keys.length > 0, isOfMusic) : undefined;
  if (bareIndex !== undefined) {
    const beats = Number(parts[bareIndex]);
    bpm = { min: beats, max: beats };
    addTrait("bpm", bareIndex, { count: 1, isCertain: false });
  }
  if (price === undefined && bpm === undefined && keys.length === 0) return undefined;
  const isOneWord = price === undefined && parts.length === 1 && !/^[A-G]m$/.test(text.trim());
  return {
    ...(price && { priceCents: price.priceCents }),
    ...(bpm && { bpm }),
    ...(keys.length > 0 && { keys }),
    typed,
    // The tempo is dropped last, unless it is a bare number next to a key with a mode.
    droppable: (isCertain.keys && isCertain.bpm === false
      ? (["priceCents", "bpm", "keys"] as const)
      : traitNames
    ).filter((name) => typed[name] !== undefined),
    rest: parts.filter((_, position) => isRest[position]).join(" "),
    endsInRest: isRest.at(-1) === true,
    isDoubtful: Object.values(isCertain).includes(false) && !isOneWord,
  };
}

/** Returns the traits without one of them; undefined if no other trait is named. */
export function withoutTrait(traits: NamedTraits, name: TraitName): NamedTraits | undefined {
  const others = { ...traits, droppable: traits.droppable.filter((each) => each !== name) };
  delete others[name];
  return others.droppable.length === 0 ? undefined : others;
}

/** Returns the traits with the tempo widened, the nearest tempos first; none if no tempo is named. */
export function withNearTempos(traits: NamedTraits): NamedTraits[] {
  const { bpm, typed } = traits;
  if (bpm?.min === undefined || bpm.max === undefined) return [];
  const { min, max } = bpm;
  return nearPercents.map((percent) => {
    const near = { min: Math.ceil(min * (1 - percent / 100)), max: Math.floor(max * (1 + percent / 100)) };
    return { ...traits, bpm: near, widened: { [typed.bpm ?? ""]: `${near.min}-${near.max}` } };
  });
}

/**
 * Finds a minor key in small letters, such as `am` in `am 140`. It is a key only if the rest of the text is one tempo.
 */
function wordLikeKeyIn(
  parts: readonly string[],
  isRest: readonly boolean[],
  hasBpm: boolean,
): { index: number; keyCode: number } | undefined {
  const rest = parts.flatMap((part, index) => (isRest[index] === true ? [{ part, index }] : []));
  const [word, ...others] = rest.filter(({ part }) => !isBareTempo(part));
  if (word === undefined || others.length > 0 || !/^(?:[ae]|[a-g]b)m$/.test(word.part)) return undefined;
  const tempos = rest.length - 1 + Number(hasBpm);
  return tempos === 1 ? { index: word.index, keyCode: parseKey(word.part).keyCode } : undefined;
}

const isBareTempo = (part: string): boolean =>
  /^\d{2,3}$/.test(part) && Number(part) >= bareBpm.min && Number(part) <= bareBpm.max;

/** Returns the index of the only bare number if it is a tempo: alone, next to a key, or next to words of music. */
function bareTempoIn(
  parts: readonly string[],
  isRest: readonly boolean[],
  hasKey: boolean,
  isOfMusic: (word: string) => boolean,
): number | undefined {
  const rest = parts.flatMap((part, index) => (isRest[index] === true ? [{ part, index }] : []));
  const isNumber = ({ part }: { part: string }) => isBareTempo(part);
  const numbers = rest.filter(isNumber);
  const others = rest.filter((each) => !isNumber(each));
  const [only] = numbers;
  if (numbers.length !== 1 || only === undefined) return undefined;
  return others.length === 0 || hasKey || others.some(({ part }) => isOfMusic(part)) ? only.index : undefined;
}

interface Trait {
  /** Number of parts of the text that it covers. */
  count: number;
  isCertain: boolean;
}

/** `140 bpm`, `140bpm`, `bpm 140`, `138-142`, `138 - 142 bpm`, `138 to 142 bpm`. */
function tempoAt(parts: readonly string[], index: number): (Trait & { bpm: Range }) | undefined {
  for (const count of [4, 3, 2, 1]) {
    if (index + count > parts.length) continue;
    const match = /^(bpm )?(\d{1,3}(?:\.\d+)?)(?: ?(?:-|to) ?(\d{1,3}(?:\.\d+)?))?( ?bpm)?$/i.exec(
      parts.slice(index, index + count).join(" "),
    );
    if (match === null) continue;
    const [, unitBefore, low, high, unitAfter] = match;
    const isCertain = unitBefore !== undefined || unitAfter !== undefined;
    const ends = [low, high ?? low].map((end) => Math.round(Number(end))).sort((a, b) => a - b);
    const [min = 0, max = 0] = ends;
    if (isCertain ? min < 1 || max > maxBpm : !isUsualRange(match[0], Number(low), Number(high))) continue;
    return { count, isCertain, bpm: { min, max } };
  }
  return undefined;
}

const isUsualRange = (text: string, low: number, high: number): boolean =>
  text.includes("-") && low >= usualBpm.min && high <= usualBpm.max && low < high;

/** `a minor`, `in A min`, `Bb maj`, `C # minor`, `C#m`, `Am`, `8A`. */
function keyAt(parts: readonly string[], index: number): (Trait & { keyCode: number }) | undefined {
  const before = leadIn(parts, index);
  for (const count of [3, 2, 1]) {
    const from = index + before;
    if (from + count > parts.length) continue;
    const text = parts.slice(from, from + count).join(" ");
    const shape = keyShapes.find(({ is }) => is.test(text));
    const { keyCode } = shape === undefined ? { keyCode: unknownKeyCode } : parseKey(text.replace(/ (?=#|b\b)/i, ""));
    if (shape === undefined || keyCode === unknownKeyCode) continue;
    const after = parts[from + count]?.toLowerCase() === "key" && before === 0 ? 1 : 0;
    return { keyCode, count: before + count + after, isCertain: shape.isCertain };
  }
  return undefined;
}

/** Returns how many words before a key belong to it: `in`, `key`, `key of` or `in key of`. */
function leadIn(parts: readonly string[], index: number): number {
  const [first, second, third] = parts.slice(index, index + 3).map((part) => part.toLowerCase());
  if (first === "in" && second === "key" && third === "of") return 3;
  if (first === "key" && second === "of") return 2;
  return first === "in" || first === "key" ? 1 : 0;
}

/**
 * The spellings of keys. "am", "em" and "ebm" are words, so they count as keys only in the spelling Am or Ebm, or next
 * to a tempo alone.
 */
const keyShapes = [
  { is: /^[a-h] ?(#|b|sharp|flat|is|es|s)?[ -]?(major|minor|maj|min|dur|moll)\.?$/i, isCertain: true },
  { is: /^[a-g]#m$/i, isCertain: true },
  { is: /^[A-G]bm$/, isCertain: true },
  { is: /^[A-G]m$/, isCertain: false },
  { is: /^[bcdfg]m$/, isCertain: false },
  { is: /^(0?[1-9]|1[0-2])[AB]$/i, isCertain: false },
];
