import { availableParallelism } from "node:os";
import { ApiError } from "@beatmarket/foundation/errors.ts";

export const minPasswordLength = 10;
export const maxPasswordLength = 128;

/** One scrypt takes 32 MB, and a thread of libuv's four for some 80 ms. The others are for files, DNS and compression. */
const maxConcurrent = availableParallelism() < 4 ? 1 : 2;
const maxQueued = 16;
/** Known devices wait where strangers have filled the queue. */
const maxQueuedWithKnown = 32;
/** Running or queued, of one network: no network fills the queue alone. */
const maxOfNetwork = 4;

/** Limits how many passwords are hashed at a time. Few more queue, first in, first out; sustained overload is shed with 503. */
export class PasswordHashing {
  readonly #queue: (() => void)[] = [];
  readonly #ofNetwork = new Map<string, number>();
  #running = 0;

  /** 503 if too many wait, of all networks or of this one: before any statement. */
  requireRoom(network: string, isKnown = false): void {
    const places = isKnown ? maxQueuedWithKnown : maxQueued;
    if ((this.#ofNetwork.get(network) ?? 0) >= maxOfNetwork || this.#queue.length >= places) throw busy();
  }

  /** Runs `work`, which hashes for a client's network. 503 as `requireRoom`. */
  async run<T>(network: string, work: () => Promise<T>, isKnown = false): Promise<T> {
    this.requireRoom(network, isKnown);
    this.#ofNetwork.set(network, (this.#ofNetwork.get(network) ?? 0) + 1);
    try {
      if (this.#running < maxConcurrent) this.#running++;
      else await new Promise<void>((enter) => this.#queue.push(enter));
      try {
        return await work();
      } finally {
        const next = this.#queue.shift();
        if (next === undefined) this.#running--;
        else next();
      }
    } finally {
      const left = (this.#ofNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.#ofNetwork.delete(network);
      else this.#ofNetwork.set(network, left);
    }
  }
}

const busy = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "Too many passwords are being checked at the moment. Try again in two seconds.",
    { headers: { "retry-after": "2" }, refusedBy: "overload" },
  );
