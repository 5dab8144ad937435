import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { plans, type RateWindow } from "../admission/plans.ts";
import { decisionOf, statesOf, unlimited, type WindowUse } from "./decision.ts";
import { SlidingLog } from "./sliding-log.ts";
import type { RateDecision, RateLimitStore, WindowState } from "./store.ts";

/**
 * When a key's counted requests were admitted: wall times in Unix milliseconds, ascending, those since `sinceMs`, and
 * the newest `atMost` of them where there are more.
 */
export type LoadRecent = (keyId: number, sinceMs: number, atMost: number) => Promise<number[]>;

export interface MemoryStoreOptions {
  clock: Clock;
  /** Reads the request log, so that a restart is no way round a limit. */
  loadRecent: LoadRecent;
  log: Pick<Logger, "warn">;
  /** About how many times all keys together may keep in memory, 8 bytes each. */
  maxTimes?: number;
}

interface Bucket {
  readonly admitted: SlidingLog;
  /** The first sight, monotonic and wall: what came before it stands in the request log, what came after it here. */
  readonly firstSeenMs: number;
  readonly firstSeenAtMs: number;
  lastSeenMs: number;
  /** The first refill, which requests wait for; null when it has ended. */
  loading: Promise<void> | null;
  /** When a refill that failed is tried again. */
  retryAtMs: number;
}

const allWindows = Object.values(plans).flat();
/** What is older than the longest window, or beyond the largest limit, decides nothing. */
export const keepMs = Math.max(...allWindows.map((window) => window.seconds)) * 1000;
export const largestLimit = Math.max(...allWindows.map((window) => window.limit));
const retryAfterMs = 5_000;
const sweepEveryMs = 10_000;
// By then the request log has surely been written, so that a bucket dropped early can be refilled.
const writtenAfterMs = 10_000;
const defaultMaxTimes = 8_000_000;
// What a bucket costs beside its times, counted in times.
const bucketOverhead = 40;

/**
 * Exact sliding windows in the memory of one process. Each key's log is refilled from the request log at its first
 * sight; from then on a request is decided synchronously. While the request log cannot be read, requests are admitted
 * by what is known, and the refill is tried again every five seconds.
 */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #clock: Clock;
  readonly #loadRecent: LoadRecent;
  readonly #log: Pick<Logger, "warn">;
  readonly #maxTimes: number;
  readonly #buckets = new Map<number, Bucket>();
  #nextSweepMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, loadRecent, log, maxTimes = defaultMaxTimes }: MemoryStoreOptions) {
    this.#clock = clock;
    this.#loadRecent = loadRecent;
    this.#log = log;
    this.#maxTimes = maxTimes;
  }

  /** How many keys are in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  admit(keyId: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision> {
    if (windows.length === 0) return unlimited(this.#clock.nowMs());
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#nextSweepMs) this.#sweep(nowMs);

    const bucket = this.#buckets.get(keyId) ?? this.#firstSight(keyId, nowMs);
    bucket.lastSeenMs = nowMs;
    if (bucket.loading !== null) return this.#decideAfter(bucket.loading, bucket.admitted, windows);
    if (nowMs >= bucket.retryAtMs) void this.#refill(keyId, bucket);
    return decide(bucket.admitted, windows, nowMs, this.#clock.nowMs());
  }

  async look(keyId: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]> {
    if (windows.length === 0) return [];
    const bucket = this.#buckets.get(keyId) ?? this.#firstSight(keyId, this.#clock.monotonicMs());
    await bucket.loading;
    const nowMs = this.#clock.monotonicMs();
    bucket.lastSeenMs = nowMs;
    return statesOf(windows, usesOf(bucket.admitted, windows, nowMs), this.#clock.nowMs());
  }

  #firstSight(keyId: number, nowMs: number): Bucket {
    const bucket: Bucket = {
      admitted: new SlidingLog(keepMs),
      firstSeenMs: nowMs,
      firstSeenAtMs: this.#clock.nowMs(),
      lastSeenMs: nowMs,
      loading: null,
      retryAtMs: Number.POSITIVE_INFINITY,
    };
    this.#buckets.set(keyId, bucket);
    bucket.loading = this.#refill(keyId, bucket).finally(() => {
      bucket.loading = null;
    });
    return bucket;
  }

  async #decideAfter(loading: Promise<void>, admitted: SlidingLog, windows: readonly RateWindow[]) {
    await loading;
    return decide(admitted, windows, this.#clock.monotonicMs(), this.#clock.nowMs());
  }

  async #refill(keyId: number, bucket: Bucket): Promise<void> {
    bucket.retryAtMs = Number.POSITIVE_INFINITY;
    try {
      const wallTimes = await this.#loadRecent(keyId, bucket.firstSeenAtMs - keepMs, largestLimit);
      const earlier = wallTimes.filter((time) => time < bucket.firstSeenAtMs);
      bucket.admitted.prepend(earlier.map((time) => bucket.firstSeenMs - (bucket.firstSeenAtMs - time)));
    } catch (error) {
      bucket.retryAtMs = this.#clock.monotonicMs() + retryAfterMs;
      this.#log.warn(
        { err: error, keyId },
        "Could not read a key's recent requests; its limits count from now until the request log can be read",
      );
    }
  }

  /** Drops keys that no window remembers, then, beyond the bound, those that have been idle longest. */
  #sweep(nowMs: number): void {
    this.#nextSweepMs = nowMs + sweepEveryMs;
    let times = 0;
    for (const [keyId, bucket] of this.#buckets) {
      if (bucket.lastSeenMs + keepMs <= nowMs) this.#buckets.delete(keyId);
      else times += cost(bucket);
    }
    if (times <= this.#maxTimes) return;
    const idle = [...this.#buckets]
      .filter(([, bucket]) => bucket.loading === null && bucket.lastSeenMs + writtenAfterMs <= nowMs)
      .sort(([, a], [, b]) => a.lastSeenMs - b.lastSeenMs);
    for (const [keyId, bucket] of idle) {
      if (times <= this.#maxTimes) break;
      this.#buckets.delete(keyId);
      times -= cost(bucket);
    }
  }
}

const cost = (bucket: Bucket): number => bucket.admitted.capacity + bucketOverhead;

function decide(admitted: SlidingLog, windows: readonly RateWindow[], nowMs: number, atMs: number): RateDecision {
  const decision = decisionOf(windows, usesOf(admitted, windows, nowMs), atMs);
  if (decision.admitted) admitted.push(nowMs);
  return decision;
}

const usesOf = (admitted: SlidingLog, windows: readonly RateWindow[], nowMs: number): WindowUse[] =>
  windows.map(({ seconds, limit }) => {
    const windowMs = seconds * 1000;
    const used = admitted.countWithin(windowMs, nowMs, limit);
    return { used, freesInMs: used === 0 ? windowMs : admitted.nthNewest(used) + windowMs - nowMs };
  });
