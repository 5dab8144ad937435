import type { Clock } from "@beatmarket/foundation/clock.ts";
import { clientNetwork } from "../../admission/client-network.ts";
import { TokenBuckets } from "../../rate-limit/token-buckets.ts";
import { maxConnections } from "../connection-limits.ts";

/** Pings, settings, and requests that are refused before they are read, of one connection. */
const idleFrames = { burst: 200, perSecond: 20 };
/** Bytes of a network that are part of no request: window updates, frames of ended streams. A megabyte takes some 20 ms. */
export const idleBytes = { burst: 2_000_000, perSecond: 100_000 };

/** Bounds what connections over HTTP/2 send that asks for no work. */
export class IdleTraffic {
  readonly #frames: TokenBuckets;
  readonly #bytes: TokenBuckets;

  constructor(clock: Clock) {
    this.#frames = new TokenBuckets(clock, idleFrames, maxConnections);
    this.#bytes = new TokenBuckets(clock, idleBytes);
  }

  /** Counts a frame of a connection, by a name of the connection's own. False when it is one too many. */
  takeFrame(connection: string): boolean {
    return this.#frames.take(connection);
  }

  /** Counts bytes that came from a client's IP address. False when they are too many. */
  takeBytes(address: string, bytes: number): boolean {
    return bytes <= 0 || this.#bytes.take(clientNetwork(address), bytes);
  }
}
