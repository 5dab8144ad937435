import { ApiError } from "../../errors.ts";
import { withRequestTimeout } from "./request-timeout.ts";

/** Reads and writes have lanes of their own: orders that wait for a payment provider take no place from reads. */
export type Lane = "read" | "write";

/** More than the database executes at a time, so that it always has work, and few enough to finish soon. */
export const maxConcurrent: Record<Lane, number> = { read: 64, write: 256 };
/** A burst queues; sustained overload is shed with 503. */
const maxQueued = 2_000;
const maxQueuedMs = 200;

/**
 * Bounds how many requests run at a time, and for how long. Further ones queue for a moment and are then shed with 503, so
 * that under any load the admitted ones are served soon and the others are told at once.
 */
export class ConcurrencyLimiter {
  readonly #lanes: Record<Lane, Semaphore> = {
    read: new Semaphore(maxConcurrent.read),
    write: new Semaphore(maxConcurrent.write),
  };

  /** How many run now. */
  running(lane: Lane): number {
    return this.#lanes[lane].running;
  }

  /**
   * Runs `work` of a request received at `receivedMs` when a place is free. 503 when none becomes free soon, or when the
   * request times out; `work` keeps its place until it has ended all the same, since it still uses the database.
   */
  async run<T>(lane: Lane, work: () => Promise<T>, receivedMs = performance.now()): Promise<T> {
    const semaphore = this.#lanes[lane];
    if (!semaphore.tryAcquire()) await semaphore.acquire();
    const running = work();
    const release = () => semaphore.release();
    running.then(release, release);
    return withRequestTimeout(running, receivedMs);
  }
}

/** A counting semaphore with a bounded queue, first in, first out. */
class Semaphore {
  readonly #places: number;
  readonly #queue = new Set<() => void>();
  running = 0;

  constructor(places: number) {
    this.#places = places;
  }

  tryAcquire(): boolean {
    if (this.running >= this.#places) return false;
    this.running++;
    return true;
  }

  /** Rejects with 503 when no place becomes free soon. */
  acquire(): Promise<void> {
    if (this.#queue.size >= maxQueued) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#queue.delete(enter);
        reject(overloaded());
      }, maxQueuedMs);
      this.#queue.add(enter);
    });
  }

  /** Hands the place to the head of the queue, if there is one. */
  release(): void {
    const [next] = this.#queue;
    if (next === undefined) this.running--;
    else {
      this.#queue.delete(next);
      next();
    }
  }
}

const overloaded = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "The service has more to do than it can at the moment. Try again in two seconds.",
    { headers: { "retry-after": "2" }, refusedBy: "overload" },
  );
