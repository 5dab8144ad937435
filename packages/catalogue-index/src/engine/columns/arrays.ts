/** The types of a column's array. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Returns the array with room for `length` values: the same array, or a copy that is padded with zeros. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

/** Returns the array with exactly `length` values: the same array, or a copy of its first values. */
export const trimmed = <T extends Numbers>(array: T, length: number): T =>
  array.length === length ? array : (array.slice(0, length) as T);

/**
 * Stores a value. Returns the same array, or a copy of the narrowest type that holds the value if the array's type does
 * not. So a column takes the memory that its largest value needs.
 */
export function stored(array: Numbers, index: number, value: number): Numbers {
  array[index] = value;
  if (array[index] === value) return array;
  const [wide = Float64Array] = widths.filter((type) => new type([value])[0] === value);
  const wider = new wide(array.length);
  wider.set(array);
  wider[index] = value;
  return wider;
}

const widths = [Uint8Array, Uint16Array, Uint32Array, Float64Array] as const;

/** The capacity to allocate for `length` values when there is room for `capacity`: an eighth more than needed. */
export const nextCapacity = (length: number, capacity: number): number =>
  length <= capacity ? capacity : Math.max(64, length + (length >>> 3));

/** Returns the first number from `from` on for which `isBelow` is false; `to` if it is true for all. O(log n). */
export function lowerBound(from: number, to: number, isBelow: (index: number) => boolean): number {
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

/** Merges two ascending arrays into one. */
export function mergedAscending(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (b.length === 0) return a;
  const merged = grown(a, a.length + b.length);
  // Backward, so that no value is overwritten before it is read.
  let left = a.length - 1;
  let right = b.length - 1;
  for (let index = merged.length - 1; right >= 0; index--)
    merged[index] =
      left >= 0 && (a[left] as number) > (b[right] as number) ? (a[left--] as number) : (b[right--] as number);
  return merged;
}
