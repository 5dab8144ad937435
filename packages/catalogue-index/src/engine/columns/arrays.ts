/** What a column can be. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The array with room for `length` values: itself, or a copy that is zero behind its values. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

/** The array with room for `length` values and no more: itself, or a copy of its first ones. */
export const trimmed = <T extends Numbers>(array: T, length: number): T =>
  array.length === length ? array : (array.slice(0, length) as T);

/** Room to ask for when `length` values are needed and there is room for `capacity`: an eighth more than needed. */
export const nextCapacity = (length: number, capacity: number): number =>
  length <= capacity ? capacity : Math.max(64, length + (length >>> 3));

/** The first number from `from` on for which `isBelow` does not hold; `to` if it holds for all. O(log n). */
export function lowerBound(from: number, to: number, isBelow: (at: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many values of an ascending array are less than `value`. O(log n). */
export function countBelow(ascending: Uint32Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Both, ascending. */
export function mergedAscending(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (b.length === 0) return a;
  const merged = grown(a, a.length + b.length);
  // From behind, so that nothing is overwritten before it is read.
  let left = a.length - 1;
  let right = b.length - 1;
  for (let at = merged.length - 1; right >= 0; at--)
    merged[at] =
      left >= 0 && (a[left] as number) > (b[right] as number) ? (a[left--] as number) : (b[right--] as number);
  return merged;
}
