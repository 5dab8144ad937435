import type { Numbers } from "../columns/arrays.ts";
import type { Bitmap } from "../columns/bitmap.ts";

// Each `keep` function moves those of the first `count` slots that pass to the front, and returns their number. Random
// slots mislead a processor that predicts branches, so no loop has one. Doubles have a loop of their own: in a loop for
// several types of arrays the compiler allocates memory for each double.

/** The ends of a range, both inclusive. */
export interface Ends {
  min: number;
  max: number;
}

type Integers = Exclude<Numbers, Float64Array>;

export function isWithin(keys: Numbers, slot: number, { min, max }: Ends): boolean {
  if (keys instanceof Float64Array) return (keys[slot] as number) >= min && (keys[slot] as number) <= max;
  return (keys[slot] as number) >= min && (keys[slot] as number) <= max;
}

export function keepIntegers(slots: Uint32Array, count: number, keys: Integers, { min, max }: Ends): number {
  const least = Math.max(0, Math.ceil(min)) >>> 0;
  const most = max < 0 ? -1 : Math.min(largest, Math.floor(max));
  if (min > largest || most < least) return 0;
  // Unsigned: a key below the least wraps around, and is far above the most.
  const width = (most - least) >>> 0;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const slot = slots[index] as number;
    const distance = ((keys[slot] as number) - least) >>> 0;
    slots[kept] = slot;
    kept += Number(distance <= width);
  }
  return kept;
}

const largest = 0xffff_ffff;

export function keepDoubles(slots: Uint32Array, count: number, keys: Float64Array, { min, max }: Ends): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const slot = slots[index] as number;
    const key = keys[slot] as number;
    slots[kept] = slot;
    kept += Number(key >= min) & Number(key <= max);
  }
  return kept;
}

/** `isIn`: 1 for each value that passes. */
export function keepValues(slots: Uint32Array, count: number, column: Numbers, isIn: Uint8Array): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const slot = slots[index] as number;
    slots[kept] = slot;
    kept += isIn[column[slot] as number] as number;
  }
  return kept;
}

export function keepBits(slots: Uint32Array, count: number, { words }: Bitmap): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const slot = slots[index] as number;
    slots[kept] = slot;
    kept += ((words[slot >>> 5] ?? 0) >>> (slot & 31)) & 1;
  }
  return kept;
}
