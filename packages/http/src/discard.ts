import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { type Clock, systemClock } from "@beatmarket/foundation/clock.ts";
import { clientNetwork } from "./admission/client-network.ts";
import { NetworkQuota } from "./admission/network-quota.ts";
import { TokenBuckets } from "./rate-limit/token-buckets.ts";
import { type LeastRate, watchRate } from "./transport/least-rate.ts";
import { resetConnection } from "./transport/tcp-socket.ts";

/**
 * Maximum bytes of one body. A client that sends the whole body before it reads gets the response only if the body is
 * not larger.
 */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 60_000;
/** The minimum rate at which a client must send the body. */
const leastRate: LeastRate = { bytes: 20_000, windowMs: 5_000 };
/** Maximum number of bodies that are discarded concurrently. */
const places = { perNetwork: 16, total: 64 };
/** Limit of bytes that are read from the anonymous clients of one network. Decrypting a megabyte takes about 1 ms. */
const anonymousRate = { burst: 16 * 1024 * 1024, perSecond: 10_000_000 };
/** If a network exceeds its rate, reading of its bodies continues after this pause. */
const pauseMs = 100;
/** Time for the response to arrive before the connection is reset, if the rest of a body stays unread. */
const lingerMs = 2_000;

/** The sender of a discarded body. */
export interface BodySender {
  address: string;
  isAnonymous: boolean;
}

/**
 * Reads and discards the rest of refused bodies: closing a connection with unread bytes resets it, and the client could
 * lose the response (RFC 9112 9.6). Limits the bytes, time and rate of a body, and the number of concurrent bodies of
 * each network and in total.
 */
export class BodyDiscarder {
  readonly #places = new NetworkQuota(places);
  readonly #anonymousBytes: TokenBuckets;

  constructor(clock: Clock = systemClock) {
    this.#anonymousBytes = new TokenBuckets(clock, anonymousRate);
  }

  /**
   * Discards the body of a request. Calls `onEnd` when the body has ended. Calls `onExcess` if a limit is exceeded; the
   * rest then stays unread.
   */
  discard(body: Readable, { address, isAnonymous }: BodySender, onEnd: () => void, onExcess: () => void): void {
    const release = this.#places.acquire(address);
    const halt = () => {
      body.pause();
      onExcess();
    };
    if (release === null) {
      halt();
      return;
    }
    let bytes = 0;
    const stop = () => {
      clearTimeout(timer);
      endWatch();
      body.off("data", count);
      release();
    };
    const exceed = () => {
      stop();
      halt();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) exceed();
      else if (isAnonymous && !this.#isWithinRate(address, chunk.length)) {
        body.pause();
        setTimeout(() => body.listenerCount("data") > 0 && body.resume(), pauseMs).unref();
      }
    };
    const timer = setTimeout(exceed, timeoutMs).unref();
    const endWatch = watchRate(leastRate, () => bytes, exceed);
    body.on("error", () => {});
    body.once("close", stop);
    body.once("end", () => {
      stop();
      onEnd();
    });
    body.on("data", count).resume();
  }

  #isWithinRate(address: string, bytes: number): boolean {
    const network = clientNetwork(address);
    if (this.#anonymousBytes.take(network, bytes)) return true;
    // The bytes have already been read, so they put the bucket into debt.
    this.#anonymousBytes.add(network, -bytes);
    return false;
  }
}

/** Half-closes a connection, so that the client can read the response. Resets it if the client does not close. */
export function closeWithLinger(socket: Socket, waitMs = lingerMs): void {
  socket.end();
  const timer = setTimeout(() => resetConnection(socket), waitMs).unref();
  socket.once("close", () => clearTimeout(timer));
}
