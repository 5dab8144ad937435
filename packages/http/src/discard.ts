import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { type Clock, systemClock } from "@beatmarket/foundation/clock.ts";
import { clientNetwork } from "./admission/client-network.ts";
import { NetworkQuota } from "./admission/network-quota.ts";
import { TokenBuckets } from "./rate-limit/token-buckets.ts";
import { type LeastRate, watchRate } from "./transport/least-rate.ts";
import { resetConnection } from "./transport/tcp-socket.ts";

/** Of one body. Clients that write all of a body before they read a response get theirs up to this size. */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 60_000;
const leastRate: LeastRate = { bytes: 20_000, windowMs: 5_000 };
/** Bodies that are discarded at a time. */
const places = { perNetwork: 16, total: 64 };
/** Bytes of strangers that are read for one network, since decrypting a megabyte takes about 1 ms. */
const strangersRate = { burst: 16 * 1024 * 1024, perSecond: 10_000_000 };
/** A body of a network that has used up its rate is read on after this. */
const pauseMs = 100;
/** Gives a response time to arrive where the rest of a body stays unread. */
const lingerMs = 2_000;

/** Who sends a body that is discarded. */
export interface BodySender {
  address: string;
  isAnonymous: boolean;
}

/**
 * Reads on what is left of refused bodies. Closing a connection with unread bytes resets it, and the client could lose
 * the response (RFC 9112 9.6). Bounded in bytes, time, rate, and bodies at a time, of one network and of all.
 */
export class BodyDiscarder {
  readonly #places = new NetworkQuota(places);
  readonly #strangers: TokenBuckets;

  constructor(clock: Clock = systemClock) {
    this.#strangers = new TokenBuckets(clock, strangersRate);
  }

  /**
   * Discards a request's body, for a client's IP address. Calls `onEnd` when the body has ended, and `onExcess` when a
   * limit is exceeded: the rest of it is not read.
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
    if (this.#strangers.take(network, bytes)) return true;
    this.#strangers.add(network, -bytes);
    return false;
  }
}

/** Half-closes a connection, so that its client can read what was sent, and resets it if the client stays. */
export function closeWithLinger(socket: Socket, waitMs = lingerMs): void {
  socket.end();
  const timer = setTimeout(() => resetConnection(socket), waitMs).unref();
  socket.once("close", () => clearTimeout(timer));
}
