import { ApiError } from "../../errors.ts";

/** Reads and writes are bounded apart: orders that wait for a payment provider take no room from reads. */
export type WorkKind = "read" | "write";

export const kindOf = (method: string): WorkKind => (method === "GET" || method === "HEAD" ? "read" : "write");

/** After which a caller is answered 503, whatever is still waited for. Usual clients wait for 30 seconds. */
export const timeLimitMs = 20_000;

/** More than the database answers at a time, so that it always has work, and no more than it answers soon. */
export const mostUnderWay: Record<WorkKind, number> = { read: 64, write: 256 };
/** A burst waits for its turn; what comes on and on cannot all be answered. */
const mostWaiting = 2_000;
const longestWaitMs = 200;

/**
 * Bounds how much is under way at a time, and how long it is waited for. What comes beyond that waits for its turn for a
 * moment and is then refused, so that under any load those who are let in are answered soon, and the others are told.
 */
export class Workload {
  readonly #lanes: Record<WorkKind, Lane> = {
    read: new Lane(mostUnderWay.read),
    write: new Lane(mostUnderWay.write),
  };

  /** How much is under way. */
  underWay(kind: WorkKind): number {
    return this.#lanes[kind].underWay;
  }

  /**
   * What work comes to, once it is its turn; 503 when that does not come, or when it takes longer than the time limit.
   * What was given up still counts until it has ended, since it still takes room.
   */
  run<T>(kind: WorkKind, work: () => T | Promise<T>): T | Promise<T> {
    const lane = this.#lanes[kind];
    if (lane.take()) return begin(lane, work);
    return lane.wait().then(() => begin(lane, work));
  }
}

/** A promise that is given up at the time limit, with 503. */
export function withinTimeLimit<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow()), timeLimitMs);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

function begin<T>(lane: Lane, work: () => T | Promise<T>): T | Promise<T> {
  let result: T | Promise<T>;
  try {
    result = work();
  } catch (error) {
    lane.giveBack();
    throw error;
  }
  if (!(result instanceof Promise)) {
    lane.giveBack();
    return result;
  }
  const giveBack = () => lane.giveBack();
  result.then(giveBack, giveBack);
  return withinTimeLimit(result);
}

/** So many places, and a queue for them, first come first served. */
class Lane {
  readonly #places: number;
  readonly #queue = new Set<() => void>();
  underWay = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** Takes a place, if there is one. */
  take(): boolean {
    if (this.underWay >= this.#places) return false;
    this.underWay++;
    return true;
  }

  /** Resolves with a place; rejects with 503 when none becomes free soon. */
  wait(): Promise<void> {
    if (this.#queue.size >= mostWaiting) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#queue.delete(enter);
        reject(overloaded());
      }, longestWaitMs);
      this.#queue.add(enter);
    });
  }

  /** Gives a place back, or on to whoever has waited longest. */
  giveBack(): void {
    const [next] = this.#queue;
    if (next === undefined) this.underWay--;
    else {
      this.#queue.delete(next);
      next();
    }
  }
}

const unavailable = (details: string, refusedBy: string): ApiError =>
  new ApiError(503, "server_error", "Service unavailable", details, { headers: { "retry-after": "2" }, refusedBy });

const overloaded = (): ApiError =>
  unavailable("The service has more to do than it can at the moment. Try again in two seconds.", "overload");

const tooSlow = (): ApiError =>
  unavailable(
    `The request was not answered within ${timeLimitMs / 1000} seconds. Try again, with the same Idempotency-Key if it had one.`,
    "time-limit",
  );
