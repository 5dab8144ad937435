/** Which words are typing errors of which others. Pure. */

/** Keys are made of a word's beginning, so that a long word has no more of them than this one. */
const keyedLength = 7;
/** Few enough keys that the index over them stays small, enough that a key leads to few words. */
const keyBits = 17;
/** A word of eight letters may have been typed with two edits, so what was typed may be six letters long. */
const twoEditsLength = 8;

/**
 * How many edits (a letter added, left out, changed, or two neighbours swapped) what was typed may lie away from a
 * word: two if the word has eight letters or more, one if it or what was typed has four or more.
 */
export function allowedEdits(typedLength: number, wordLength: number): 0 | 1 | 2 {
  if (wordLength >= twoEditsLength) return 2;
  return Math.max(typedLength, wordLength) >= 4 ? 1 : 0;
}

/** The keys under which a word is stored. It shares at least one with everything within the edits it allows. */
export const wordKeys = (word: string): number[] => keysOf(word, word.length >= twoEditsLength ? 2 : 1);

/** The keys by which the words are found that were perhaps meant. Not all words found are: `editDistance` decides. */
export const typedKeys = (typed: string): number[] => keysOf(typed, typed.length >= twoEditsLength - 2 ? 2 : 1);

/** Hashes of what the word's first letters become when up to so many are left out. */
function keysOf(word: string, edits: 1 | 2): number[] {
  const text = word.slice(0, keyedLength);
  const none = text.length;
  const keys: number[] = [];
  for (let first = 0; first <= none; first++)
    for (let second = edits === 1 ? none : first; second <= none; second++) {
      const key = hash(text, first, second);
      if (!keys.includes(key)) keys.push(key);
    }
  return keys;
}

/** FNV-1a without the letters at two places. Keys are stored: another hash needs a migration that makes them anew. */
function hash(text: string, first: number, second: number): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    if (at !== first && at !== second) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value ^ (value >>> keyBits)) & ((1 << keyBits) - 1);
}

/** Edits between two words (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  // Row by row: edits between the first letters of `a` and the first `column` letters of `b`.
  let beforeLast: number[] = [];
  let last: number[] = [];
  for (let column = 0; column <= b.length; column++) last.push(column);
  for (let row = 1; row <= a.length; row++) {
    const letter = a.charCodeAt(row - 1);
    const current = [row];
    let left = row;
    let diagonal = row - 1;
    for (let column = 1; column <= b.length; column++) {
      const above = last[column] ?? 0;
      const other = b.charCodeAt(column - 1);
      let edits = letter === other ? diagonal : 1 + Math.min(above, left, diagonal);
      if (row > 1 && column > 1 && letter === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === other)
        edits = Math.min(edits, 1 + (beforeLast[column - 2] ?? 0));
      current.push(edits);
      left = edits;
      diagonal = above;
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
