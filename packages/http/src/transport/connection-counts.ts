import type { Clock } from "@beatmarket/foundation/clock.ts";
import { LRUCache } from "lru-cache";
import { isWider } from "../admission/client-network.ts";
import { TokenBuckets, type Tokens } from "../rate-limit/token-buckets.ts";

/**
 * The standing of a connection. `vouchedFor`: a valid key or session came over it. `known`: over another connection of
 * its network. `standsForMany`: it comes from a peer without limits, such as a proxy. `stranger`: none of these.
 */
export type Standing = "stranger" | "known" | "vouchedFor" | "standsForMany";
export type Totals = Record<Standing, number>;

/**
 * Limit of new connections from one network without a valid key or session. A /56 may open twice as many, a /48 four
 * times as many. A TLS handshake takes about 1.5 ms.
 */
export const newConnections = { burst: 512, perSecond: 50 };
/** Maximum number of known networks. A network is known after a valid key or session came from it. */
export const maxKnownNetworks = 20_000;

/**
 * The counts of ConnectionLimits: in the memory of a thread, or shared by all threads of the process. A connection
 * takes a place, and so does each further HTTP/2 request in flight on it. Call all methods inside `run`, except the
 * methods of `opened`.
 */
export interface ConnectionCounts {
  /** New connections by network. */
  readonly opened: Tokens;
  /** Runs work while no other thread counts. */
  run<T>(work: () => T): T;
  isKnown(network: string): boolean;
  /** Makes a network known. */
  remember(network: string): void;
  /** The places of a network; of a wider network, only the places of strangers. */
  placesOf(name: string): number;
  /** Adds places to a network or wider network; a negative number frees places. */
  add(name: string, places: number): void;
  readonly totals: Totals;
  addTotal(standing: Standing, places: number): void;
  /** The number of places of the network that has the most. */
  readonly mostOfOneNetwork: number;
  /** Asks the other threads to close a connection, if this thread has no closable connection. */
  askOthers(standing: "stranger" | "known", network: string | null): void;
}

/** Counts for a process in which one thread has all connections. */
export class LocalConnectionCounts implements ConnectionCounts {
  readonly opened: Tokens;
  readonly #placesByName = new Map<string, number>();
  readonly #knownNetworks = new LRUCache<string, true>({ max: maxKnownNetworks });
  readonly totals: Totals = { stranger: 0, known: 0, vouchedFor: 0, standsForMany: 0 };

  constructor(clock: Clock) {
    this.opened = new TokenBuckets(clock, newConnections);
  }

  run<T>(work: () => T): T {
    return work();
  }

  isKnown(network: string): boolean {
    return this.#knownNetworks.has(network);
  }

  remember(network: string): void {
    this.#knownNetworks.set(network, true);
  }

  placesOf(name: string): number {
    return this.#placesByName.get(name) ?? 0;
  }

  add(name: string, places: number): void {
    const sum = this.placesOf(name) + places;
    if (sum > 0) this.#placesByName.set(name, sum);
    else this.#placesByName.delete(name);
  }

  addTotal(standing: Standing, places: number): void {
    this.totals[standing] += places;
  }

  get mostOfOneNetwork(): number {
    let max = 0;
    for (const [name, places] of this.#placesByName) if (!isWider(name) && places > max) max = places;
    return max;
  }

  askOthers(): void {}
}
