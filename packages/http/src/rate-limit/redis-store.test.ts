import { systemClock } from "@beatmarket/foundation/clock.ts";
import { createClient } from "@redis/client";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { allWindows } from "../../testing/plans.ts";
import { testRedis } from "../../testing/redis.ts";
import type { LoadRecent } from "./memory-store.ts";
import { redisAddress } from "./redis-address.ts";
import { addScript } from "./redis-scripts.ts";
import { RedisRateLimitStore } from "./redis-store.ts";
import type { RateWindow } from "./store.ts";
import { retentionOf } from "./store.ts";

const { keepMs, largestLimit } = retentionOf(allWindows);

const redis = await testRedis();
const address = redisAddress(redis.url) ?? expect.unreachable();
const names = ["minute", "hour", "day"] as const;
const lengths = { minute: 60, hour: 3_600, day: 86_400 };
const windowsOf = (...limits: number[]): RateWindow[] =>
  limits.map((limit, i) => {
    const name = names[i] ?? "day";
    return { name, seconds: lengths[name], limit };
  });

const warnings: string[] = [];
const log = {
  warn: (_facts: unknown, text?: string) => warnings.push(text ?? String(_facts)),
  info: () => {},
  error: () => {},
};
const stores: RedisRateLimitStore[] = [];
const emptyLog: LoadRecent = async () => [];

/** Opens a store of another instance on the same Redis. */
async function instance(
  loadRecent: LoadRecent = emptyLog,
  { isRedisRunning = true, timeoutMs = 60_000 } = {},
): Promise<RedisRateLimitStore> {
  const store = new RedisRateLimitStore({
    windows: allWindows,
    address,
    clock: systemClock,
    loadRecent,
    log: log as never,
    timeoutMs,
  });
  stores.push(store);
  await store.start();
  if (isRedisRunning) await expect.poll(() => store.isShared).toBe(true);
  return store;
}

let bucket = 0;
beforeEach(() => {
  bucket++;
  warnings.length = 0;
});
afterAll(() => {
  for (const store of stores) store.stop();
});

const admitMany = async (store: RedisRateLimitStore, count: number, windows: readonly RateWindow[]) =>
  (await Promise.all(Array.from({ length: count }, () => store.admit(bucket, windows)))).filter(
    (decision) => decision.admitted,
  ).length;

describe("across instances", () => {
  test("exactly the limit of requests is admitted", async () => {
    const instances = await Promise.all([instance(), instance(), instance()]);
    const windows = windowsOf(100, 150);
    const counts = await Promise.all(instances.map((store) => admitMany(store, 60, windows)));
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(100);
    const refusal = await instances[0]?.admit(bucket, windows);
    expect(refusal?.refusedBy?.name).toBe("minute");
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(50);
    expect(refusal?.windows.map(({ remaining }) => remaining)).toEqual([0, 50]);
  });

  test("peek counts nothing and includes the requests of all instances", async () => {
    const [one, other] = [await instance(), await instance()];
    const windows = windowsOf(10, 20, 30);
    await admitMany(one, 4, windows);
    for (let peeks = 0; peeks < 3; peeks++)
      expect((await other.peek(bucket, windows)).map(({ remaining }) => remaining)).toEqual([6, 16, 26]);
  });

  test("any history gives the decision, the remaining counts and the retry time of the rule", async () => {
    const client = await createClient({ url: redis.url }).connect();
    const runId = /run_id:(\w+)/.exec(String(await client.sendCommand(["INFO", "server"])))?.[1];
    const store = await instance();
    const anyAgeSeconds = fc.oneof(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 70, max: 3_500 }),
      fc.integer({ min: 3_700, max: 86_000 }),
      fc.integer({ min: 86_500, max: 90_000 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAgeSeconds, { maxLength: 25 }),
        fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 20 })),
        async (ages, limits) => {
          bucket++;
          const windows = windowsOf(...limits);
          const newestFirst = ages.toSorted((a, b) => a - b);
          await client.sendCommand([
            ...[
              "EVAL",
              addScript,
              "1",
              `beatmarket:limit:${runId}:${bucket}`,
              "refill",
              String(keepMs),
              String(largestLimit),
            ],
            ...newestFirst.map((age) => String((Date.now() - age * 1_000) * 1_000)),
          ]);
          const inside = (window: RateWindow) => newestFirst.filter((age) => age < window.seconds);
          const full = windows.filter((window) => inside(window).length >= window.limit);
          const waits = full.map((window) => window.seconds - (inside(window)[window.limit - 1] ?? 0));
          const decision = await store.admit(bucket, windows);
          expect(decision.admitted).toBe(full.length === 0);
          const counted = decision.admitted ? 1 : 0;
          expect(decision.windows.map(({ remaining }) => remaining)).toEqual(
            windows.map((window) => Math.max(0, window.limit - inside(window).length - counted)),
          );
          if (!decision.admitted) {
            // Ages are exact when they are written; less than a second passes before they are read.
            expect(Math.abs(decision.retryAfterSeconds - Math.max(...waits))).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 150 },
    );
    client.destroy();
  });
});

