import { isMainThread, threadId } from "node:worker_threads";
import { Unavailable } from "@beatmarket/foundation/errors.ts";

// The word of a lock: 0 while it is free, otherwise its thread's number, and in the lowest bit whether others wait.
const free = 0;
const awaited = 1;
const wordOf = (thread: number): number => (thread + 1) << 1;
const own = wordOf(threadId);

/** Longer than any holder works, so a longer wait means that its thread was not scheduled, or has ended. */
const spins = 200;
/** A thread that was woken may end before it takes the lock, so no other one sleeps for longer. */
const sleepMs = 100;
const timeoutMs = 1_000;
/** For a thread that was waited for in vain before. */
const shortTimeoutMs = 10;

export const lockWords = 1;

/**
 * A lock in shared memory, for short work that neither waits nor allocates much. A thread may end while it holds the
 * lock, for example without memory. The main thread frees the lock with `releaseOf` when it is notified of the end, so it
 * must not wait for that here: after a second it throws Unavailable instead. All other threads wait for the main thread.
 */
export class Lock {
  readonly #words: Int32Array;
  readonly #timeoutMs: number;
  /** The word of the thread that was waited for in vain. */
  #missing = free;

  constructor(words: Int32Array, timeout = isMainThread ? timeoutMs : Number.POSITIVE_INFINITY) {
    this.#words = words;
    this.#timeoutMs = timeout;
  }

  run<T>(work: () => T): T {
    this.#acquire();
    try {
      return work();
    } finally {
      this.#release();
    }
  }

  /** If the thread that ended holds the lock, repairs what it protects, before others can take it, and frees it. */
  releaseOf(ended: number, repair: () => void): void {
    const words = this.#words;
    for (let word = Atomics.load(words, 0); (word & ~awaited) === wordOf(ended); word = Atomics.load(words, 0)) {
      if (Atomics.compareExchange(words, 0, word, own | (word & awaited)) !== word) continue;
      try {
        repair();
      } finally {
        this.#release();
      }
    }
  }

  #acquire(): void {
    const words = this.#words;
    let word = Atomics.compareExchange(words, 0, free, own);
    for (let spin = 0; word !== free && spin < spins; spin++) word = Atomics.compareExchange(words, 0, free, own);
    if (word !== free) this.#await();
    this.#missing = free;
  }

  #await(): void {
    const words = this.#words;
    const sinceMs = performance.now();
    for (let word = Atomics.load(words, 0); ; word = Atomics.load(words, 0)) {
      if (word === free) {
        // Others may wait as well.
        if (Atomics.compareExchange(words, 0, free, own | awaited) === free) return;
        continue;
      }
      if ((word & awaited) === 0 && Atomics.compareExchange(words, 0, word, word | awaited) !== word) continue;
      const holder = word & ~awaited;
      const timeout = holder === this.#missing ? Math.min(shortTimeoutMs, this.#timeoutMs) : this.#timeoutMs;
      const leftMs = sinceMs + timeout - performance.now();
      if (leftMs <= 0) {
        this.#missing = holder;
        throw new Unavailable(
          `Thread ${(holder >> 1) - 1} holds a lock in shared memory, and does not release it.`,
          "A part of the service is being started again.",
        );
      }
      Atomics.wait(words, 0, word | awaited, Math.min(leftMs, sleepMs));
    }
  }

  #release(): void {
    if ((Atomics.exchange(this.#words, 0, free) & awaited) !== 0) Atomics.notify(this.#words, 0, 1);
  }
}
