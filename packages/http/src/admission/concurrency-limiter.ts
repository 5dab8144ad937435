import { ApiError } from "@beatmarket/foundation/errors.ts";
import { withRequestTimeout } from "./request-timeout.ts";

/**
 * Each lane has its own permits. `write`: orders that wait for a payment provider take no permits from reads. `media`:
 * previews and covers. `page`: public pages. Media and pages need no key, so they take no permits from API calls.
 */
export type Lane = "read" | "write" | "media" | "page";

/**
 * Permits of each lane. For reads: more than the database executes concurrently, so that it stays busy, and few enough
 * that each request finishes soon.
 */
export const maxConcurrent: Record<Lane, number> = { read: 64, write: 256, media: 8, page: 2 };
/** A burst queues; sustained overload is shed with 503. */
const maxQueued = 2_000;
const maxQueuedMs = 200;

/**
 * Limits the number and duration of concurrent requests. Further requests queue briefly and are then shed with 503, so
 * latency stays bounded under any load.
 */
export class ConcurrencyLimiter {
  readonly #lanes: Record<Lane, Semaphore>;

  /** `readers`: the number of threads that share the read lane. The other lanes belong to the main thread. */
  constructor(readers = 1) {
    const shareOf = (count: number) => Math.max(1, Math.floor(count / readers));
    this.#lanes = {
      read: new Semaphore(shareOf(maxConcurrent.read), shareOf(maxQueued)),
      write: new Semaphore(maxConcurrent.write),
      media: new Semaphore(maxConcurrent.media),
      page: new Semaphore(maxConcurrent.page),
    };
  }

  /** The maximum number of running requests. */
  max(lane: Lane): number {
    return this.#lanes[lane].permits;
  }

  /** The number of running requests. */
  running(lane: Lane): number {
    return this.#lanes[lane].running;
  }

  /** The number of requests that wait for a permit. */
  queued(lane: Lane): number {
    return this.#lanes[lane].queued;
  }

  /** Number of requests refused for lack of a permit, since start. */
  get shed(): number {
    return Object.values(this.#lanes).reduce((sum, { shed }) => sum + shed, 0);
  }

  /**
   * Runs the work of a request under a permit. Throws 503 if the lane's queue is full, if no permit becomes free within
   * 200 ms, or if the request, received at `receivedMs`, times out. Work that timed out holds its permit until it ends,
   * since it still uses the database.
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
  readonly permits: number;
  readonly #maxQueued: number;
  readonly #queue = new Set<() => void>();
  running = 0;
  shed = 0;

  constructor(permits: number, queued = maxQueued) {
    this.permits = permits;
    this.#maxQueued = queued;
  }

  get queued(): number {
    return this.#queue.size;
  }

  tryAcquire(): boolean {
    if (this.running >= this.permits) return false;
    this.running++;
    return true;
  }

  /** Rejects with 503 if the queue is full, or if no permit becomes free within `maxQueuedMs`. */
  acquire(): Promise<void> {
    if (this.#queue.size >= this.#maxQueued) return Promise.reject(this.#refusal());
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#queue.delete(enter);
        reject(this.#refusal());
      }, maxQueuedMs);
      this.#queue.add(enter);
    });
  }

  #refusal(): ApiError {
    this.shed++;
    return overloaded();
  }

  /** Passes the permit to the head of the queue, if any. */
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
    "The service is overloaded at the moment. Try again in two seconds.",
    { headers: { "retry-after": "2" }, refusedBy: "overload" },
  );
