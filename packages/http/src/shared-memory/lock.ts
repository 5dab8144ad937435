import { threadId } from "node:worker_threads";

const free = 0;
const held = 1;
const awaited = 2;
/** Longer than any holder works, so a longer wait means that its thread was not scheduled. */
const spins = 200;

/** The words of a lock: its state, and the thread that holds it. */
export const lockWords = 2;

/**
 * A lock in shared memory, for short work that neither waits nor allocates. `releaseOf` frees it after the death of a
 * thread.
 */
export class Lock {
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  run<T>(work: () => T): T {
    this.#acquire();
    try {
      return work();
    } finally {
      this.#release();
    }
  }

  /** Frees the lock if the thread that ended holds it. */
  releaseOf(ended: number): void {
    if (Atomics.load(this.#words, 0) !== free && Atomics.load(this.#words, 1) === ended) this.#release();
  }

  #acquire(): void {
    const words = this.#words;
    let isHeld = Atomics.compareExchange(words, 0, free, held) !== free;
    for (let spin = 0; isHeld && spin < spins; spin++) isHeld = Atomics.compareExchange(words, 0, free, held) !== free;
    while (isHeld) {
      isHeld = Atomics.exchange(words, 0, awaited) !== free;
      if (isHeld) Atomics.wait(words, 0, awaited);
    }
    Atomics.store(words, 1, threadId);
  }

  #release(): void {
    Atomics.store(this.#words, 1, -1);
    if (Atomics.exchange(this.#words, 0, free) === awaited) Atomics.notify(this.#words, 0, 1);
  }
}
