import { systemClock } from "@beatmarket/foundation/clock.ts";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { allWindows } from "../../testing/plans.ts";
import { redisCommand, startRedisCluster, startRedisWithSentinel } from "../../testing/redis-cluster.ts";
import { startRedis } from "../../testing/redis-server.ts";
import { redisAddress } from "./redis-address.ts";
import { slotOfBucket } from "./redis-slots.ts";
import { RedisRateLimitStore } from "./redis-store.ts";
import type { RateWindow } from "./store.ts";

const minute: RateWindow[] = [{ name: "minute", seconds: 60, limit: 10 }];
/** Long, since these tests do not test a slow Redis, and the test machine may be slow. */
const timeoutMs = 60_000;
const keys = 30;
const callsOfKey = 15;

const logged = { error: [] as string[], warn: [] as string[] };
const log = {
  error: (_facts: unknown, text: string) => logged.error.push(text),
  warn: (_facts: unknown, text: string) => logged.warn.push(text),
  info: () => {},
};
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});
beforeEach(() => {
  logged.error.length = 0;
  logged.warn.length = 0;
});

/** The admissions of all instances, as in the request log. */
const admittedAt = new Map<number, number[]>();
let nextBucket = 1;

async function instance(url: string): Promise<RedisRateLimitStore> {
  const address = redisAddress(url) ?? expect.unreachable(`${url} is not an address`);
  const loadRecent = async (bucket: number) => admittedAt.get(bucket) ?? [];
  const store = new RedisRateLimitStore({
    windows: allWindows,
    address,
    clock: systemClock,
    loadRecent,
    log: log as never,
    timeoutMs,
  });
  closing.push(() => store.stop());
  await store.start();
  return store;
}

/** Calls all instances in turn for each bucket; returns how many calls of each bucket were admitted. */
async function admitted(stores: readonly RedisRateLimitStore[], buckets: readonly number[], calls = callsOfKey) {
  const counts: number[] = [];
  for (const bucket of buckets) {
    const decisions = await Promise.all(
      Array.from({ length: calls }, (_, call) =>
        (stores[call % stores.length] as RedisRateLimitStore).admit(bucket, minute),
      ),
    );
    const times = decisions.filter((decision) => decision.admitted).map(({ atMs }) => atMs);
    admittedAt.set(bucket, [...(admittedAt.get(bucket) ?? []), ...times]);
    counts.push(times.length);
  }
  return counts;
}

const newBuckets = (count = keys) => Array.from({ length: count }, () => nextBucket++);
const each = (count: number, of = keys) => Array.from({ length: of }, () => count);
const areShared = (stores: readonly RedisRateLimitStore[], is = true) =>
  expect.poll(() => stores.map(({ isShared }) => isShared)).toEqual(stores.map(() => is));

const programs = ["redis-server", "valkey-server"] as const;

