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
      const at = this.#refilled(name);
      const level = this.#table.values[at + tokensOf] as number;
      if (level < tokens) return false;
      this.#table.values[at + tokensOf] = level - tokens;
      return true;
    });
  }

  add(name: string, tokens: number): void {
    this.#table.run(() => {
      const at = this.#refilled(name);
      const level = this.#table.values[at + tokensOf] as number;
      this.#table.values[at + tokensOf] = Math.min(this.#rate.burst, level + tokens);
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
    let at = this.#table.find(name);
    if (at < 0) {
      // Evicts the least recently used buckets.
      if (this.#table.isFull) this.#table.removeLeast(filledMsOf);
      at = this.#table.add(name);
      values[at + tokensOf] = burst;
      values[at + filledMsOf] = nowMs;
    }
    // Another thread may have written a later time.
    const sinceMs = Math.max(0, nowMs - (values[at + filledMsOf] as number));
    values[at + tokensOf] = Math.min(burst, (values[at + tokensOf] as number) + (sinceMs / 1000) * perSecond);
    values[at + filledMsOf] = Math.max(nowMs, values[at + filledMsOf] as number);
    return at;
  }
}
