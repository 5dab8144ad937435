import type { Bitmap } from "./bitmap.ts";

/** The slots of any of the bitmaps (at most four; none: all slots), and between two bounds of an order. */
export interface Cover {
  anyOf: readonly Bitmap[];
  /** Without the slots below this bound. */
  above?: Edge | null;
  /** Only the slots below this bound. */
  below?: Edge | null;
}

/** The slots below a bound of an order: those of `below`, and those of `next` that `upperHalf` lacks. */
export interface Edge {
  below: Bitmap | null;
  /** Null: no slots of `next`. */
  upperHalf: Bitmap | null;
  next: Bitmap;
}

/** The words of a block: small enough that the block of the result stays in the fastest cache. */
const blockWords = 2_048;

/**
 * Sets `into` to the slots that are in every cover, and returns their number. At least one cover must have only listed
 * slots. Reads each bitmap once, in blocks; stops reading a block when no slot of it is left.
 */
export function intersect(covers: readonly Cover[], into: Bitmap): number {
  const { words } = into;
  let count = 0;
  for (let from = 0; from < words.length; from += blockWords) {
    const to = Math.min(from + blockWords, words.length);
    words.fill(0xffff_ffff, from, to);
    if (covers.every((cover) => keep(words, cover, from, to))) count += into.count(from, to);
  }
  return count;
}

/** Keeps the slots of a cover in some words. Returns whether any slot is left. */
function keep(words: Uint32Array, { anyOf, above, below }: Cover, from: number, to: number): boolean {
  const [first, second] = anyOf;
  if (above) keepSide(words, above, false, from, to);
  if (below) keepSide(words, below, true, from, to);
  if (first === undefined) return true;
  return second === undefined
    ? keepOne(words, first.words, from, to)
    : keepAny(words, [first, second, anyOf[2] ?? second, anyOf[3] ?? second], from, to);
}

function keepOne(words: Uint32Array, other: Uint32Array, from: number, to: number): boolean {
  const both = Math.max(from, Math.min(to, other.length));
  let left = 0;
  for (let index = from; index < both; index += 4) {
    const one = (words[index] as number) & (other[index] as number);
    const two = (words[index + 1] as number) & (other[index + 1] as number);
    const three = (words[index + 2] as number) & (other[index + 2] as number);
    const four = (words[index + 3] as number) & (other[index + 3] as number);
    words[index] = one;
    words[index + 1] = two;
    words[index + 2] = three;
    words[index + 3] = four;
    left |= one | two | three | four;
  }
  words.fill(0, both, to);
  return left !== 0;
}

function keepSide(words: Uint32Array, edge: Edge, isBelow: boolean, from: number, to: number): void {
  const { below, upperHalf } = edge;
  if (upperHalf !== null) keepHalf(words, edge, upperHalf.words, isBelow, from, to);
  else if (below !== null && isBelow) keepOne(words, below.words, from, to);
  else if (below !== null) keepNot(words, below.words, from, to);
}

function keepHalf(
  words: Uint32Array,
  { below: lower, next: { words: next } }: Edge,
  upperHalf: Uint32Array,
  isBelow: boolean,
  from: number,
  to: number,
): void {
  const below = lower === null ? next : lower.words;
  const belowMask = lower === null ? 0 : -1;
  const flip = isBelow ? 0 : -1;
  const all = Math.max(from, Math.min(to, below.length, next.length, upperHalf.length));
  for (let at = from; at < all; at++) {
    const isIn = ((below[at] as number) & belowMask) | ((next[at] as number) & ~(upperHalf[at] as number));
    words[at] = (words[at] as number) & (isIn ^ flip);
  }
  for (let at = all; at < to; at++) {
    const isIn = ((below[at] ?? 0) & belowMask) | ((next[at] ?? 0) & ~(upperHalf[at] ?? 0));
    words[at] = (words[at] as number) & (isIn ^ flip);
  }
}

function keepNot(words: Uint32Array, other: Uint32Array, from: number, to: number): void {
  const both = Math.min(to, other.length);
  for (let index = from; index < both; index += 4) {
    words[index] = (words[index] as number) & ~(other[index] as number);
    words[index + 1] = (words[index + 1] as number) & ~(other[index + 1] as number);
    words[index + 2] = (words[index + 2] as number) & ~(other[index + 2] as number);
    words[index + 3] = (words[index + 3] as number) & ~(other[index + 3] as number);
  }
}

function keepAny(
  words: Uint32Array,
  [{ words: a }, { words: b }, { words: c }, { words: d }]: readonly [Bitmap, Bitmap, Bitmap, Bitmap],
  from: number,
  to: number,
): boolean {
  const all = Math.max(from, Math.min(to, a.length, b.length, c.length, d.length));
  let left = 0;
  for (let at = from; at < all; at += 2) {
    const next = at + 1;
    const any = (a[at] as number) | (b[at] as number) | (c[at] as number) | (d[at] as number);
    const nextAny = (a[next] as number) | (b[next] as number) | (c[next] as number) | (d[next] as number);
    const word = (words[at] as number) & any;
    const nextWord = (words[next] as number) & nextAny;
    words[at] = word;
    words[next] = nextWord;
    left |= word | nextWord;
  }
  for (let at = all; at < to; at++) {
    const word = (words[at] as number) & ((a[at] ?? 0) | (b[at] ?? 0) | (c[at] ?? 0) | (d[at] ?? 0));
    words[at] = word;
    left |= word;
  }
  return left !== 0;
}
