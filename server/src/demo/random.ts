/** Pseudo-random numbers that are the same for the same seed on every machine (mulberry32). Not for secrets. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 up to, never 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number of the range, both ends included. */
  integer([from, to]: Range): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  /** A number of the range, its middle the likeliest. */
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

  /** `count` different ones of a list, in random order. */
  sample<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    const sample: T[] = [];
    while (sample.length < count && rest.length > 0) sample.push(...rest.splice(this.integer([0, rest.length - 1]), 1));
    return sample;
  }
}

export type Range = readonly [number, number];
