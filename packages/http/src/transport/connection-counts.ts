import type { Clock } from "@beatmarket/foundation/clock.ts";
import { LRUCache } from "lru-cache";
import { isWider } from "../admission/client-network.ts";
import { TokenBuckets, type Tokens } from "../rate-limit/token-buckets.ts";

export type Standing = "stranger" | "known" | "vouchedFor" | "standsForMany";
export type Totals = Record<Standing, number>;

/**
 * Limit of new connections of one network without a valid key or session; a /56 and a /48 likewise have more. A TLS
 * handshake takes about 1.5 ms.
 */
export const newConnections = { burst: 512, perSecond: 50 };
/** Maximum number of networks that are remembered as having had a valid key or session. */
export const maxKnownNetworks = 20_000;

/**
 * What ConnectionLimits counts: in the memory of a thread, or shared by all threads of the process. Everything except
 * `opened` belongs inside `run`.
 */
export interface ConnectionCounts {
  /** New connections by network. */
  readonly opened: Tokens;
  /** Runs work while no other thread counts. */
  run<T>(work: () => T): T;
  isKnown(network: string): boolean;
  know(network: string): void;
  /** Places by network; strangers' places also by wider network. */
  of(name: string): number;
  add(name: string, places: number): void;
  readonly totals: Totals;
  addTotal(standing: Standing, places: number): void;
  /** The places of the network with the most. */
  readonly mostOfOneNetwork: number;
  /** Asks the other threads to close a connection, since this one has none that may be closed. */
  askOthers(standing: "stranger" | "known", network: string | null): void;
}

/** The counts of a process whose connections are all in one thread. */
export class LocalConnectionCounts implements ConnectionCounts {
  readonly opened: Tokens;
  readonly #ofNetworks = new Map<string, number>();
  readonly #known = new LRUCache<string, true>({ max: maxKnownNetworks });
  readonly totals: Totals = { stranger: 0, known: 0, vouchedFor: 0, standsForMany: 0 };

  constructor(clock: Clock) {
    this.opened = new TokenBuckets(clock, newConnections);
  }

  run<T>(work: () => T): T {
    return work();
  }

  isKnown(network: string): boolean {
    return this.#known.has(network);
  }

  know(network: string): void {
    this.#known.set(network, true);
  }

  of(name: string): number {
    return this.#ofNetworks.get(name) ?? 0;
  }

  add(name: string, places: number): void {
    const open = this.of(name) + places;
    if (open > 0) this.#ofNetworks.set(name, open);
    else this.#ofNetworks.delete(name);
  }

  addTotal(standing: Standing, places: number): void {
    this.totals[standing] += places;
  }

  get mostOfOneNetwork(): number {
    let most = 0;
    for (const [name, places] of this.#ofNetworks) if (!isWider(name) && places > most) most = places;
    return most;
  }

  askOthers(): void {}
}
