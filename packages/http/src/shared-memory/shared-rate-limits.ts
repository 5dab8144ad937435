import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Logger } from "pino";
import { decisionOf, statesOf, unlimited, type WindowUse } from "../rate-limit/decision.ts";
import type { LoadRecent } from "../rate-limit/memory-store.ts";
import {
  type RateDecision,
  type RateLimitStore,
  type RateWindow,
  type Retention,
  retentionOf,
  type WindowState,
} from "../rate-limit/store.ts";
import {
  firstSeenAtMsOf,
  firstSeenMsOf,
  type LogsMemory,
  lastSeenMsOf,
  loadingUntilMsOf,
  retryAtMsOf,
  SharedLogs,
  timesInChunk,
} from "./shared-logs.ts";

export interface SharedLimitsOptions {
  /** Its monotonic time must be the same in all threads. */
  clock: Clock;
  /** Every window that a bucket may have. */
  windows: readonly RateWindow[];
  /** Keeps the limits exact across restarts. */
  loadRecent: LoadRecent;
  log: Pick<Logger, "warn">;
}

const retryAfterMs = 5_000;
const sweepIntervalMs = 10_000;
/** Longer than any load. After this time the loading thread must have ended, and another thread loads. */
const loadTimeoutMs = 20_000;
const pollMs = 2;
/** The same value as in `MemoryRateLimitStore`. */
const minIdleMs = 30_000;
const maxBuckets = 131_072;
/** 64 MB. A chunk has 256 bytes. */
const maxChunks = 262_144;
/** If a larger share of the memory is in use, idle buckets are evicted. */
const highShare = 7 / 8;

/**
 * Exact sliding windows in memory that all threads of the process share: the rule of `MemoryRateLimitStore`. A bucket's
 * first request, in any thread, waits while its times load from the request log.
 */
export class SharedRateLimits implements RateLimitStore {
  readonly #options: SharedLimitsOptions;
  readonly #retention: Retention;
  /** The lengths of the windows, ascending. */
  readonly #seconds: readonly number[];
  readonly #logs: SharedLogs;
  #nextSweepMs = Number.NEGATIVE_INFINITY;
  /** Null, since this store is meant to count only the requests of its process. */
  readonly problem = null;

