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
/** Enough for all connections: each counts for its network, and a stranger's connection for two wider networks, too. */
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
  readonly #knownNetworks: SharedTable;
  readonly #places: SharedTable;
  /** The counts by thread and standing. */
  readonly #totals: Int32Array;
  readonly #threads: number;
  readonly #index: number;
  readonly #clock: Clock;

  constructor({ clock, index, askOthers }: CountingThread, memory: ConnectionsMemory) {
    this.#clock = clock;
    this.opened = new SharedTokenBuckets(clock, newConnections, memory.opened);
    this.#knownNetworks = new SharedTable(memory.known);
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
    return this.#knownNetworks.find(network) >= 0;
  }

  remember(network: string): void {
    let record = this.#knownNetworks.find(network);
    if (record < 0) {
      if (this.#knownNetworks.isFull) this.#knownNetworks.removeLeast(0);
      record = this.#knownNetworks.add(network);
    }
    this.#knownNetworks.values[record] = this.#clock.monotonicMs();
  }

  placesOf(name: string): number {
    const record = this.#places.find(name);
    return record < 0 ? 0 : this.#sumAt(record);
  }

  add(name: string, places: number): void {
    const { values } = this.#places;
    let record = this.#places.find(name);
    if (record < 0) {
      record = this.#places.add(name);
      values[record + isWiderOf] = isWider(name) ? 1 : 0;
    }
    values[record + placesOf + this.#index] = (values[record + placesOf + this.#index] as number) + places;
    if (this.#sumAt(record) === 0) this.#places.remove(record);
  }

  get totals(): Totals {
    const totals: Totals = { stranger: 0, known: 0, vouchedFor: 0, standsForMany: 0 };
    for (const [index, places] of this.#totals.entries())
      totals[standings[index % standings.length] as Standing] += places;
    return totals;
  }

  addTotal(standing: Standing, places: number): void {
    const index = this.#index * standings.length + standings.indexOf(standing);
    this.#totals[index] = (this.#totals[index] as number) + places;
  }

  get mostOfOneNetwork(): number {
    let max = 0;
    for (const record of this.#places.records())
      if (this.#places.values[record + isWiderOf] === 0) max = Math.max(max, this.#sumAt(record));
    return max;
  }

  /** Frees the locks and the places of a thread that ended. `index`: the thread's index among the counting threads. */
  forget(index: number, endedThread: number): void {
    this.opened.releaseOf(endedThread);
    // The lock of the places also protects the known networks.
    this.#places.releaseOf(endedThread, () => {
      this.#places.repair();
      this.#knownNetworks.repair();
    });
    this.run(() => {
      this.#totals.fill(0, index * standings.length, (index + 1) * standings.length);
      this.#places.removeWhere((record) => {
        this.#places.values[record + placesOf + index] = 0;
        return this.#sumAt(record) === 0;
      });
    });
  }

  #sumAt(record: number): number {
    let sum = 0;
    for (let thread = 0; thread < this.#threads; thread++)
      sum += this.#places.values[record + placesOf + thread] as number;
    return sum;
  }
}
