import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { ApiError } from "@beatmarket/foundation/errors.ts";

export const minPasswordLength = 10;
export const maxPasswordLength = 128;

/**
 * The maximum number of concurrent hashes. One scrypt takes 32 MB, and occupies one of libuv's four threads for about
 * 80 ms. The other threads are for files, DNS and compression.
 */
const maxConcurrent = availableParallelism() < 4 ? 1 : 2;
const maxQueued = 16;
/** The queue admits known devices up to this length, more than `maxQueued`: strangers cannot fill the whole queue. */
const maxQueuedWithKnown = 32;
/** The maximum number of running and queued hashes of one network, so that no network fills the queue alone. */
const maxOfNetwork = 4;

const keyBytes = 64;
/** The parameters of scrypt. N × r × 128 bytes are 32 MB of memory. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };

const keyOf = promisify<string, string, Buffer>((password, salt, callback) =>
  scrypt(password.normalize("NFKC"), salt, keyBytes, cost, callback),
);

/** Hashes a password: the salt and the scrypt key in hexadecimal, separated by a colon. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${(await keyOf(password, salt)).toString("hex")}`;
}

/** Whether a password matches a hash. A null hash matches no password, and takes equally long. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [salt = "", key = ""] = (hash ?? "").split(":");
  const computed = await keyOf(password, salt === "" ? randomBytes(16).toString("hex") : salt);
  const stored = Buffer.from(key, "hex");
  return stored.length === computed.length && timingSafeEqual(stored, computed);
}

/** Limits the number of concurrent hashes. A short FIFO queue absorbs bursts; sustained overload is shed with 503. */
export class PasswordHashing {
  readonly #queue: (() => void)[] = [];
  readonly #ofNetwork = new Map<string, number>();
  #running = 0;

  /** Throws 503 if the queue is full, or if this network has its maximum of hashes. Call before any SQL statement. */
  requireRoom(network: string, isKnown = false): void {
    const places = isKnown ? maxQueuedWithKnown : maxQueued;
    if ((this.#ofNetwork.get(network) ?? 0) >= maxOfNetwork || this.#queue.length >= places) throw busy();
  }

  /** Runs `work`, which hashes for a client's network. Throws 503 like `requireRoom`. */
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
      const remaining = (this.#ofNetwork.get(network) ?? 1) - 1;
      if (remaining === 0) this.#ofNetwork.delete(network);
      else this.#ofNetwork.set(network, remaining);
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