describe("a bucket that Redis does not have", () => {
  test("is filled from the request log, once", async () => {
    let loads = 0;
    const loadRecent: LoadRecent = async () => {
      loads++;
      return [3, 2, 1].map((secondsAgo) => Date.now() - secondsAgo * 1000);
    };
    const [one, other] = [await instance(loadRecent), await instance(loadRecent)];
    const windows = windowsOf(5);
    expect(await admitMany(one, 1, windows)).toBe(1);
    expect(await admitMany(other, 5, windows)).toBe(1);
    expect(loads).toBe(1);
  });

  test("counts from now if the log cannot be read", async () => {
    const store = await instance(async () => {
      throw new Error("The database is unreachable.");
    });
    expect(await admitMany(store, 5, windowsOf(3))).toBe(3);
    expect(warnings.join()).toContain("count from now");
  });
});

describe("a clock that was set back by an hour", () => {
  test("keeps no window full for longer than its length", async () => {
    const client = await createClient({ url: redis.url }).connect();
    const runId = /run_id:(\w+)/.exec(String(await client.sendCommand(["INFO", "server"])))?.[1];
    const key = `beatmarket:limit:${runId}:${bucket}`;
    const ahead = (Date.now() + 3_600_000) * 1000;
    await client.sendCommand(["RPUSH", key, ...[0, 1, 2].map((before) => String(ahead - before * 1_000_000))]);
    const decision = await (await instance()).admit(bucket, windowsOf(3));
    expect(decision.admitted).toBe(false);
    expect(decision.retryAfterSeconds).toBeLessThanOrEqual(60);
    client.destroy();
  });
});

describe("while Redis is unavailable", () => {
  const untilShared = (store: RedisRateLimitStore) => expect.poll(() => store.isShared).toBe(true);
  const untilLocal = (store: RedisRateLimitStore) => expect.poll(() => store.isShared).toBe(false);

  test("because it is paused, an instance counts locally, logs that, and afterwards replays its requests", async () => {
    const impatient = { timeoutMs: 1_000 };
    const [one, other] = [await instance(emptyLog, impatient), await instance(emptyLog, impatient)];
    const windows = windowsOf(10);
    expect(await admitMany(one, 2, windows)).toBe(2);
    redis.pause();
    expect(await admitMany(one, 3, windows)).toBe(3);
    await untilLocal(one);
    expect(warnings.join()).toContain("Redis is unavailable");
    expect(await admitMany(one, 2, windows)).toBe(2);
    redis.resume();
    await untilShared(one);
    await untilShared(other);
    // Requests in flight when Redis paused may count twice: in Redis and locally.
    await expect.poll(async () => (await other.peek(bucket, windows))[0]?.remaining).toBeLessThanOrEqual(3);
  });

  test("after a restart without data, Redis is filled from the request log and counts exactly", async () => {
    const logged: number[] = [];
    const loadRecent: LoadRecent = async () => [...logged];
    const [one, other] = [await instance(loadRecent), await instance(loadRecent)];
    const windows = windowsOf(10);
    const admit = async (store: RedisRateLimitStore, count: number) => {
      const admittedCount = await admitMany(store, count, windows);
      for (let count = 0; count < admittedCount; count++) logged.push(Date.now());
      return admittedCount;
    };
    expect(await admit(one, 4)).toBe(4);
    await redis.kill();
    await untilLocal(one);
    expect(await admit(one, 2)).toBe(2);
    await redis.start();
    await untilShared(one);
    await untilShared(other);
    const [a, b] = await Promise.all([admit(one, 5), admit(other, 5)]);
    expect(a + b).toBe(4);
  });

  test("from the start, requests are admitted, and limits are shared as soon as Redis is reachable", async () => {
    await redis.kill();
    const store = await instance(emptyLog, { isRedisRunning: false });
    expect(store.isShared).toBe(false);
    expect(await admitMany(store, 5, windowsOf(3))).toBe(3);
    expect(warnings.join()).toContain("unavailable");
    await redis.start();
    await untilShared(store);
  });
});
