import type { Clock } from "@beatmarket/foundation/clock.ts";
import { clientNetwork } from "../../admission/client-network.ts";
import { TokenBuckets } from "../../rate-limit/token-buckets.ts";
import { maxConnections } from "../connection-limits.ts";

/** Limit of one connection for pings, settings, and requests that are refused unread. */
const idleFrames = { burst: 200, perSecond: 20 };
/**
 * Limit of a network for bytes that belong to no request: window updates, frames of ended streams. A megabyte takes
 * about 20 ms.
 */
export const idleBytes = { burst: 2_000_000, perSecond: 100_000 };

/** Limits the traffic of HTTP/2 connections that belongs to no request. */
export class IdleTraffic {
  readonly #frames: TokenBuckets;
  readonly #bytes: TokenBuckets;

  constructor(clock: Clock) {
    this.#frames = new TokenBuckets(clock, idleFrames, maxConnections);
    this.#bytes = new TokenBuckets(clock, idleBytes);
  }

  /** Counts a frame of the connection with this name. Returns false if the limit is exceeded. */
  takeFrame(connection: string): boolean {
    return this.#frames.take(connection);
  }

  /** Counts bytes from a client's IP address. Returns false if the limit is exceeded. */
  takeBytes(address: string, bytes: number): boolean {
    return bytes <= 0 || this.#bytes.take(clientNetwork(address), bytes);
  }
}
