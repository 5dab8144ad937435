import { tcpProxy } from "@beatmarket/foundation/testing/tcp-proxy.ts";
import { testRedis } from "@beatmarket/http/testing/redis.ts";
import { redisCommand } from "@beatmarket/http/testing/redis-cluster.ts";
import { afterAll, describe, expect, it } from "vitest";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../harness/database/database.ts";
import { connectForTest } from "../harness/database/driver.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
await insertBeats(database, [{ producer: "Nightowl", genre: "Trap", title: "First" }]);
const redis = await testRedis();
const firstApi = await testApi({ database, redisUrl: redis.url });
const secondApi = await testApi({ database, redisUrl: redis.url });

describe("two instances on one database and one Redis", () => {
  it("admit exactly a key's limit together", async () => {
    const key = await firstApi.makeKey({ plan: "standard" });
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? firstApi : secondApi).get("/v1/genres", { key })),
    );
    const countWith = (status: number) => responses.filter(({ statusCode }) => statusCode === status).length;
    expect([countWith(200), countWith(429)]).toEqual([10, 20]);
  });

  it("count locally while Redis is unavailable, and report it in the metrics", async () => {
    const shared = async () =>
      /^beatmarket_rate_limits_shared (\d)/m.exec((await firstApi.request({ url: "/metrics" })).body)?.[1];
    expect(await shared()).toBe("1");
    const key = await firstApi.makeKey({ plan: "standard" });
    await redis.kill();
    await expect.poll(shared).toBe("0");
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++) statuses.push((await firstApi.get("/v1/genres", { key })).statusCode);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    await redis.start();
    await expect.poll(shared).toBe("1");
  });

  it("count locally while Redis answers with errors, and name them in the metrics and in /readyz", async () => {
    const shownMetrics = async () => {
      const { body } = await firstApi.request({ url: "/metrics" });
      const isCounted = /^beatmarket_redis_errors_total\{code="OOM"\} [1-9]/m.test(body);
      return [/^beatmarket_rate_limits_shared (\d)/m.exec(body)?.[1], isCounted];
    };
    const limits = async () => (await firstApi.request({ url: "/readyz" })).json().limits;
    expect(await limits()).toBe("shared");
    await redisCommand(redis.url, "CONFIG", "SET", "maxmemory-policy", "noeviction");
    await redisCommand(redis.url, "CONFIG", "SET", "maxmemory", "1");
    const key = await firstApi.makeKey({ plan: "standard" });
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++) statuses.push((await firstApi.get("/v1/genres", { key })).statusCode);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    await expect.poll(shownMetrics).toEqual(["0", true]);
    await expect.poll(limits).toBe("not shared: Redis cannot count: OOM");
    await redisCommand(redis.url, "CONFIG", "SET", "maxmemory", "0");
    await expect.poll(limits).toBe("shared");
  });

  it("show a write of one instance on the other", async () => {
    const url = "/v1/beats?limit=5";
    const before = (await secondApi.get(url)).body;
    expect((await secondApi.get(url)).body).toBe(before);
    await insertBeats(database, [{ producer: "Nightowl", genre: "Trap", title: "Second" }]);
    for (const api of [firstApi, secondApi])
      await expect
        .poll(async () => (await api.get(url)).json().data.beats.map(({ title }: { title: string }) => title))
        .toContain("Second");
  });

  it("both refuse a revoked key", async () => {
    const key = await firstApi.makeKey();
    for (const api of [firstApi, secondApi]) expect((await api.get("/v1/genres", { key })).statusCode).toBe(200);
    await database.driver`update api_keys set revoked_at = now() where ends_with = ${key.slice(-4)}`;
    for (const api of [firstApi, secondApi])
      await expect.poll(async () => (await api.get("/v1/genres", { key })).statusCode).toBe(401);
  });
});

describe("an instance without change notifications", () => {
  it("caches no response until they return", async () => {
    const proxy = await tcpProxy(url);
    const byProxy = connectForTest({ url: proxy.url }, { max: 1 });
    afterAll(() => byProxy.close());
    const api = await testApi({ database: { ...database, listener: byProxy.listener } });
    const metric = async (name: string): Promise<number> => {
      const { body } = await api.request({ url: "/metrics" });
      return Number(
        body
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length),
      );
    };
    const isFollowed = () => metric("beatmarket_catalogue_followed");
    /** Makes a call twice. Returns the number of database reads, and the newest title. */
    const callTwice = async () => {
      const reads = () => metric('beatmarket_catalogue_reads_total{server="primary"}');
      const before = await reads();
      await api.get("/v1/beats?limit=1");
      const { title } = (await api.get("/v1/beats?limit=1")).json().data.beats[0];
      return { reads: (await reads()) - before, title };
    };
    const write = (title: string) => insertBeats(database, [{ title, createdAt: new Date().toISOString() }]);

    await write("Told");
    await expect.poll(callTwice).toEqual({ reads: 0, title: "Told" });
    proxy.freeze();
    await expect.poll(isFollowed).toBe(0);
    await write("Untold");
    expect(await callTwice()).toEqual({ reads: 2, title: "Untold" });
    proxy.resume();
    await expect.poll(isFollowed).toBe(1);
    expect(await callTwice()).toEqual({ reads: 1, title: "Untold" });
    expect(await callTwice()).toEqual({ reads: 0, title: "Untold" });
  });
});
