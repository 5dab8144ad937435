import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Logger } from "pino";
import { decisionOf, statesOf, unlimited, type WindowUse } from "./decision.ts";
import { SlidingLog } from "./sliding-log.ts";
import {
  type RateDecision,
  type RateLimitStore,
  type RateWindow,
  type Retention,
  retentionOf,
  type WindowState,
} from "./store.ts";

/**
 * Loads the times of a bucket's admitted requests after `sinceMs` from the request log, at most the newest `atMost`:
 * Unix milliseconds, ascending.
 */
export type LoadRecent = (bucket: number, sinceMs: number, atMost: number) => Promise<number[]>;

export interface MemoryStoreOptions {
  clock: Clock;
  /** Every window that a bucket may have. */
  windows: readonly RateWindow[];
  /** Keeps the limits exact across restarts. */
  loadRecent: LoadRecent;
  log: Pick<Logger, "warn">;
  /** Approximate maximum number of times in memory, over all buckets. A time takes 8 bytes. */
  maxTimes?: number;
}

interface BucketState {
  readonly admittedTimes: SlidingLog;
  /**
   * Monotonic and wall time of the first request in this process. Earlier requests are in the request log, later
   * requests in memory.
   */
  readonly firstSeenMs: number;
  readonly firstSeenAtMs: number;
  lastSeenMs: number;
  /** The first load from the log, for which requests wait; null when it has ended. */
  loading: Promise<void> | null;
  /** The time of the next retry of a failed load. */
  retryAtMs: number;
}

const retryAfterMs = 5_000;
const sweepIntervalMs = 10_000;
// Exceeds the request timeout and the delay of the request log's writes, so that an evicted bucket can be restored
// completely.
const minIdleMs = 30_000;
const defaultMaxTimes = 8_000_000;
// The fixed memory of a bucket, expressed in times.
const bucketOverhead = 40;

/**
 * Exact sliding windows in the memory of one process. A bucket's first request waits while its times load from the
 * request log; later requests are decided synchronously. If the load fails, requests are decided by the times in
 * memory, and the load is retried every five seconds.
 */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #clock: Clock;
  readonly #loadRecent: LoadRecent;
  readonly #log: Pick<Logger, "warn">;
  readonly #maxTimes: number;
  readonly #retention: Retention;
  /** Null, since this store is meant to count only the requests of its process. */
  readonly problem = null;
  readonly #buckets = new Map<number, BucketState>();
  #nextSweepMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, windows, loadRecent, log, maxTimes = defaultMaxTimes }: MemoryStoreOptions) {
    this.#clock = clock;
    this.#loadRecent = loadRecent;
    this.#log = log;
    this.#maxTimes = maxTimes;
    this.#retention = retentionOf(windows);
  }

  /** The number of buckets in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  admit(bucket: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision> {
    if (windows.length === 0) return unlimited(this.#clock.nowMs());
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#nextSweepMs) this.#sweep(nowMs);

    const state = this.#buckets.get(bucket) ?? this.#addBucket(bucket, nowMs);
    state.lastSeenMs = nowMs;
    if (state.loading !== null) return this.#decideAfter(state.loading, state.admittedTimes, windows);
    if (nowMs >= state.retryAtMs) void this.#refill(bucket, state);
    return decide(state.admittedTimes, windows, nowMs, this.#clock.nowMs());
  }

  async peek(bucket: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]> {
    if (windows.length === 0) return [];
    const state = this.#buckets.get(bucket) ?? this.#addBucket(bucket, this.#clock.monotonicMs());
    await state.loading;
    const nowMs = this.#clock.monotonicMs();
    state.lastSeenMs = nowMs;
    return statesOf(windows, usesOf(state.admittedTimes, windows, nowMs), this.#clock.nowMs());
  }

  #addBucket(bucket: number, nowMs: number): BucketState {
    const state: BucketState = {
      admittedTimes: new SlidingLog(this.#retention.keepMs),
      firstSeenMs: nowMs,
      firstSeenAtMs: this.#clock.nowMs(),
      lastSeenMs: nowMs,
      loading: null,
      retryAtMs: Number.POSITIVE_INFINITY,
    };
    this.#buckets.set(bucket, state);
    state.loading = this.#refill(bucket, state).finally(() => {
      state.loading = null;
    });
    return state;
  }

  async #decideAfter(loading: Promise<void>, log: SlidingLog, windows: readonly RateWindow[]) {
    await loading;
    return decide(log, windows, this.#clock.monotonicMs(), this.#clock.nowMs());
  }

  async #refill(bucket: number, state: BucketState): Promise<void> {
    const isRetry = state.retryAtMs !== Number.POSITIVE_INFINITY;
    state.retryAtMs = Number.POSITIVE_INFINITY;
    try {
      const { keepMs, largestLimit } = this.#retention;
      const wallTimes = await this.#loadRecent(bucket, state.firstSeenAtMs - keepMs, largestLimit);
      // In a retry, later times are already in memory. In a first load, later times mean that the clock was set back.
      const earlier = isRetry ? wallTimes.filter((time) => time < state.firstSeenAtMs) : wallTimes;
      state.admittedTimes.prepend(earlier.map((time) => state.firstSeenMs - Math.max(0, state.firstSeenAtMs - time)));
    } catch (error) {
      state.retryAtMs = this.#clock.monotonicMs() + retryAfterMs;
      this.#log.warn(
        { err: error, bucket },
        "Could not read a key's recent requests; its limits count from now until the request log is readable",
      );
    }
  }

  /** Drops buckets whose windows are empty. Above the limit, evicts the buckets that have been idle longest. */
  #sweep(nowMs: number): void {
    this.#nextSweepMs = nowMs + sweepIntervalMs;
    let times = 0;
    for (const [bucket, state] of this.#buckets) {
      if (state.lastSeenMs + this.#retention.keepMs <= nowMs) this.#buckets.delete(bucket);
      else times += cost(state);
    }
    if (times <= this.#maxTimes) return;
    const idle = [...this.#buckets]
      .filter(([, state]) => state.loading === null && state.lastSeenMs + minIdleMs <= nowMs)
      .sort(([, a], [, b]) => a.lastSeenMs - b.lastSeenMs);
    for (const [bucket, state] of idle) {
      if (times <= this.#maxTimes) break;
      this.#buckets.delete(bucket);
      times -= cost(state);
    }
  }
}

const cost = ({ admittedTimes: admitted }: BucketState): number => admitted.capacity + bucketOverhead;

function decide(log: SlidingLog, windows: readonly RateWindow[], nowMs: number, atMs: number): RateDecision {
  const decision = decisionOf(windows, usesOf(log, windows, nowMs), atMs);
  if (decision.admitted) log.push(nowMs);
  return decision;
}

const usesOf = (log: SlidingLog, windows: readonly RateWindow[], nowMs: number): WindowUse[] =>
  windows.map(({ seconds, limit }) => {
    const windowMs = seconds * 1000;
    const used = log.countWithin(windowMs, nowMs, limit);
    return { used, freesInMs: used === 0 ? windowMs : log.nthNewest(used) + windowMs - nowMs };
  });
