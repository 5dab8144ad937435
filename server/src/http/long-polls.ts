import { ApiError } from "../errors.ts";

interface Waiter<Notice> {
  isNews(notice: Notice): boolean;
  end(hasNews: boolean): void;
}

/** The call whose handler waits. */
interface WaitingCall {
  /** Aborts when the client closes its connection. */
  closed: AbortSignal;
  context: { waitedMs: number };
}

/** The most requests that wait in one process. Each costs its connection, a timer and a closure. */
const maxWaiting = 20_000;

/** The `wait` parameter's maximum: less than the 60 seconds after which common proxies give up on a silent upstream. */
export const maxWaitSeconds = 30;

/** Requests that wait for news (long polling). While they wait they hold neither a permit nor a database connection. */
export class LongPolls<Notice> {
  readonly #waiting = new Set<Waiter<Notice>>();
  readonly #maxWaiting: number;
  #isStopped = false;

  constructor(maxRequests = maxWaiting) {
    this.#maxWaiting = maxRequests;
  }

  /** How many wait now. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves to true at the first notice that `isNews`; to false after `waitMs`, when the client has `closed` its
   * connection, or when the server stops. Throws 503 when too many wait. The time does not count as the request's duration.
   */
  wait(isNews: (notice: Notice) => boolean, waitMs: number, { closed, context }: WaitingCall): Promise<boolean> {
    if (this.#isStopped || waitMs <= 0 || closed.aborted) return Promise.resolve(false);
    if (this.#waiting.size >= this.#maxWaiting) return Promise.reject(tooManyWaiting());
    const sinceMs = performance.now();
    return new Promise((resolve) => {
      const end = (hasNews: boolean) => {
        clearTimeout(timer);
        closed.removeEventListener("abort", giveUp);
        this.#waiting.delete(waiter);
        context.waitedMs += performance.now() - sinceMs;
        resolve(hasNews);
      };
      const giveUp = () => end(false);
      const waiter = { isNews, end };
      const timer = setTimeout(giveUp, waitMs);
      closed.addEventListener("abort", giveUp);
      this.#waiting.add(waiter);
    });
  }

  /** Ends the waits for which the notice is news. */
  notify(notice: Notice): void {
    for (const waiter of this.#waiting) if (waiter.isNews(notice)) waiter.end(true);
  }

  /** Ends all waits, those to come too, so that the server can stop. */
  stop(): void {
    this.#isStopped = true;
    for (const { end } of this.#waiting) end(false);
  }
}

const tooManyWaiting = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "Too many requests wait for changes at the moment. Call again in ten seconds, or without wait.",
    { headers: { "retry-after": "10" }, refusedBy: "overload" },
  );
