import type { Clock } from "@beatmarket/foundation/clock.ts";
import { isWider } from "../admission/client-network.ts";
import { defaultMaxBuckets } from "../rate-limit/token-buckets.ts";
import {
  type ConnectionCounts,
  maxKnownNetworks,
  newConnections,
  type Standing,
  type Totals,
} from "../transport/connection-counts.ts";
import { SharedTable, type TableMemory } from "./shared-table.ts";
import { SharedTokenBuckets } from "./shared-token-buckets.ts";

export interface ConnectionsMemory {
  opened: TableMemory;
  known: TableMemory;
  places: TableMemory;
  totals: SharedArrayBuffer;
  threads: number;
}

const standings: readonly Standing[] = ["stranger", "known", "vouchedFor", "standsForMany"];
// The fields of a network: whether it is a wider network (/56, /48), then the places in each thread.
const isWiderOf = 0;
const placesOf = 1;
/** Enough for all connections: each counts for its network, and a stranger's also for two wider networks. */
const maxNetworks = 65_536;

export interface CountingThread {
  clock: Clock;
  /** From 0. Places are counted by thread, so that the places of a thread can be freed when it ends. */
  index: number;
  askOthers: ConnectionCounts["askOthers"];
}

/** Counts the connections of all threads of the process together. */
export class SharedConnectionCounts implements ConnectionCounts {
  readonly opened: SharedTokenBuckets;
  readonly askOthers: ConnectionCounts["askOthers"];
  readonly #known: SharedTable;
  readonly #places: SharedTable;
  /** By thread and standing. */
  readonly #totals: Int32Array;
  readonly #threads: number;
  readonly #index: number;
  readonly #clock: Clock;

  constructor({ clock, index, askOthers }: CountingThread, memory: ConnectionsMemory) {
    this.#clock = clock;
    this.opened = new SharedTokenBuckets(clock, newConnections, memory.opened);
    this.#known = new SharedTable(memory.known);
    this.#places = new SharedTable(memory.places);
    this.#totals = new Int32Array(memory.totals);
    this.#threads = memory.threads;
    this.#index = index;
    this.askOthers = askOthers;
  }

  static allocate(threads: number): ConnectionsMemory {
    return {
      opened: SharedTokenBuckets.allocate(defaultMaxBuckets),
      known: SharedTable.allocate(maxKnownNetworks, 1),
      places: SharedTable.allocate(maxNetworks, placesOf + threads),
      totals: new SharedArrayBuffer(4 * standings.length * threads),
      threads,
    };
  }

  run<T>(work: () => T): T {
    return this.#places.run(work);
  }

  isKnown(network: string): boolean {
    return this.#known.find(network) >= 0;
  }

  remember(network: string): void {
    let at = this.#known.find(network);
    if (at < 0) {
      if (this.#known.isFull) this.#known.removeLeast(0);
      at = this.#known.add(network);
    }
    this.#known.values[at] = this.#clock.monotonicMs();
  }

  placesOf(name: string): number {
    const at = this.#places.find(name);
    return at < 0 ? 0 : this.#sumAt(at);
  }

  add(name: string, places: number): void {
    const { values } = this.#places;
    let at = this.#places.find(name);
    if (at < 0) {
      at = this.#places.add(name);
      values[at + isWiderOf] = isWider(name) ? 1 : 0;
    }
    values[at + placesOf + this.#index] = (values[at + placesOf + this.#index] as number) + places;
    if (this.#sumAt(at) === 0) this.#places.remove(at);
  }

  get totals(): Totals {
    const totals: Totals = { stranger: 0, known: 0, vouchedFor: 0, standsForMany: 0 };
    for (const [at, places] of this.#totals.entries()) totals[standings[at % standings.length] as Standing] += places;
    return totals;
  }

  addTotal(standing: Standing, places: number): void {
    const at = this.#index * standings.length + standings.indexOf(standing);
    this.#totals[at] = (this.#totals[at] as number) + places;
  }

  get mostOfOneNetwork(): number {
    let most = 0;
    for (const at of this.#places.records())
      if (this.#places.values[at + isWiderOf] === 0) most = Math.max(most, this.#sumAt(at));
    return most;
  }

  /** Frees the locks and the places of a thread that ended. `index`: the thread's index among the counting threads. */
  forget(index: number, endedThread: number): void {
    this.opened.releaseOf(endedThread);
    // The lock of the places also protects the known networks.
    this.#places.releaseOf(endedThread, () => {
      this.#places.repair();
      this.#known.repair();
    });
    this.run(() => {
      this.#totals.fill(0, index * standings.length, (index + 1) * standings.length);
      this.#places.removeWhere((at) => {
        this.#places.values[at + placesOf + index] = 0;
        return this.#sumAt(at) === 0;
      });
    });
  }

  #sumAt(at: number): number {
    let sum = 0;
    for (let thread = 0; thread < this.#threads; thread++) sum += this.#places.values[at + placesOf + thread] as number;
    return sum;
  }
}
