// Finds the words that a typed word may stand for. Pure.

/** Keys use the first letters only, which bounds the number of keys of a long word. */
const keyedLength = 7;
/** Fewer bits make a smaller index, more bits fewer words for each key. */
const keyBits = 17;
/** Words of this length allow two edits, so the typed text may be two letters shorter. */
const twoEditsLength = 8;

/**
 * The number of edits (a letter added, omitted, changed, or two neighbours swapped) allowed between a typed text and a
 * word: two if the word has eight letters or more, one if the word or the typed text has four or more.
 */
export function allowedEdits(typedLength: number, wordLength: number): 0 | 1 | 2 {
  if (wordLength >= twoEditsLength) return 2;
  return Math.max(typedLength, wordLength) >= 4 ? 1 : 0;
}

/** The keys that a word is stored under. Every text within its allowed edits shares at least one of them. */
export const wordKeys = (word: string): number[] => keysOf(word, word.length >= twoEditsLength ? 2 : 1);

/** The keys that find candidates for a typed word. `editDistance` decides which of them are close enough. */
export const typedKeys = (typed: string): number[] => keysOf(typed, typed.length >= twoEditsLength - 2 ? 2 : 1);

/** Hashes of the first letters with up to `edits` of them left out. */
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

/** FNV-1a without the letters at two places. Keys are stored: another hash needs a migration that recomputes them. */
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
