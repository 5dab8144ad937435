import { gzipSync } from "node:zlib";
import { bitsOfEntry, entriesOfList } from "./entry.ts";

/**
 * The `encodedList` of values by index; those of other indexes are 0. The first bit of the string is the highest of the first byte, and
 * the first bit of an entry its highest. Multibase base64url of the GZIP, as the specification wants.
 */
export function encodedList(values: Iterable<readonly [index: number, value: number]>): string {
  const bytes = new Uint8Array((entriesOfList * bitsOfEntry) / 8);
  for (const [index, value] of values) {
    if (index < 0 || index >= entriesOfList || value >= 2 ** bitsOfEntry)
      throw new RangeError(`A status list has no place ${index} for the value ${value}.`);
    const bit = index * bitsOfEntry;
    const byte = bit >> 3;
    bytes[byte] = (bytes[byte] ?? 0) | (value << (8 - bitsOfEntry - (bit & 7)));
  }
  return `u${gzipSync(bytes).toString("base64url")}`;
}
