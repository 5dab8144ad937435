import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { type LoadRecent, MemoryRateLimitStore } from "@beatmarket/http/rate-limit/memory-store.ts";
import { redisAddress } from "@beatmarket/http/rate-limit/redis-address.ts";
import { RedisRateLimitStore } from "@beatmarket/http/rate-limit/redis-store.ts";
import type { RateDecision, RateLimitStore, RateWindow } from "@beatmarket/http/rate-limit/store.ts";
import { testRedis } from "@beatmarket/http/testing/redis.ts";
import { RequestLog } from "@beatmarket/request-log/request-log.ts";
import { type TestCallLog, testCallLogs } from "@beatmarket/request-log/testing/call-logs.ts";
import { logEntry } from "@beatmarket/request-log/testing/log-entries.ts";
import { createClient } from "@redis/client";
import fc from "fast-check";
import pino from "pino";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { bucketAt } from "../../src/access/caller.ts";
import { allWindows } from "../../src/access/plans.ts";
import { testDatabase } from "../harness/database/database.ts";

// If the memory of limits is lost and refilled from the request log, the limits still count every logged call.

// The real scripts, with the clock of the test.
vi.mock("@beatmarket/http/rate-limit/redis-scripts.ts", async (importOriginal) => {
  const { admitScript, addScript } = await importOriginal<Record<"admitScript" | "addScript", string>>();
  const onTestClock = (script: string) =>
    script.replace(
      "redis.call('TIME')",
      "{ math.floor(redis.call('GET', 'now') / 1000000), redis.call('GET', 'now') % 1000000 }",
    );
  return { admitScript: onTestClock(admitScript), addScript: onTestClock(addScript) };
});
// A slow reply on a busy machine must not count as a lost Redis.
vi.mock(import("@beatmarket/http/rate-limit/redis-connection.ts"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    RedisConnection: class extends original.RedisConnection {
      constructor(options: ConstructorParameters<typeof original.RedisConnection>[0]) {
        super({ ...options, timeoutMs: 60_000 });
      }
    },
  };
});

const silent = pino({ level: "silent" });
const database = await testDatabase();
const callLogs = await testCallLogs(database, new FakeClock());
const [inPostgres] = callLogs as [TestCallLog];
const redis = await testRedis();
const address = redisAddress(redis.url) ?? expect.unreachable();
const redisClient = await createClient({ url: redis.url }).connect();

const dayMs = 86_400_000;
const names = ["minute", "hour", "day"] as const;
const lengths = { minute: 60, hour: 3_600, day: 86_400 };
const anyWindows = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 12 }))
  .map((limits) => names.map((name, i): RateWindow => ({ name, seconds: lengths[name], limit: limits[i] ?? 1 })));
