import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac, randomBytes as systemBytes } from "node:crypto";

/**
 * The purposes of random bytes. Each kind has a separate sequence, so that the bytes for a set of orders do not depend
 * on the number of orders in a transaction.
 */
export const drawKinds = ["order", "payment", "event", "mail", "other"] as const;
export type DrawKind = (typeof drawKinds)[number];

/** Where the random parts of ids and secrets come from. */
export interface RandomSource {
  bytes(count: number, kind: DrawKind): Buffer;
}

const current = new AsyncLocalStorage<RandomSource>();

/**
 * Runs `work`, and everything that it starts, with this source. A service uses the system's source. A sandbox uses a
 * seeded source, so that the same calls create the same ids on every machine. The source is a context instead of a
 * parameter, because the deepest layer creates the ids of events.
 */
export const onRandomSource = <T>(source: RandomSource, work: () => T): T => current.run(source, work);

export const randomBytes = (count: number, kind: DrawKind = "other"): Buffer =>
  current.getStore()?.bytes(count, kind) ?? systemBytes(count);

/** A random integer from 0 to below `limit`, which is at most 2^48. */
export function randomInt(limit: number): number {
  const range = 2 ** 48;
  // Rejects the last incomplete run of values, so that all results are equally likely.
  const acceptedRange = range - (range % limit);
  for (;;) {
    const value = randomBytes(6).readUIntBE(0, 6);
    if (value < acceptedRange) return value % limit;
  }
}

/** A UUID of version 4. */
export function randomUuid(kind?: DrawKind): string {
  const bytes = randomBytes(16, kind);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The number of draws of each kind. */
export type Draws = Record<DrawKind, number>;

/** Bytes that follow from a seed, a kind, and the number of draws of this kind before. */
export class SeededSource implements RandomSource {
  readonly #seed: string;
  /** The numbers of draws before this source was opened. */
  readonly openedAt: Readonly<Draws>;
  /** The numbers of draws, including those of this source. */
  readonly draws: Draws;

  constructor(seed: string, draws: Partial<Draws> = {}) {
    this.#seed = seed;
    this.openedAt = { order: 0, payment: 0, event: 0, mail: 0, other: 0, ...draws };
    this.draws = { ...this.openedAt };
  }

  bytes(count: number, kind: DrawKind): Buffer {
    const draw = this.draws[kind]++;
    // Without a name, so that existing sandboxes get the same bytes as before there were kinds.
    const name = kind === "other" ? "" : `${kind}:`;
    const blocks = Array.from({ length: Math.ceil(count / 32) }, (_, block) =>
      createHmac("sha256", this.#seed).update(`${name}${draw}:${block}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, count);
  }
}
