import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac, randomBytes as systemBytes } from "node:crypto";

/** The source of the random parts of ids and secrets. */
export interface RandomSource {
  bytes(count: number): Buffer;
}

const current = new AsyncLocalStorage<RandomSource>();

/**
 * Runs `work`, and everything that it starts, with this source. A service uses the system's source. A sandbox uses a seeded
 * source, so that the same calls create the same ids on every machine. The source is a context instead of a parameter,
 * because the deepest layer creates the ids of events.
 */
export const onRandomSource = <T>(source: RandomSource, work: () => T): T => current.run(source, work);

export const randomBytes = (count: number): Buffer => current.getStore()?.bytes(count) ?? systemBytes(count);

/** A random integer from 0 to below `limit`, which is at most 2^48. */
export function randomInt(limit: number): number {
  const range = 2 ** 48;
  // Rejects the last incomplete run of values, so that all results are equally likely.
  const accepted = range - (range % limit);
  for (;;) {
    const value = randomBytes(6).readUIntBE(0, 6);
    if (value < accepted) return value % limit;
  }
}

/** A UUID of version 4. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Random bytes that depend only on a seed and on the number of earlier draws. */
export class SeededSource implements RandomSource {
  readonly #seed: string;
  /** The number of draws before this source was created. */
  readonly openedAt: number;
  /** The number of draws so far. */
  draws: number;

  constructor(seed: string, draws = 0) {
    this.#seed = seed;
    this.openedAt = draws;
    this.draws = draws;
  }

  bytes(count: number): Buffer {
    const draw = this.draws++;
    const blocks = Array.from({ length: Math.ceil(count / 32) }, (_, block) =>
      createHmac("sha256", this.#seed).update(`${draw}:${block}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, count);
  }
}
