import type { Server } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { Clock } from "../../clock.ts";
import { clientNetwork } from "../admission/client-network.ts";
import { NetworkQuota } from "../admission/network-quota.ts";
import { TokenBuckets } from "../rate-limit/token-buckets.ts";

/**
 * About 50 kB each; 180 kB with a large response that is not read. Connections beyond this are refused. Enough for 10,000
 * clients that wait for changes and 2,000 that work.
 */
export const maxConnections = 12_000;
/** Of one client network: more than a large office behind one address needs, 1/47 of all. */
export const maxConnectionsOfNetwork = 256;
/** New connections of one network that never bring a valid key or session. A TLS handshake takes about 1.5 ms. */
export const newConnections = { burst: 512, perSecond: 50 };
/** Of such connections, for one that is closed because of what it sent. */
const penalty = 25;

/**
 * Bounds the connections of each client network: how many are open, and how many strangers open in a second. Those over
 * the limits are closed as they are accepted. A peer that `standsForMany` clients, such as a proxy, has no limits.
 */
export class ConnectionLimits {
  readonly #standsForMany: (address: string) => boolean;
  readonly #open = new NetworkQuota({ perNetwork: maxConnectionsOfNetwork, total: maxConnections });
  readonly #opened: TokenBuckets;
  readonly #vouchedFor = new WeakSet<Socket>();
  /** Connections that were closed as they were accepted, since start. */
  refused = 0;

  constructor(clock: Clock, standsForMany: (address: string) => boolean) {
    this.#standsForMany = standsForMany;
    this.#opened = new TokenBuckets(clock, newConnections);
  }

  /** Connections that the limits count, and requests over HTTP/2 that run: of all networks, and of the one that has most. */
  get open(): { all: number; ofOneNetwork: number } {
    return { all: this.#open.open, ofOneNetwork: this.#open.most };
  }

  /** Limits the connections of a server. Call it after listeners for "connection" were added. */
  apply(server: Server | HttpsServer): void {
    server.maxConnections = maxConnections;
    const accept = server.listeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      if (this.#admit(socket)) for (const each of accept) each.call(server, socket);
      else {
        this.refused++;
        socket.destroy();
      }
    });
  }

  /** A valid key or session came over this connection, so it does not count as a stranger's. */
  vouchFor(socket: Socket): void {
    if (this.#vouchedFor.has(socket)) return;
    this.#vouchedFor.add(socket);
    this.#opened.add(clientNetwork(socket.remoteAddress ?? ""), 1);
  }

  /** Counts a connection that had to be closed as many: opening the next one must not be worth it. */
  penalize(socket: Socket): void {
    this.#opened.add(clientNetwork(socket.remoteAddress ?? ""), -penalty);
  }

  /**
   * Takes a place for one more request that a connection has in flight (HTTP/2): its network has as many as connections.
   * Returns what gives it back; null when there is none left.
   */
  takePlace(socket: Socket): (() => void) | null {
    const { remoteAddress: address = "" } = socket;
    return this.#standsForMany(address) ? () => {} : this.#open.acquire(address);
  }

  #admit(socket: Socket): boolean {
    const { remoteAddress: address = "" } = socket;
    if (this.#standsForMany(address)) return true;
    if (!this.#opened.take(clientNetwork(address))) return false;
    const close = this.#open.acquire(address);
    if (close !== null) socket.once("close", close);
    return close !== null;
  }
}
