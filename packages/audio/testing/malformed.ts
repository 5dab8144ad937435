import { seededNumbers } from "./signals.ts";

/** A broken file, with the name of the fault. */
export interface Malformed {
  what: string;
  bytes: Buffer;
}

type Break = (bytes: Buffer, random: () => number) => Buffer;

/** A random integer from 0 to `length` - 1. */
const within = (random: () => number, length: number): number => Math.floor(random() * length);

/** Ways to break any file. */
const breaks: Record<string, Break> = {
  truncated: (bytes, random) => bytes.subarray(0, within(random, bytes.length)),
  "flipped bytes": (bytes, random) => {
    const flips = 1 + within(random, 30);
    for (let flip = 0; flip < flips; flip++) bytes[within(random, bytes.length)] = within(random, 256);
    return bytes;
  },
  "flipped header": (bytes, random) => {
    for (let flip = 0; flip < 3; flip++) bytes[within(random, Math.min(200, bytes.length))] = within(random, 256);
    return bytes;
  },
  "huge field": (bytes, random) => {
    const offset = within(random, Math.min(200, bytes.length));
    return bytes.fill(0xff, offset, Math.min(bytes.length, offset + 1 + within(random, 8)));
  },
  "zeroed part": (bytes, random) => {
    const offset = within(random, bytes.length);
    return bytes.fill(0, offset, Math.min(bytes.length, offset + within(random, 5000)));
  },
  "repeated part": (bytes, random) => {
    const offset = within(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, offset + within(random, 3000)), bytes.subarray(offset)]);
  },
  "missing part": (bytes, random) => {
    const offset = within(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, offset), bytes.subarray(offset + within(random, 3000))]);
  },
  "noise after the header": (bytes, random) => {
    for (let offset = 64 + within(random, 200); offset < bytes.length; offset++) bytes[offset] = within(random, 256);
    return bytes;
  },
};

/**
 * Breaks a valid file in `count` ways, which cycle through the kinds of faults. The same seed creates the same files.
 */
export function malformed(good: Buffer, count: number, seed: number): Malformed[] {
  const ways = Object.entries(breaks);
  return Array.from({ length: count }, (_, index) => {
    const [name, change] = ways[index % ways.length] as (typeof ways)[number];
    return { what: `${name} (seed ${seed + index})`, bytes: change(Buffer.from(good), seededNumbers(seed + index)) };
  });
}
