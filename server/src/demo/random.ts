import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";

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

  /** A number of the range. Its middle is the most likely. */
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

  /** `count` different items of a list, in random order. */
  sample<T>(list: readonly T[], count: number): T[] {
    const remaining = [...list];
    const sample: T[] = [];
    while (sample.length < count && remaining.length > 0)
      sample.push(...remaining.splice(this.integer([0, remaining.length - 1]), 1));
    return sample;
  }
}

export type Range = readonly [number, number];
