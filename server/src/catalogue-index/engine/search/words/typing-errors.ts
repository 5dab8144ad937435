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

/** Edits between two words (optimal string alignment: no letter is edited twice), 0 to `most`; -1 if there are more. */
export function areWithin(a: string, b: string, most: number): number {
  for (let edits = 0; edits <= most; edits++) if (isWithin(a, 0, b, 0, edits)) return edits;
  return -1;
}

/** Letters that agree are skipped; where they do not, each kind of edit is tried. */
function isWithin(a: string, fromA: number, b: string, fromB: number, edits: number): boolean {
  let [atA, atB] = [fromA, fromB];
  while (atA < a.length && atB < b.length && a.charCodeAt(atA) === b.charCodeAt(atB)) {
    atA++;
    atB++;
  }
  const [leftA, leftB] = [a.length - atA, b.length - atB];
  if (leftA === 0 || leftB === 0) return leftA + leftB <= edits;
  if (edits === 0 || Math.abs(leftA - leftB) > edits) return false;
  return (
    isWithin(a, atA + 1, b, atB + 1, edits - 1) ||
    isWithin(a, atA + 1, b, atB, edits - 1) ||
    isWithin(a, atA, b, atB + 1, edits - 1) ||
    (leftA > 1 &&
      leftB > 1 &&
      a.charCodeAt(atA) === b.charCodeAt(atB + 1) &&
      a.charCodeAt(atA + 1) === b.charCodeAt(atB) &&
      isWithin(a, atA + 2, b, atB + 2, edits - 1))
  );
}