const anyGapMs = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
  { weight: 3, arbitrary: fc.constantFrom(0, 59_999, 60_000, 60_001, 30_000) },
  { weight: 2, arbitrary: fc.constantFrom(3_599_999, 3_600_000, 3_600_001, 1_800_000) },
  { weight: 1, arbitrary: fc.constantFrom(dayMs - 1, dayMs, dayMs + 1, dayMs / 2) },
);
const instanceCount = 3;
const anyStep = fc.record({
  gapMs: anyGapMs,
  calls: fc.integer({ min: 1, max: 6 }),
  key: fc.integer({ min: 1, max: 2 }),
  instance: fc.nat(instanceCount - 1),
  event: fc.oneof(
    { weight: 5, arbitrary: fc.constant("nothing" as const) },
    { weight: 2, arbitrary: fc.constantFrom("flush", "stop", "kill", "lose Redis") },
  ),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;
const anyHistory = fc.array(anyStep, { minLength: 1, maxLength: 40 });

interface Admitted {
  key: number;
  timeMs: number;
  isLogged: boolean;
}

/** A slow model of the rule. It stores every admitted time and checks all of them for each request. */
class Model {
  admitted: Admitted[] = [];

  /** The rule's decision on a call. If it is admitted, `remaining` already counts it. */
  decide(key: number, windows: readonly RateWindow[], nowMs: number) {
    const uses = windows.map(({ seconds, limit }) => {
      const times = this.admitted.filter(
        (admission) => admission.key === key && admission.timeMs + seconds * 1000 > nowMs,
      );
      // A full window admits a call again when its `limit`-th newest call leaves it. Otherwise the oldest call leaves
      // first.
      const oldestMs = times.at(-limit)?.timeMs ?? times[0]?.timeMs ?? nowMs;
      return {
        isFull: times.length >= limit,
        used: Math.min(limit, times.length),
        freesAtMs: oldestMs + seconds * 1000,
      };
    });
    const admitted = uses.every(({ isFull }) => !isFull);
    const waits = uses.filter(({ isFull }) => isFull).map(({ freesAtMs }) => Math.ceil((freesAtMs - nowMs) / 1000));
    return {
      admitted,
      remaining: windows.map(({ limit }, i) => limit - (uses[i]?.used ?? 0) - Number(admitted)),
      resetsAtMs: uses.map(({ freesAtMs }) => freesAtMs),
      retryAfterSeconds: Math.max(0, ...waits),
    };
  }

  /** Forgets the calls that were never logged, when the memory that counted them is lost. */
  forgetUnlogged(): void {
    this.admitted = this.admitted.filter(({ isLogged }) => isLogged);
  }
}

const comparable = ({ admitted, windows, retryAfterSeconds }: RateDecision) => ({
  admitted,
  remaining: windows.map(({ remaining }) => remaining),
  resetsAtMs: windows.map(({ resetAtMs }) => resetAtMs),
  retryAfterSeconds,
});

/** A process: its log, and the calls that it admitted after the last write of the log. */
class Instance {
  readonly log: RequestLog;
  unlogged: Admitted[] = [];
  store!: RateLimitStore;

  readonly #calls: TestCallLog;

  constructor(clock: FakeClock, calls: TestCallLog) {
    this.#calls = calls;
    this.log = new RequestLog(database, clock, silent, { store: calls.log.store });
  }

  readonly loadRecent: LoadRecent = async (bucket, sinceMs, atMost) => {
    await this.flush();
    return this.#calls.log.store.admittedSince(bucketAt(bucket), sinceMs, atMost);
  };

  async flush(): Promise<void> {
    await this.log.stop();
    await this.#calls.show();
    for (const admitted of this.unlogged) admitted.isLogged = true;
    this.unlogged = [];
  }
}

let nextKey = 0;

/** Runs a history and expects the model's decision on every call. */
async function expectModelDecisions(
  windows: readonly RateWindow[],
  history: readonly Step[],
  start: (instance: Instance, clock: FakeClock) => Promise<RateLimitStore>,
  { isShared, calls = inPostgres }: { isShared: boolean; calls?: TestCallLog },
): Promise<void> {
  const clock = new FakeClock();
  const model = new Model();
  const firstKey = nextKey;
  nextKey += 10;
  const startInstance = async () => {
    const instance = new Instance(clock, calls);
    instance.store = await start(instance, clock);
    return instance;
  };
  const setRedisClock = () => redisClient.set("now", String(clock.nowMs() * 1000));
  await setRedisClock();
  const instances = await Promise.all(Array.from({ length: isShared ? instanceCount : 1 }, startInstance));
  for (const step of history) {
    clock.advance(step.gapMs);
    await setRedisClock();
    const index = step.instance % instances.length;
    const instance = instances[index] as Instance;
    const key = firstKey + step.key;
    for (let call = 0; call < step.calls; call++) {
      const expected = model.decide(key, windows, clock.nowMs());
      const decision = await instance.store.admit(key, windows);
      expect(comparable(decision)).toEqual(expected);
      const { admitted, atMs } = decision;
      const status = admitted ? 200 : 429;
      const admittedMs = admitted ? atMs : null;
      instance.log.add(logEntry({ apiKeyId: key, userId: 1, timeMs: clock.nowMs(), admittedMs, status }));
      if (!admitted) continue;
      const counted = { key, timeMs: clock.nowMs(), isLogged: false };
      model.admitted.push(counted);
      instance.unlogged.push(counted);
    }
    if (step.event === "flush" || step.event === "stop") await instance.flush();
    if (step.event === "stop" || step.event === "kill") {
      if (instance.store instanceof RedisRateLimitStore) instance.store.stop();
      if (!isShared) model.forgetUnlogged();
      instances[index] = await startInstance();
    }
    if (step.event === "lose Redis" && isShared) {
      // Redis is refilled from the log, so the log is written before Redis loses its data.
      for (const instance of instances) await instance.flush();
      await redisClient.flushAll();
      await setRedisClock();
      model.forgetUnlogged();
    }
  }
  for (const { store } of instances) if (store instanceof RedisRateLimitStore) store.stop();
}

describe.each(callLogs)("in memory, with the calls in $name", (calls) => {
  beforeEach(calls.ready);

  test("a logged call still counts after the process was killed or restarted, or evicted its times", async () => {
    const memoryStore = (maxTimes: number) => async (instance: Instance, clock: FakeClock) =>
      new MemoryRateLimitStore({ windows: allWindows, clock, loadRecent: instance.loadRecent, log: silent, maxTimes });
    await fc.assert(
      fc.asyncProperty(anyWindows, anyHistory, fc.constantFrom(0, 1_000_000), (windows, history, maxTimes) =>
        expectModelDecisions(windows, history, memoryStore(maxTimes), { isShared: false, calls }),
      ),
      { numRuns: 100 },
    );
  });
});

test("in Redis, a call that is in the log still counts after processes were killed or restarted, or Redis lost its data", async () => {
  const redisStore = async (instance: Instance, clock: FakeClock) => {
    const store = new RedisRateLimitStore({
      windows: allWindows,
      address,
      clock,
      loadRecent: instance.loadRecent,
      log: silent,
    });
    await store.start();
    return store;
  };
  await fc.assert(
    fc.asyncProperty(anyWindows, anyHistory, (windows, history) =>
      expectModelDecisions(windows, history, redisStore, { isShared: true }),
    ),
    { numRuns: 60 },
  );
  redisClient.destroy();
});