  constructor(options: SharedLimitsOptions, memory: LogsMemory) {
    this.#options = options;
    this.#retention = retentionOf(options.windows);
    this.#seconds = lengthsOf(options.windows);
    this.#logs = new SharedLogs(
      memory,
      this.#seconds.map((seconds) => seconds * 1_000),
    );
  }

  static allocate(windows: readonly RateWindow[], buckets = maxBuckets, chunks = maxChunks): LogsMemory {
    return SharedLogs.allocate(buckets, chunks, lengthsOf(windows).length);
  }

  /** The number of buckets in memory. */
  get size(): number {
    return this.#logs.table.size;
  }

  /** Drops all times. They load from the request log again. */
  forgetAll(): void {
    this.#logs.table.run(() =>
      this.#evictWhile(
        () => true,
        () => true,
      ),
    );
  }

  /** If a thread ended in the middle of a count, drops all times. They load from the request log again. */
  releaseOf(endedThread: number): void {
    this.#logs.table.releaseOf(endedThread, () => this.#logs.clear());
  }

  admit(bucket: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision> {
    const { clock } = this.#options;
    if (windows.length === 0) return unlimited(clock.nowMs());
    const decision = this.#logs.table.run(() => this.#admitLoaded(bucket, windows));
    return decision ?? this.#admitAfterLoad(bucket, windows);
  }

  async peek(bucket: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]> {
    if (windows.length === 0) return [];
    const { clock } = this.#options;
    for (;;) {
      const uses = this.#logs.table.run(() => {
        const nowMs = clock.monotonicMs();
        const record = this.#findLoaded(bucket, nowMs);
        return record < 0 ? null : this.#usesOf(record, windows, nowMs);
      });
      if (uses !== null) return statesOf(windows, uses, clock.nowMs());
      await this.#load(bucket);
    }
  }

  async #admitAfterLoad(bucket: number, windows: readonly RateWindow[]): Promise<RateDecision> {
    for (;;) {
      await this.#load(bucket);
      const decision = this.#logs.table.run(() => this.#admitLoaded(bucket, windows));
      if (decision !== null) return decision;
    }
  }

  /** Returns null if the bucket is not loaded. */
  #admitLoaded(bucket: number, windows: readonly RateWindow[]): RateDecision | null {
    const { clock } = this.#options;
    // Read inside the lock, so that the times of a bucket ascend even if several threads write them.
    const nowMs = clock.monotonicMs();
    if (nowMs >= this.#nextSweepMs) this.#sweep(nowMs);
    if (this.#logs.freeChunks === 0) this.#makeRoom();
    const record = this.#findLoaded(bucket, nowMs);
    if (record < 0) return null;
    const { values } = this.#logs.table;
    if (values[record + retryAtMsOf] !== 0 && nowMs >= (values[record + retryAtMsOf] as number)) {
      values[record + retryAtMsOf] = 0;
      // Runs after this work has released the lock.
      queueMicrotask(() => void this.#refill(bucket, true));
    }
    const decision = decisionOf(windows, this.#usesOf(record, windows, nowMs), clock.nowMs());
    if (decision.admitted) this.#logs.push(record, nowMs);
    return decision;
  }

  /** The position of a bucket; -1 unless its times are loaded. */
  #findLoaded(bucket: number, nowMs: number): number {
    const { table } = this.#logs;
    const record = table.find(bucket);
    if (record < 0 || table.values[record + loadingUntilMsOf] !== 0) return -1;
    table.values[record + lastSeenMsOf] = nowMs;
    return record;
  }

  #usesOf(record: number, windows: readonly RateWindow[], nowMs: number): WindowUse[] {
    return windows.map(({ seconds, limit }) => {
      const { used, oldestMs } = this.#logs.countWithin(record, this.#seconds.indexOf(seconds), nowMs, limit);
      return { used, freesInMs: used === 0 ? seconds * 1_000 : oldestMs + seconds * 1_000 - nowMs };
    });
  }

  /** Loads the bucket, or waits briefly if another thread is loading it. */
  async #load(bucket: number): Promise<void> {
    const { clock } = this.#options;
    const step = this.#logs.table.run(() => {
      const { values } = this.#logs.table;
      const nowMs = clock.monotonicMs();
      let record = this.#logs.table.find(bucket);
      if (record >= 0 && values[record + loadingUntilMsOf] === 0) return "loaded";
      if (record >= 0 && nowMs < (values[record + loadingUntilMsOf] as number)) return "wait";
      if (record < 0) {
        this.#makeRoom();
        record = this.#logs.add(bucket);
        values[record + firstSeenMsOf] = nowMs;
        values[record + firstSeenAtMsOf] = clock.nowMs();
      }
      values[record + lastSeenMsOf] = nowMs;
      values[record + loadingUntilMsOf] = nowMs + loadTimeoutMs;
      return "load";
    });
    if (step === "load") await this.#refill(bucket, false);
    if (step === "wait") await sleep(pollMs);
  }

  async #refill(bucket: number, isRetry: boolean): Promise<void> {
    const { loadRecent, log, clock } = this.#options;
    const { table } = this.#logs;
    const { keepMs, largestLimit } = this.#retention;
    const firstSeen = table.run(() => {
      const record = table.find(bucket);
      return record < 0
        ? null
        : { ms: fieldOf(table.values, record + firstSeenMsOf), atMs: fieldOf(table.values, record + firstSeenAtMsOf) };
    });
    if (firstSeen === null) return;
    try {
      const wallTimes = await loadRecent(bucket, firstSeen.atMs - keepMs, largestLimit);
      // In a retry, later times are already in memory. In a first load, later times mean that the clock was set back.
      const earlier = isRetry ? wallTimes.filter((time) => time < firstSeen.atMs) : wallTimes;
      const times = earlier.map((time) => firstSeen.ms - Math.max(0, firstSeen.atMs - time));
      table.run(() => {
        const record = table.find(bucket);
        if (record < 0) return;
        this.#makeRoom(Math.ceil(times.length / timesInChunk));
        // Evictions may have moved the record, so it is looked up again.
        this.#logs.prepend(table.find(bucket), times);
        table.values[table.find(bucket) + loadingUntilMsOf] = 0;
      });
    } catch (error) {
      table.run(() => {
        const record = table.find(bucket);
        if (record < 0) return;
        table.values[record + loadingUntilMsOf] = 0;
        table.values[record + retryAtMsOf] = clock.monotonicMs() + retryAfterMs;
      });
      log.warn(
        { err: error, bucket },
        "Could not read a key's recent requests; its limits count from now until the request log is readable",
      );
    }
  }

  /** Drops buckets whose windows are empty. Evicts idle buckets if memory is short. */
  #sweep(nowMs: number): void {
    this.#nextSweepMs = nowMs + sweepIntervalMs;
    const { table } = this.#logs;
    const { keepMs } = this.#retention;
    const isOver = (record: number) => fieldOf(table.values, record + lastSeenMsOf) + keepMs <= nowMs;
    this.#evictWhile(isOver, () => true);
    if (this.#isShort()) this.#evictIdle(nowMs - minIdleMs);
  }

  /** Makes room for a bucket and for `chunks` further chunks. */
  #makeRoom(chunks = 1): void {
    const { table } = this.#logs;
    if (!table.isFull && this.#logs.freeChunks > chunks) return;
    this.#evictIdle(Number.POSITIVE_INFINITY);
    if (table.isFull || this.#logs.freeChunks <= chunks) throw new Error("The memory of the limits is full.");
  }

  #isShort(): boolean {
    const { table, freeChunks, maxChunks } = this.#logs;
    return table.size > table.maxRecords * highShare || freeChunks < maxChunks * (1 - highShare);
  }

  /** Evicts buckets last used at `sinceMs` or before, the longest idle first, until memory is no longer short. */
  #evictIdle(sinceMs: number): void {
    const { table } = this.#logs;
    const times = Float64Array.from(table.records(), (record) => fieldOf(table.values, record + lastSeenMsOf)).sort();
    const batch = Math.ceil(times.length / 16);
    for (let last = batch - 1; this.#isShort() && last < times.length; last += batch) {
      const untilMs = Math.min(sinceMs, times[last] as number);
      this.#evictWhile(
        (record) => fieldOf(table.values, record + lastSeenMsOf) <= untilMs,
        () => this.#isShort(),
      );
      if (untilMs === sinceMs) return;
    }
  }

  /** Removes the loaded buckets for which `isOver` returns true, as long as `shouldContinue` returns true. */
  #evictWhile(isOver: (record: number) => boolean, shouldContinue: () => boolean): void {
    const { table } = this.#logs;
    table.removeWhere((record) => {
      if (table.values[record + loadingUntilMsOf] !== 0 || !isOver(record) || !shouldContinue()) return false;
      this.#logs.release(record);
      return true;
    });
  }
}

const fieldOf = (values: Float64Array, record: number): number => values[record] as number;

const lengthsOf = (windows: readonly RateWindow[]): number[] =>
  [...new Set(windows.map(({ seconds }) => seconds))].sort((a, b) => a - b);
