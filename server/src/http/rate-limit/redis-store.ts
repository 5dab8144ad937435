import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { RateWindow } from "../admission/plans.ts";
import { decisionOf, statesOf, unlimited, type WindowUse } from "./decision.ts";
import { keepMs, type LoadRecent, largestLimit, MemoryRateLimitStore } from "./memory-store.ts";
import { RedisConnection, type RedisSession } from "./redis-connection.ts";
import { addScript, admitScript } from "./redis-scripts.ts";
import type { RateDecision, RateLimitStore, WindowState } from "./store.ts";

export interface RedisStoreOptions {
  url: string;
  clock: Clock;
  /** Reads the request log, for buckets that Redis does not know. */
  loadRecent: LoadRecent;
  log: Pick<Logger, "warn" | "info">;
}

const patienceMs = 250;
const retryEveryMs = 250;
// By then what every instance has admitted by itself stands in the request log (request-log.ts).
const settleMs = 600;

interface Shared {
  session: RedisSession;
  /** Before this, monotonic, decisions are still made here. */
  fromMs: number;
}

/**
 * Exact sliding windows across all instances that share one Redis or Valkey: one atomic round trip a request, by Redis'
 * own clock. While Redis is away each instance counts in its own memory, so that together they admit at most as many
 * times the limit as there are instances; when it is back, what they admitted is added to what it knew. A Redis that
 * comes back empty, or another one, begins with what the request log says.
 */
