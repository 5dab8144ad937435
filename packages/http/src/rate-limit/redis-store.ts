import { createHash } from "node:crypto";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Logger } from "pino";
import { decisionOf, statesOf, unlimited, type WindowUse } from "./decision.ts";
import { type LoadRecent, MemoryRateLimitStore } from "./memory-store.ts";
import type { RedisAddress } from "./redis-address.ts";
import { isScriptMissing, RedisConnection, type RedisSession } from "./redis-connection.ts";
import { RedisRefusal, refusalOf } from "./redis-link.ts";
import { addScript, admitScript } from "./redis-scripts.ts";
import {
  type RateDecision,
  type RateLimitStore,
  type RateWindow,
  type Retention,
  retentionOf,
  type WindowState,
} from "./store.ts";

export interface RedisStoreOptions {
  address: RedisAddress;
  /** Every window that a bucket may have. */
  windows: readonly RateWindow[];
  clock: Clock;
  /** Fills buckets that Redis does not have. */
  loadRecent: LoadRecent;
  log: Pick<Logger, "error" | "warn" | "info">;
  /** Opens the store that decides while Redis is unavailable. Absent: a MemoryRateLimitStore. */
  openLocal?: () => RateLimitStore;
  /** If Redis sends no reply for this long, it counts as unavailable. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 250;
const retryIntervalMs = 250;
// Exceeds the delay of the request log's writes on every instance.
const logDelayMs = 600;

/**
 * A repeated problem is logged again only after limits have been shared for this long; otherwise it is only counted.
 */
const logAgainAfterMs = 60_000;

interface SharedSession {
  session: RedisSession;
  sinceMs: number;
  /** Monotonic. Until this time this instance decides locally about buckets whose Redis process has changed. */
  fromMs: number;
  /** Whether the Redis process of the bucket is the same as in the previous session. */
  isSameRun(bucket: number): boolean;
  /** Whether all Redis processes are the same as in the previous session. */
  areSameRuns: boolean;
}

/** The problem with Redis: "unreachable", or the code of its error replies, such as OOM. */
type Fault = string;

/**
 * Exact sliding windows across all instances that share a Redis or Valkey: one atomic round trip per request, by the
 * clock of Redis. While Redis is unreachable or replies with errors, each instance counts locally, so n instances admit
 * at most n times the limit. Afterwards they replay their local admissions. If Redis restarted, or a failover promoted
 * another master, buckets are filled from the request log instead.
 */
export class RedisRateLimitStore implements RateLimitStore {
  readonly #options: RedisStoreOptions;
  readonly #retention: Retention;
  /** The retention as arguments of the scripts. */
  readonly #retained: readonly string[];
  readonly #connection: RedisConnection;
  #shared: SharedSession | null = null;
  #lastRunOf: ((bucket: number) => string) | null = null;
  /** Decides while Redis is unavailable. */
  #local: RateLimitStore;
  readonly #openLocal: () => RateLimitStore;
  /** Requests that `#local` admitted, by bucket: wall times in Unix milliseconds, ascending. */
  #admittedLocally = new Map<number, number[]>();
  #fault: Fault = "unreachable";
  readonly #loggedFaults = new Set<Fault>();
  readonly #refusals = new Map<string, number>();

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    this.#retention = retentionOf(options.windows);
    this.#retained = [String(this.#retention.keepMs), String(this.#retention.largestLimit)];
    this.#openLocal = options.openLocal ?? (() => new MemoryRateLimitStore(options));
    this.#local = this.#openLocal();
    this.#connection = new RedisConnection({
      address: options.address,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      retryIntervalMs,
      onConnect: (session) => this.#useSession(session),
      onFailure: (reason) => this.#fail(reason),
    });
  }

  /** Resolves after the first connection attempt, successful or not. */
  async start(): Promise<void> {
    await this.#connection.open();
  }

  stop(): void {
    this.#connection.close();
  }

  /** Whether limits are currently counted across instances. */
  get isShared(): boolean {
    const shared = this.#shared;
    return shared !== null && (shared.areSameRuns || this.#options.clock.monotonicMs() >= shared.fromMs);
  }

  get problem(): string | null {
    if (this.isShared) return null;
    return this.#fault === "unreachable" ? "Redis is unreachable" : `Redis cannot count: ${this.#fault}`;
  }

  /** Error replies of Redis since start, by their code. */
  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  admit(bucket: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision> {
    if (windows.length === 0) return unlimited(this.#options.clock.nowMs());
    const session = this.#sharedFor(bucket);
    return session === null ? this.#admitLocally(bucket, windows) : this.#admitShared(session, bucket, windows);
  }

  async peek(bucket: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]> {
    if (windows.length === 0) return [];
    const session = this.#sharedFor(bucket);
    try {
      if (session !== null) {
        const { uses, atMs } = await this.#query(session, bucket, windows, "peek");
        return statesOf(windows, uses, atMs);
      }
    } catch {
      // Redis has just become unavailable: fall back to the local store.
    }
    return this.#local.peek(bucket, windows);
  }

  #sharedFor(bucket: number): RedisSession | null {
    const shared = this.#shared;
    if (shared === null) return null;
    const isReady = this.#options.clock.monotonicMs() >= shared.fromMs || shared.isSameRun(bucket);
    return isReady ? shared.session : null;
  }

  async #admitShared(session: RedisSession, bucket: number, windows: readonly RateWindow[]): Promise<RateDecision> {
    try {
      const { uses, atMs } = await this.#query(session, bucket, windows, "admit");
      return decisionOf(windows, uses, atMs);
    } catch (error) {
      // Only for an error reply: a connection error has already ended the session.
      if (this.#shared?.session === session) this.#connection.drop(error);
      return this.#admitLocally(bucket, windows);
    }
  }

  async #admitLocally(bucket: number, windows: readonly RateWindow[]): Promise<RateDecision> {
    const decision = await this.#local.admit(bucket, windows);
    // Admissions after the reconnection, but before the switch, will be in the request log by then.
    if (decision.admitted && this.#shared === null) {
      const times = this.#admittedLocally.get(bucket);
      if (times === undefined) this.#admittedLocally.set(bucket, [decision.atMs]);
      else if (times.push(decision.atMs) > 2 * this.#retention.largestLimit)
        times.splice(0, this.#retention.largestLimit);
    }
    return decision;
  }

  /** Returns the use of the bucket's windows before the request. With "admit", counts the request if it is admitted. */
  async #query(
    session: RedisSession,
    bucket: number,
    windows: readonly RateWindow[],
    purpose: "admit" | "peek",
  ): Promise<{ uses: WindowUse[]; atMs: number }> {
    const bounds = windows.flatMap(({ limit, seconds }) => [String(limit), String(seconds * 1_000_000)]);
    const decide = () =>
      run(session, admitScript, bucket, [purpose === "admit" ? "1" : "0", ...this.#retained, ...bounds]);
    let reply = await decide();
    if (!Array.isArray(reply)) {
      const recent = await this.#recent(bucket, this.#options.clock.nowMs());
      await run(session, addScript, bucket, ["refill", ...this.#retained, ...recent.map(microseconds)]);
      reply = await decide();
    }
    if (!Array.isArray(reply)) throw new RedisRefusal("EVICTED", "Redis evicted a key that was just written");
    const [nowMicroseconds, ...numbers] = reply.map(Number);
    const uses = windows.map((_, i) => ({
      used: numbers[2 * i] ?? 0,
      freesInMs: (numbers[2 * i + 1] ?? 0) / 1000,
    }));
    return { uses, atMs: (nowMicroseconds ?? 0) / 1000 };
  }

  async #recent(bucket: number, nowMs: number): Promise<number[]> {
    try {
      return await this.#options.loadRecent(bucket, nowMs - this.#retention.keepMs, this.#retention.largestLimit);
    } catch (error) {
      this.#options.log.warn(
        { err: error, bucket },
        "Could not read a key's recent requests; its limits count from now",
      );
      return [];
    }
  }

  /**
   * Switches to a newly connected Redis. If it is the same process as before, the local admissions of its buckets are
   * replayed immediately. Otherwise buckets are filled from the request log, so the switch waits until the log has been
   * written.
   */
  #useSession(session: RedisSession): void {
    const lastRunOf = this.#lastRunOf;
    const isSameRun = (bucket: number) => lastRunOf !== null && lastRunOf(bucket) === session.runOf(bucket);
    const nowMs = this.#options.clock.monotonicMs();
    // Other instances may have admitted requests that the log lacks, so no instance fills a restarted Redis
    // immediately.
    const isReady = lastRunOf === null && this.#admittedLocally.size === 0;
    this.#shared = {
      session,
      sinceMs: nowMs,
      fromMs: isReady ? nowMs : nowMs + logDelayMs,
      isSameRun,
      areSameRuns: session.probeBuckets.every(isSameRun),
    };
    this.#lastRunOf = (bucket) => session.runOf(bucket);
    void this.#replay(session, this.#admittedLocally, isSameRun);
    this.#admittedLocally = new Map();
    if (lastRunOf !== null || this.#loggedFaults.size > 0)
      this.#options.log.info("Redis is back: limits are counted across instances again");
  }

  /** Counts locally from now on. Logs each problem once, and again only after limits have been shared for a minute. */
  #fail(reason: unknown): void {
    const nowMs = this.#options.clock.monotonicMs();
    const wasSharedForMs = this.#shared === null ? 0 : nowMs - this.#shared.sinceMs;
    if (this.#shared !== null) this.#local = this.#openLocal();
    this.#shared = null;
    const refusal = refusalOf(reason);
    this.#fault = refusal?.code ?? "unreachable";
    if (refusal !== null) this.#refusals.set(refusal.code, (this.#refusals.get(refusal.code) ?? 0) + 1);
    if (wasSharedForMs >= logAgainAfterMs) this.#loggedFaults.clear();
    if (this.#loggedFaults.has(this.#fault)) return;
    this.#loggedFaults.add(this.#fault);
    if (refusal === null)
      this.#options.log.warn(
        { err: reason },
        "Redis is unavailable: each instance counts limits by itself until it is back, so several instances together admit more than the limit",
      );
    else
      this.#options.log.error(
        { err: refusal, code: refusal.code },
        `${refusal.message}. Each instance counts limits by itself until Redis counts again, so several instances together admit more than the limit`,
      );
  }

  /** Adds locally admitted requests to the buckets of Redis, except to buckets whose Redis process has changed. */
  async #replay(
    session: RedisSession,
    admittedTimes: ReadonlyMap<number, readonly number[]>,
    isSameRun: (bucket: number) => boolean,
  ): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    try {
      for (const [bucket, times] of admittedTimes)
        if (isSameRun(bucket))
          await run(session, addScript, bucket, ["replay", ...this.#retained, ...agesMicroseconds(times, nowMs)]);
    } catch (error) {
      this.#options.log.warn({ err: error }, "Redis became unavailable before locally admitted requests were replayed");
    }
  }
}

const microseconds = (ms: number): string => String(Math.round(ms * 1000));

const agesMicroseconds = (times: readonly number[], nowMs: number): string[] =>
  times.map((time) => microseconds(Math.max(0, nowMs - time)));

const hashes = new Map(
  [admitScript, addScript].map((script) => [script, createHash("sha1").update(script).digest("hex")]),
);

/** Runs a script on a bucket. Redis caches the script after the first run. */
async function run(
  session: RedisSession,
  script: string,
  bucket: number,
  parameters: readonly string[],
): Promise<unknown> {
  const callParameters = ["1", session.keyOf(bucket), ...parameters];
  try {
    return await session.send(bucket, ["EVALSHA", hashes.get(script) ?? "", ...callParameters]);
  } catch (error) {
    if (!isScriptMissing(error)) throw error;
    return session.send(bucket, ["EVAL", script, ...callParameters]);
  }
}
