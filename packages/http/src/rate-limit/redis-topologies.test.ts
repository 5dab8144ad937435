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

const logLines = { error: [] as string[], warn: [] as string[] };
const log = {
  error: (_facts: unknown, text: string) => logLines.error.push(text),
  warn: (_facts: unknown, text: string) => logLines.warn.push(text),
  info: () => {},
};
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});
beforeEach(() => {
  logLines.error.length = 0;
  logLines.warn.length = 0;
});

/** The admissions of all instances. Takes the place of the request log. */
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

/** Calls all instances in turn for each bucket. Returns the number of admitted calls of each bucket. */
async function countAdmitted(stores: readonly RedisRateLimitStore[], buckets: readonly number[], calls = callsOfKey) {
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
const forEachKey = (count: number) => Array.from({ length: keys }, () => count);
const untilShared = (stores: readonly RedisRateLimitStore[], expected = true) =>
  expect.poll(() => stores.map(({ isShared }) => isShared)).toEqual(stores.map(() => expected));

const programs = ["redis-server", "valkey-server"] as const;

describe.each(programs)("%s", (program) => {
  describe("a cluster", async () => {
    const cluster = await startRedisCluster(program);
    closing.push(() => cluster.close());
    const [first, second, third] = cluster.masters.map(({ url }) => url.replace("redis://", ""));

    test("has each bucket in the slot that slotOfBucket computes", async () => {
      for (const bucket of [1, 42, -7, 123_456, 2_147_483_647])
        expect(await redisCommand(`redis://${first}`, "CLUSTER", "KEYSLOT", `a:{${bucket}}`)).toBe(
          slotOfBucket(bucket),
        );
    });

    test.each([
      ["with all its hosts", `redis+cluster://${first},${second},${third}`],
      ["with one of them", `valkey+cluster://${second}`],
      ["as a plain URL of one node", `redis://${third}`],
    ])("a cluster that is named %s admits exactly the limit over two instances", async (_, url) => {
      const stores = [await instance(url), await instance(`redis://${first}`)];
      await untilShared(stores);
      expect(await countAdmitted(stores, newBuckets())).toEqual(forEachKey(10));
      expect([...logLines.error, ...logLines.warn]).toEqual([]);
    });

    test("stays exact through a failover", async () => {
      const url = `redis+cluster://${first},${second},${third}`;
      const stores = [await instance(url), await instance(url)];
      const buckets = newBuckets();
      expect(await countAdmitted(stores, buckets, 6)).toEqual(forEachKey(6));
      await cluster.masters[0]?.kill();
      await untilShared(stores, false);
      await untilShared(stores);
      expect(await countAdmitted(stores, buckets)).toEqual(forEachKey(4));
      expect(await countAdmitted(stores, newBuckets())).toEqual(forEachKey(10));
      expect(logLines.warn.join()).toContain("Redis is unavailable");
    });
  });

  test("the store connects to the master that Sentinel names after a failover, and reports a wrong URL", async () => {
    const servers = await startRedisWithSentinel(program);
    closing.push(() => servers.close());
    const stores = [await instance(servers.url), await instance(servers.url)];
    await untilShared(stores);
    const buckets = newBuckets();
    expect(await countAdmitted(stores, buckets, 6)).toEqual(forEachKey(6));
    await servers.master.kill();
    await untilShared(stores, false);
    await untilShared(stores);
    expect(await countAdmitted(stores, buckets)).toEqual(forEachKey(4));
    expect(await countAdmitted(stores, newBuckets())).toEqual(forEachKey(10));

    const wrong = await instance(servers.url.replace("/limits", "/limit"));
    expect(wrong.problem).toBe("Redis cannot count: SENTINEL");
    expect(logLines.error.join()).toContain('knows no master named "limit"');
    logLines.error.length = 0;
    const plain = await instance(servers.url.replace("redis+sentinel", "redis").replace("/limits", ""));
    expect(plain.problem).toBe("Redis cannot count: SENTINEL");
    expect(logLines.error.join()).toContain("write redis+sentinel://");
  });

  describe("a server", () => {
    const start = async (settings?: string[]) => startRedis(await freePort(), settings, program);

    /**
     * Expects two instances of `url` to share limits, to report `problem` after `spoil`, and to share again after
     * `repair`.
     */
    async function expectReported(
      url: string,
      problem: string,
      spoil: () => Promise<unknown>,
      repair: () => Promise<unknown>,
    ) {
      const stores = [await instance(url), await instance(url)];
      expect(await countAdmitted(stores, newBuckets())).toEqual(forEachKey(10));
      await spoil();
      const counts = await countAdmitted(stores, newBuckets());
      expect(Math.max(...counts)).toBeLessThanOrEqual(callsOfKey);
      await untilShared(stores, false);
      expect(stores.map((store) => store.problem)).toEqual([
        `Redis cannot count: ${problem}`,
        `Redis cannot count: ${problem}`,
      ]);
      const store = stores[0] as RedisRateLimitStore;
      await expect.poll(() => store.refusals.get(problem)).toBeGreaterThan(1);
      expect(logLines.error.filter((text) => text.includes(problem))).toHaveLength(2);
      await repair();
      await untilShared(stores);
      expect(await countAdmitted(stores, newBuckets())).toEqual(forEachKey(10));
    }

    test("that is full without eviction is logged once by each instance, counted, and used again when it has room", async () => {
      const redis = await start(["--maxmemory-policy", "noeviction"]);
      closing.push(() => redis.close());
      const limitTo = (bytes: string) => redisCommand(redis.url, "CONFIG", "SET", "maxmemory", bytes);
      await expectReported(
        redis.url,
        "OOM",
        () => limitTo("1"),
        () => limitTo("0"),
      );
    });

    test("that was demoted to a replica is logged once by each instance, counted, and used again as a master", async () => {
      const [redis, other] = [await start(), await start()];
      closing.push(
        () => redis.close(),
        () => other.close(),
      );
      const port = new URL(other.url).port;
      await expectReported(
        redis.url,
        "READONLY",
        () => redisCommand(redis.url, "REPLICAOF", "127.0.0.1", port),
        () => redisCommand(redis.url, "REPLICAOF", "NO", "ONE"),
      );
    });

    test("that is not a cluster causes a message that says which URL to write; limits are counted locally", async () => {
      const redis = await start();
      closing.push(() => redis.close());
      const store = await instance(redis.url.replace("redis://", "redis+cluster://"));
      expect(store.problem).toBe("Redis cannot count: NOCLUSTER");
      expect(logLines.error.join()).toContain("write redis://");
      expect((await countAdmitted([store], newBuckets(1)))[0]).toBe(10);
    });

    test("that requires a password is reported as NOAUTH without it, and as WRONGPASS with a wrong one", async () => {
      const redis = await start(["--requirepass", "s3cret:@/"]);
      closing.push(() => redis.close());
      const host = redis.url.replace("redis://", "");
      expect((await instance(redis.url)).problem).toBe("Redis cannot count: NOAUTH");
      expect((await instance(`redis://:wrong@${host}`)).problem).toBe("Redis cannot count: WRONGPASS");
      expect((await instance(`redis://:s3cret%3A%40%2F@${host}`)).problem).toBeNull();
    });
  });
});
