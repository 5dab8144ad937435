import type { Clock } from "@beatmarket/foundation/clock.ts";
import { type BadKeys, failuresAMinute, maxNetworks, minuteMs } from "../admission/bad-key-throttle.ts";
import { clientNetwork } from "../admission/client-network.ts";
import { SharedTable, type TableMemory } from "./shared-table.ts";

// The fields of a record: a ring of the times of the newest failures.
const headOf = 0;
const countOf = 1;
const timesOf = 2;
const fields = timesOf + failuresAMinute;

/** The name of the count that networks without their own count share. No network has this name. */
const furtherNetworks = "";

/** Failures with bad keys, counted for all threads of the process together. */
export class SharedBadKeys implements BadKeys {
  readonly #clock: Clock;
  readonly #table: SharedTable;
  readonly #maxNetworks: number;

  constructor(clock: Clock, memory: TableMemory, networks = maxNetworks) {
    this.#clock = clock;
    this.#table = new SharedTable(memory);
    this.#maxNetworks = networks;
  }

  static allocate(networks = maxNetworks): TableMemory {
    return SharedTable.allocate(networks + 1, fields);
  }

  get size(): number {
    return this.#table.run(() => {
      this.#forgetIdle(this.#clock.monotonicMs());
      return this.#table.size - (this.#table.find(furtherNetworks) < 0 ? 0 : 1);
    });
  }

  recordFailure(address: string): { refused: boolean; retryAfterSeconds: number } {
    return this.#table.run(() => {
      const nowMs = this.#clock.monotonicMs();
      const record = this.#recordOf(clientNetwork(address), nowMs);
      const waitMs = this.#waitMs(record, nowMs);
      if (waitMs > 0) return { refused: true, retryAfterSeconds: Math.ceil(waitMs / 1000) };
      this.#push(record, nowMs);
      return { refused: false, retryAfterSeconds: 0 };
    });
  }

  isThrottled(address: string): boolean {
    return this.#table.run(() => {
      let record = this.#table.find(clientNetwork(address));
      if (record < 0 && this.#isFull) record = this.#table.find(furtherNetworks);
      return record >= 0 && this.#waitMs(record, this.#clock.monotonicMs()) > 0;
    });
  }

  releaseOf(endedThread: number): void {
    this.#table.releaseOf(endedThread);
  }

  get #isFull(): boolean {
    return this.#table.size >= this.#maxNetworks;
  }

  #recordOf(network: string, nowMs: number): number {
    const record = this.#table.find(network);
    if (record >= 0) return record;
    if (this.#isFull) this.#forgetIdle(nowMs);
    if (!this.#isFull) return this.#table.add(network);
    const shared = this.#table.find(furtherNetworks);
    return shared >= 0 ? shared : this.#table.add(furtherNetworks);
  }

  /** Time until a further failure is admitted. */
  #waitMs(record: number, nowMs: number): number {
    const { values } = this.#table;
    if ((values[record + countOf] as number) < failuresAMinute) return 0;
    return (values[record + timesOf + (values[record + headOf] as number)] as number) + minuteMs - nowMs;
  }

  #push(record: number, nowMs: number): void {
    const { values } = this.#table;
    const head = values[record + headOf] as number;
    const count = values[record + countOf] as number;
    values[record + timesOf + ((head + count) % failuresAMinute)] = nowMs;
    if (count < failuresAMinute) values[record + countOf] = count + 1;
    else values[record + headOf] = (head + 1) % failuresAMinute;
  }

  /** Removes the networks without a failure in the last minute. */
  #forgetIdle(nowMs: number): void {
    const { values } = this.#table;
    this.#table.removeWhere((record) => {
      const newest = ((values[record + headOf] as number) + (values[record + countOf] as number) - 1) % failuresAMinute;
      return (values[record + timesOf + newest] as number) + minuteMs <= nowMs;
    });
  }
}
