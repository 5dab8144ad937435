/** Numbers from 0 (inclusive) to 1, the same sequence for the same seed on every machine (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks a choice by the next number of the sequence. */
export function pick<T>(random: () => number, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

/** Random choices that are the same for the same seed on every machine. */
export class SeededRandom {
  /** A number from 0 to below 1. */
  readonly fraction: () => number;

  constructor(seed: number) {
    this.fraction = seededRandom(seed);
  }

  /** An integer of the range, including both ends. */
  integer([from, to]: Range): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  /** A number of the range. The middle of the range is the most likely. */
  around([from, to]: Range): number {
    return from + ((this.fraction() + this.fraction()) / 2) * (to - from);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.fraction() * list.length)];
    if (picked === undefined) throw new Error("There is nothing to pick from.");
    return picked;
  }

  /** `count` different items of a list, in random order. All items if the list is shorter. */
  sample<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    const sample: T[] = [];
    while (sample.length < count && rest.length > 0) sample.push(...rest.splice(this.integer([0, rest.length - 1]), 1));
    return sample;
  }
}

export type Range = readonly [number, number];
