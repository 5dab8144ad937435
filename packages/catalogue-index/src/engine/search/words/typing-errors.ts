/** Words of this length or more allow two edits, so the typed text may be two letters shorter. */
const twoEditsLength = 8;

/**
 * The number of edits (a letter added, omitted, changed, or two neighbours swapped) allowed between a typed text and a
 * word: two if the word has eight letters or more, one if the word or the typed text has four or more.
 */
export function allowedEdits(typedLength: number, wordLength: number): 0 | 1 | 2 {
  if (wordLength >= twoEditsLength) return 2;
  return Math.max(typedLength, wordLength) >= 4 ? 1 : 0;
}

/** Code units of texts; bytes, if all of them are ASCII. */
type Units = Uint16Array | Uint8Array;

/** A text as its UTF-16 code units. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

/**
 * The number of edits between `a` and a part of `b` (optimal string alignment: no letter is edited twice), 0 to `most`,
 * which must not exceed two; -1 if there are more.
 */
export function editsWithin(a: Uint16Array, b: Units, startB: number, endB: number, most: number): number {
  let [fromA, fromB] = [0, startB];
  let [toA, toB] = [a.length, endB];
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) {
    fromA++;
    fromB++;
  }
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) {
    toA--;
    toB--;
  }
  const [leftA, leftB] = [toA - fromA, toB - fromB];
  if (leftA === 0 || leftB === 0) return leftA + leftB <= most ? leftA + leftB : -1;
  if (most === 0) return -1;
  if (areOneApart(a, fromA, toA, b, fromB, toB)) return 1;
  if (most === 1) return -1;
  if (!isSameBetween(a, fromA, leftA, b, fromB, leftB)) return -1;
  // Their first letters differ, so one edit is at the first letters.
  const areTwoApart =
    areOneApart(a, fromA + 1, toA, b, fromB + 1, toB) ||
    areOneApart(a, fromA + 1, toA, b, fromB, toB) ||
    areOneApart(a, fromA, toA, b, fromB + 1, toB) ||
    (leftA > 1 &&
      leftB > 1 &&
      a[fromA] === b[fromB + 1] &&
      a[fromA + 1] === b[fromB] &&
      areOneApart(a, fromA + 2, toA, b, fromB + 2, toB));
  return areTwoApart ? 2 : -1;
}

/**
 * A cheap test before the exact one. If there are two edits, one is at the first letters and the other at the last
 * ones, since both differ; so the letters between are equal except for the shift by the first edit. Returns false if
 * they are not. Returns true also if it cannot decide.
 */
function isSameBetween(a: Uint16Array, fromA: number, leftA: number, b: Units, fromB: number, leftB: number): boolean {
  if (leftA < 6 || leftB < 6) return true;
  const middle = leftA >> 1;
  const [first, second] = [a[fromA + middle - 1] as number, a[fromA + middle] as number];
  for (let index = fromB + middle - 1; index <= fromB + middle + 1; index++)
    if (b[index - 1] === first && b[index] === second) return true;
  return false;
}

/** Whether a part of `a` becomes the part of `b` by at most one edit. */
function areOneApart(a: Uint16Array, startA: number, endA: number, b: Units, startB: number, endB: number): boolean {
  const longer = endA - startA - (endB - startB);
  if (longer > 1 || longer < -1) return false;
  let [fromA, fromB] = [startA, startB];
  let [toA, toB] = [endA, endB];
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) {
    fromA++;
    fromB++;
  }
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) {
    toA--;
    toB--;
  }
  const [leftA, leftB] = [toA - fromA, toB - fromB];
  if (leftA <= 1 && leftB <= 1) return true;
  return leftA === 2 && leftB === 2 && a[fromA] === b[fromB + 1] && a[fromA + 1] === b[fromB];
}