describe.each(programs)("%s", (program) => {
  describe("a cluster", async () => {
    const cluster = await startRedisCluster(program);
    closing.push(() => cluster.close());
    const [first, second, third] = cluster.masters.map(({ url }) => url.replace("redis://", ""));

    test("has the same slots that the server computes", async () => {
      for (const bucket of [1, 42, -7, 123_456, 2_147_483_647])
        expect(await redisCommand(`redis://${first}`, "CLUSTER", "KEYSLOT", `a:{${bucket}}`)).toBe(
          slotOfBucket(bucket),
        );
    });

    test.each([
      ["with all its hosts", `redis+cluster://${first},${second},${third}`],
      ["with one of them", `valkey+cluster://${second}`],
      ["as a plain URL of one node", `redis://${third}`],
    ])("admits exactly the limit over two instances, named %s", async (_, url) => {
      const stores = [await instance(url), await instance(`redis://${first}`)];
      await areShared(stores);
      expect(await admitted(stores, newBuckets())).toEqual(each(10));
      expect([...logged.error, ...logged.warn]).toEqual([]);
    });

    test("stays exact through a failover", async () => {
      const url = `redis+cluster://${first},${second},${third}`;
      const stores = [await instance(url), await instance(url)];
      const buckets = newBuckets();
      expect(await admitted(stores, buckets, 6)).toEqual(each(6));
      await cluster.masters[0]?.kill();
      await areShared(stores, false);
      await areShared(stores);
      expect(await admitted(stores, buckets)).toEqual(each(4));
      expect(await admitted(stores, newBuckets())).toEqual(each(10));
      expect(logged.warn.join()).toContain("Redis is unavailable");
    });
  });

  test("the master that Sentinel names is found again after a failover", async () => {
    const servers = await startRedisWithSentinel(program);
    closing.push(() => servers.close());
    const stores = [await instance(servers.url), await instance(servers.url)];
    await areShared(stores);
    const buckets = newBuckets();
    expect(await admitted(stores, buckets, 6)).toEqual(each(6));
    await servers.master.kill();
    await areShared(stores, false);
    await areShared(stores);
    expect(await admitted(stores, buckets)).toEqual(each(4));
    expect(await admitted(stores, newBuckets())).toEqual(each(10));

    const wrong = await instance(servers.url.replace("/limits", "/limit"));
    expect(wrong.problem).toBe("Redis cannot count: SENTINEL");
    expect(logged.error.join()).toContain('knows no master named "limit"');
    logged.error.length = 0;
    const plain = await instance(servers.url.replace("redis+sentinel", "redis").replace("/limits", ""));
    expect(plain.problem).toBe("Redis cannot count: SENTINEL");
    expect(logged.error.join()).toContain("write redis+sentinel://");
  });

  describe("a server that answers with errors", () => {
    const start = async (settings?: string[]) => startRedis(await freePort(), settings, program);

    /** Two instances share `url`, report `problem` after `spoil`, and share it again after `repair`. */
    async function expectLoud(
      url: string,
      problem: string,
      spoil: () => Promise<unknown>,
      repair: () => Promise<unknown>,
    ) {
      const stores = [await instance(url), await instance(url)];
      expect(await admitted(stores, newBuckets())).toEqual(each(10));
      await spoil();
      const counts = await admitted(stores, newBuckets());
      expect(Math.max(...counts)).toBeLessThanOrEqual(callsOfKey);
      await areShared(stores, false);
      expect(stores.map((store) => store.problem)).toEqual([
        `Redis cannot count: ${problem}`,
        `Redis cannot count: ${problem}`,
      ]);
      const store = stores[0] as RedisRateLimitStore;
      await expect.poll(() => store.refusals.get(problem)).toBeGreaterThan(1);
      expect(logged.error.filter((text) => text.includes(problem))).toHaveLength(2);
      await repair();
      await areShared(stores);
      expect(await admitted(stores, newBuckets())).toEqual(each(10));
    }

    test("that is full without eviction is logged once, counted, and used again when it has room", async () => {
      const redis = await start(["--maxmemory-policy", "noeviction"]);
      closing.push(() => redis.close());
      const limitTo = (bytes: string) => redisCommand(redis.url, "CONFIG", "SET", "maxmemory", bytes);
      await expectLoud(
        redis.url,
        "OOM",
        () => limitTo("1"),
        () => limitTo("0"),
      );
    });

    test("that was demoted to a replica is logged once, counted, and used again later", async () => {
      const [redis, other] = [await start(), await start()];
      closing.push(
        () => redis.close(),
        () => other.close(),
      );
      const port = new URL(other.url).port;
      await expectLoud(
        redis.url,
        "READONLY",
        () => redisCommand(redis.url, "REPLICAOF", "127.0.0.1", port),
        () => redisCommand(redis.url, "REPLICAOF", "NO", "ONE"),
      );
    });

    test("that is not a cluster gets a message that says which URL to write", async () => {
      const redis = await start();
      closing.push(() => redis.close());
      const store = await instance(redis.url.replace("redis://", "redis+cluster://"));
      expect(store.problem).toBe("Redis cannot count: NOCLUSTER");
      expect(logged.error.join()).toContain("write redis://");
      expect((await admitted([store], newBuckets(1)))[0]).toBe(10);
    });

    test("that requires a password gets a message that says so", async () => {
      const redis = await start(["--requirepass", "s3cret:@/"]);
      closing.push(() => redis.close());
      const host = redis.url.replace("redis://", "");
      expect((await instance(redis.url)).problem).toBe("Redis cannot count: NOAUTH");
      expect((await instance(`redis://:wrong@${host}`)).problem).toBe("Redis cannot count: WRONGPASS");
      expect((await instance(`redis://:s3cret%3A%40%2F@${host}`)).problem).toBeNull();
    });
  });
});