export class RedisRateLimitStore implements RateLimitStore {
  readonly #options: RedisStoreOptions;
  readonly #connection: RedisConnection;
  #shared: Shared | null = null;
  #lastRunId: string | null = null;
  /** What decides while Redis is away. */
  #alone: MemoryRateLimitStore;
  /** What it admitted: wall times in Unix milliseconds, ascending, by bucket. */
  #admittedAlone = new Map<number, number[]>();

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    this.#alone = new MemoryRateLimitStore(options);
    this.#connection = new RedisConnection({
      url: options.url,
      patienceMs,
      retryEveryMs,
      onUp: (session) => this.#share(session),
      onDown: (reason) => {
        this.#shared = null;
        this.#alone = new MemoryRateLimitStore(this.#options);
        options.log.warn(
          { err: reason },
          "Redis is away: limits are counted by this instance alone until it is back, so several instances admit more",
        );
      },
    });
  }

  /** Connects; resolves, with Redis away too, once that is known. */
  async start(): Promise<void> {
    await this.#connection.open();
    if (this.#shared === null)
      this.#options.log.warn("Redis is out of reach: limits are counted by this instance alone until it answers");
  }

  stop(): void {
    this.#connection.close();
  }

  /** Whether limits are counted across instances at this moment. */
  get isShared(): boolean {
    return this.#sharedNow() !== null;
  }

  admit(bucket: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision> {
    if (windows.length === 0) return unlimited(this.#options.clock.nowMs());
    const session = this.#sharedNow();
    return session === null ? this.#admitAlone(bucket, windows) : this.#admitShared(session, bucket, windows);
  }

  async look(bucket: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]> {
    if (windows.length === 0) return [];
    const session = this.#sharedNow();
    try {
      if (session !== null) {
        const { uses, atMs } = await this.#ask(session, bucket, windows, "look");
        return statesOf(windows, uses, atMs);
      }
    } catch {
      // Redis has just gone; what this instance knows is next.
    }
    return this.#alone.look(bucket, windows);
  }

  #sharedNow(): RedisSession | null {
    const shared = this.#shared;
    return shared === null || this.#options.clock.monotonicMs() < shared.fromMs ? null : shared.session;
  }

  async #admitShared(session: RedisSession, bucket: number, windows: readonly RateWindow[]): Promise<RateDecision> {
    try {
      const { uses, atMs } = await this.#ask(session, bucket, windows, "admit");
      return decisionOf(windows, uses, atMs);
    } catch {
      return this.#admitAlone(bucket, windows);
    }
  }

  async #admitAlone(bucket: number, windows: readonly RateWindow[]): Promise<RateDecision> {
    const decision = await this.#alone.admit(bucket, windows);
    if (decision.admitted) {
      const times = this.#admittedAlone.get(bucket);
      if (times === undefined) this.#admittedAlone.set(bucket, [decision.atMs]);
      else if (times.push(decision.atMs) > 2 * largestLimit) times.splice(0, largestLimit);
    }
    return decision;
  }

  /** How full the bucket's windows are; counts the request when it is to be admitted. */
  async #ask(
    session: RedisSession,
    bucket: number,
    windows: readonly RateWindow[],
    purpose: "admit" | "look",
  ): Promise<{ uses: WindowUse[]; atMs: number }> {
    const bounds = windows.flatMap(({ limit, seconds }) => [String(limit), String(seconds * 1_000_000)]);
    const ask = () => run(session, admitScript, bucket, [purpose === "admit" ? "1" : "0", ...kept, ...bounds]);
    let answer = await ask();
    if (!Array.isArray(answer)) {
      const nowMs = this.#options.clock.nowMs();
      const recent = await this.#recent(bucket, nowMs);
      await run(session, addScript, bucket, ["1", ...kept, ...agesMicroseconds(recent, nowMs)]);
      answer = await ask();
    }
    if (!Array.isArray(answer)) throw new Error("Redis forgot a bucket that it had just been told.");
    const [nowMicroseconds, ...numbers] = answer.map(Number);
    const uses = windows.map((_, i) => ({
      used: numbers[2 * i] ?? 0,
      freesInMs: (numbers[2 * i + 1] ?? 0) / 1000,
    }));
    return { uses, atMs: (nowMicroseconds ?? 0) / 1000 };
  }

  async #recent(bucket: number, nowMs: number): Promise<number[]> {
    try {
      return await this.#options.loadRecent(bucket, nowMs - keepMs, largestLimit);
    } catch (error) {
      this.#options.log.warn(
        { err: error, bucket },
        "Could not read a key's recent requests; its limits count from now",
      );
      return [];
    }
  }

  /**
   * Goes over to a Redis that answers: at once when it is the one from before, which is told what was admitted
   * meanwhile; else when the request log, out of which another one learns it, has been written.
   */
  #share(session: RedisSession): void {
    const isKnown = session.runId === this.#lastRunId;
    const isFirst = this.#lastRunId === null;
    this.#lastRunId = session.runId;
    const nowMs = this.#options.clock.monotonicMs();
    const isSettled = isKnown || this.#admittedAlone.size === 0;
    this.#shared = { session, fromMs: isSettled ? nowMs : nowMs + settleMs };
    if (isKnown) void this.#tell(session, this.#admittedAlone);
    this.#admittedAlone = new Map();
    if (!isFirst) this.#options.log.info("Redis is back: limits are counted across instances again");
  }

  /** Adds what was admitted while Redis was away. */
  async #tell(session: RedisSession, admitted: ReadonlyMap<number, readonly number[]>): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    try {
      for (const [bucket, times] of admitted)
        await run(session, addScript, bucket, ["0", ...kept, ...agesMicroseconds(times, nowMs)]);
    } catch (error) {
      this.#options.log.warn({ err: error }, "Redis went away again before it was told what was admitted meanwhile");
    }
  }
}

const kept = [String(keepMs), String(largestLimit)];

const agesMicroseconds = (times: readonly number[], nowMs: number): string[] =>
  times.map((time) => String(Math.round(Math.max(0, nowMs - time) * 1000))).reverse();

const hashes = new Map(
  [admitScript, addScript].map((script) => [script, createHash("sha1").update(script).digest("hex")]),
);

/** Runs a script on a bucket; Redis keeps the text after the first time. */
async function run(
  session: RedisSession,
  script: string,
  bucket: number,
  parameters: readonly string[],
): Promise<unknown> {
  const rest = ["1", `beatmarket:limit:${session.runId}:${bucket}`, ...parameters];
  try {
    return await session.send(["EVALSHA", hashes.get(script) ?? "", ...rest]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
    return session.send(["EVAL", script, ...rest]);
  }
}
