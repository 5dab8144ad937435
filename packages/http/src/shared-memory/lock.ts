import { isMainThread, threadId } from "node:worker_threads";
import { Unavailable } from "@beatmarket/foundation/errors.ts";

// The word of a lock: 0 while the lock is free; otherwise the number of the holding thread, and in the lowest bit
// whether other threads wait.
const free = 0;
const awaited = 1;
const wordOf = (thread: number): number => (thread + 1) << 1;
const ownWord = wordOf(threadId);

/** Longer than any work under a lock. After these spins the holder is not scheduled, or has ended. */
const spins = 200;
/** Maximum sleep, since the thread that was woken may end before it takes the lock. */
const sleepMs = 100;
const timeoutMs = 1_000;
/** The time limit for a holder that has exceeded `timeoutMs` before. */
const shortTimeoutMs = 10;

export const lockWords = 1;

/**
 * A lock in shared memory, for short work that neither waits nor allocates much. A thread may end while it holds the
 * lock, for example when it runs out of memory. The main thread then gets an event and frees the lock with `releaseOf`.
 * Since a wait would block that event, the main thread throws Unavailable after a second. Other threads wait without a
 * limit.
 */
export class Lock {
  readonly #words: Int32Array;
  readonly #timeoutMs: number;
  /** The word of the holder that exceeded the time limit; `free` without one. */
  #unresponsive = free;

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

  /**
   * Frees the lock of a thread that ended, if it held the lock. Calls `repair` before other threads can take the lock.
   */
  releaseOf(endedThread: number, repair: () => void): void {
    const words = this.#words;
    for (let word = Atomics.load(words, 0); (word & ~awaited) === wordOf(endedThread); word = Atomics.load(words, 0)) {
      if (Atomics.compareExchange(words, 0, word, ownWord | (word & awaited)) !== word) continue;
      try {
        repair();
      } finally {
        this.#release();
      }
    }
  }

  #acquire(): void {
    const words = this.#words;
    let word = Atomics.compareExchange(words, 0, free, ownWord);
    for (let spin = 0; word !== free && spin < spins; spin++) word = Atomics.compareExchange(words, 0, free, ownWord);
    if (word !== free) this.#await();
    this.#unresponsive = free;
  }

  #await(): void {
    const words = this.#words;
    const sinceMs = performance.now();
    for (let word = Atomics.load(words, 0); ; word = Atomics.load(words, 0)) {
      if (word === free) {
        // Marks the lock as awaited, since other threads may also wait.
        if (Atomics.compareExchange(words, 0, free, ownWord | awaited) === free) return;
        continue;
      }
      if ((word & awaited) === 0 && Atomics.compareExchange(words, 0, word, word | awaited) !== word) continue;
      const holder = word & ~awaited;
      const timeout = holder === this.#unresponsive ? Math.min(shortTimeoutMs, this.#timeoutMs) : this.#timeoutMs;
      const remainingMs = sinceMs + timeout - performance.now();
      if (remainingMs <= 0) {
        this.#unresponsive = holder;
        throw new Unavailable(
          `Thread ${(holder >> 1) - 1} holds a lock in shared memory, and does not release it.`,
          "A part of the service is being started again.",
        );
      }
      Atomics.wait(words, 0, word | awaited, Math.min(remainingMs, sleepMs));
    }
  }

  #release(): void {
    if ((Atomics.exchange(this.#words, 0, free) & awaited) !== 0) Atomics.notify(this.#words, 0, 1);
  }
}
