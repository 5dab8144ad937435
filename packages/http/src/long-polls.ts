import { ApiError } from "@beatmarket/foundation/errors.ts";

/** The call whose handler waits. */
interface WaitingCall {
  /** Aborts when the client closes its connection. */
  closed: AbortSignal;
  context: { waitedMs: number };
}

/** Maximum number of waiting requests in one process. Each holds a connection, a timer and a closure. */
const maxWaiting = 20_000;

/** The `wait` parameter's maximum: less than the 60 seconds after which common proxies give up on a silent upstream. */
export const maxWaitSeconds = 30;

/** Requests that wait for news (long polling). While they wait they hold neither a permit nor a database connection. */
export class LongPolls<Notice> {
  readonly #watches = new Set<Watch<Notice>>();
  readonly #maxWatches: number;
  #isStopped = false;

  constructor(maxRequests = maxWaiting) {
    this.#maxWatches = maxRequests;
  }

  /** Number of requests that wait, or watch for news. */
  get size(): number {
    return this.#watches.size;
  }

  /**
   * Resolves to true at the first notice for which `isNews` returns true. Resolves to false after `waitMs`, when the
   * client closes its connection, or when the server stops. Rejects with 503 if too many requests wait. The waiting
   * time does not count as the request's duration.
   */
  async wait(isNews: (notice: Notice) => boolean, waitMs: number, call: WaitingCall): Promise<boolean> {
    if (waitMs <= 0) return false;
    using watch = this.watch(isNews, call);
    return await watch.next(waitMs);
  }

  /**
   * Watches for notices until the watch is disposed of, so that no notice is missed between a read and the next wait.
   * Throws 503 if too many requests watch.
   */
  watch(isNews: (notice: Notice) => boolean, call: WaitingCall): Watch<Notice> {
    if (this.#watches.size >= this.#maxWatches) throw tooManyWaiting();
    const watch = new Watch(isNews, call, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    if (this.#isStopped) watch.end();
    return watch;
  }

  /** Ends the waits for which the notice is news. */
  notify(notice: Notice): void {
    for (const watch of this.#watches) watch.notify(notice);
  }

  /** Ends all present and future waits, so that the server can stop. */
  stop(): void {
    this.#isStopped = true;
    for (const watch of this.#watches) watch.end();
  }
}

/** The watch of one request. */
export class Watch<Notice> implements Disposable {
  readonly #isNews: (notice: Notice) => boolean;
  readonly #call: WaitingCall;
  readonly #onDispose: () => void;
  readonly #onAbort = () => this.end();
  #hasNews = false;
  #hasEnded: boolean;
  /** Ends the current wait. */
  #wake: (() => void) | null = null;
  #isPaused = false;

  constructor(isNews: (notice: Notice) => boolean, call: WaitingCall, onDispose: () => void) {
    this.#isNews = isNews;
    this.#call = call;
    this.#onDispose = onDispose;
    this.#hasEnded = call.closed.aborted;
    call.closed.addEventListener("abort", this.#onAbort);
  }

  /** Whether waiting has ended, because the client has closed its connection or the server stops. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Resolves to true if news has arrived since the previous `next`, or arrives within `waitMs`. Otherwise, or if
   * waiting has ended, resolves to false.
   */
  async next(waitMs: number): Promise<boolean> {
    if (!this.#hasNews) await this.#wait(waitMs);
    const hasNews = this.#hasNews && !this.#hasEnded;
    this.#hasNews = false;
    return hasNews;
  }

  /** Resolves after `waitMs`, regardless of news, or when waiting has ended. */
  async pause(waitMs: number): Promise<void> {
    this.#isPaused = true;
    await this.#wait(waitMs);
    this.#isPaused = false;
  }

  async #wait(waitMs: number): Promise<void> {
    if (this.#hasEnded || waitMs <= 0) return;
    const sinceMs = performance.now();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
    this.#call.context.waitedMs += performance.now() - sinceMs;
  }

  notify(notice: Notice): void {
    if (this.#hasNews || !this.#isNews(notice)) return;
    this.#hasNews = true;
    if (!this.#isPaused) this.#wake?.();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  [Symbol.dispose](): void {
    this.#call.closed.removeEventListener("abort", this.#onAbort);
    this.#onDispose();
    this.end();
  }
}

const tooManyWaiting = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "Too many requests wait for news at the moment. Call again in ten seconds, or without the wait parameter.",
    { headers: { "retry-after": "10" }, refusedBy: "overload" },
  );
