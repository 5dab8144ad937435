import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { TokenBucketRate, Tokens } from "../rate-limit/token-buckets.ts";
import { SharedTable, type TableMemory } from "./shared-table.ts";

// The fields of a record.
const tokensOf = 0;
const filledMsOf = 1;
const fields = 2;

/** Token buckets that all threads of the process share. */
export class SharedTokenBuckets implements Tokens {
  readonly #clock: Clock;
  readonly #rate: TokenBucketRate;
  readonly #table: SharedTable;

  constructor(clock: Clock, rate: TokenBucketRate, memory: TableMemory) {
    this.#clock = clock;
    this.#rate = rate;
    this.#table = new SharedTable(memory);
  }

  static allocate(maxBuckets: number): TableMemory {
    return SharedTable.allocate(maxBuckets, fields);
  }

  take(name: string, tokens = 1): boolean {
    return this.#table.run(() => {
      const record = this.#refilled(name);
      const level = this.#table.values[record + tokensOf] as number;
      if (level < tokens) return false;
      this.#table.values[record + tokensOf] = level - tokens;
      return true;
    });
  }

  add(name: string, tokens: number): void {
    this.#table.run(() => {
      const record = this.#refilled(name);
      const level = this.#table.values[record + tokensOf] as number;
      this.#table.values[record + tokensOf] = Math.min(this.#rate.burst, level + tokens);
    });
  }

  releaseOf(endedThread: number): void {
    this.#table.releaseOf(endedThread);
  }

  /** The position of a name's bucket, with the tokens added since the last use. */
  #refilled(name: string): number {
    const { burst, perSecond } = this.#rate;
    const { values } = this.#table;
    const nowMs = this.#clock.monotonicMs();
    let record = this.#table.find(name);
    if (record < 0) {
      // Evicts the least recently used buckets.
      if (this.#table.isFull) this.#table.removeLeast(filledMsOf);
      record = this.#table.add(name);
      values[record + tokensOf] = burst;
      values[record + filledMsOf] = nowMs;
    }
    // Another thread may have written a later time.
    const sinceMs = Math.max(0, nowMs - (values[record + filledMsOf] as number));
    values[record + tokensOf] = Math.min(burst, (values[record + tokensOf] as number) + (sinceMs / 1000) * perSecond);
    values[record + filledMsOf] = Math.max(nowMs, values[record + filledMsOf] as number);
    return record;
  }
}
