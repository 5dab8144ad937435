import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";

/** The hash that all copies of one recording share. Two different titles collide with probability 2^-32. */
export const titleHash = (title: string): number => plainTitleHash(title) ?? hashOf(foldWhole(title));

/**
 * The same hash without building the folded title, in a fifth of the time. Undefined unless the title consists of ASCII
 * letters, digits and spaces, with at least one letter or digit and at most 100 characters.
 */
export function plainTitleHash(title: string): number | undefined {
  if (title.length > 100) return undefined;
  let hash = hashBasis;
  for (let index = 0; index < title.length; index++) {
    const code = title.charCodeAt(index);
    if (code === space) continue;
    // Converts a letter to lower case.
    const folded = code >= 65 && code <= 90 ? code | 0x20 : code;
    if (!((folded >= 97 && folded <= 122) || (folded >= 48 && folded <= 57))) return undefined;
    hash = Math.imul(hash ^ folded, hashPrime);
  }
  return hash === hashBasis ? undefined : mixed(hash);
}

const space = 32;
const hashBasis = 0x811c9dc5;
const hashPrime = 0x01000193;
const mixed = (hash: number): number => Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;

/** FNV-1a over UTF-16 code units, mixed at the end. */
export function hashOf(text: string): number {
  let hash = hashBasis;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), hashPrime);
  return mixed(hash);
}
