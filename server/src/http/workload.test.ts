import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, describe, expect, it, vi } from "vitest";
import { testApi } from "../../test/api.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/database.ts";
import { FakeClock } from "../../test/fake-clock.ts";
import { tcpProxy } from "../../test/tcp-proxy.ts";
import { timeLimitMs, Workload } from "./workload.ts";

/** Work that takes as long as the test says. */
function startWork(workload: Workload, count: number): (() => void)[] {
  return Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void workload.run("read", promise);
    return resolve;
  });
}

async function endAll(ends: (() => void)[]): Promise<void> {
  for (const end of ends) end();
  await sleep(0);
}

describe("a workload", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("refuses beyond its bound with 503 and Retry-After, one kind for itself, and takes work again when there is room", async () => {
    const workload = new Workload(new FakeClock());
    const ends = startWork(workload, workload.atMost("read"));
    expect(workload.refusal("read")).toMatchObject({
      status: 503,
      code: "server_error",
      headers: { "retry-after": expect.stringMatching(/^\d+$/) },
    });
    expect(workload.refusal("write")).toBeUndefined();
    await endAll(ends.slice(0, 1));
    expect(workload.refusal("read")).toBeUndefined();
    await endAll(ends);
    expect(workload.underWay("read")).toBe(0);
  });

  it("takes less at a time while what it takes is slow, never less than the database can do, and more again afterwards", async () => {
    const clock = new FakeClock();
    const workload = new Workload(clock);
    const most = workload.atMost("read");
    for (let round = 0; round < 100; round++) {
      const ends = startWork(workload, workload.atMost("read"));
      clock.advance(1_000);
      await endAll(ends);
    }
    const least = workload.atMost("read");
    expect(least).toBeLessThan(most / 10);
    expect(least).toBeGreaterThan(10);
    for (let round = 0; round < 100; round++) {
      const ends = startWork(workload, 2);
      clock.advance(100);
      await endAll(ends);
    }
    expect(workload.atMost("read")).toBe(most);
  });

  it("is not reduced by a few slow requests that are alone", async () => {
    const clock = new FakeClock();
    const workload = new Workload(clock);
    const most = workload.atMost("read");
    for (let round = 0; round < 20; round++) {
      const ends = startWork(workload, 5);
      clock.advance(5_000);
      await endAll(ends);
    }
    expect(workload.atMost("read")).toBe(most);
  });

  it("answers 503 at its time limit, and counts what it gave up until that has ended", async () => {
    vi.useFakeTimers();
    const workload = new Workload(new FakeClock());
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = workload.run("read", promise);
    const refused = expect(answer).rejects.toMatchObject({ status: 503, code: "server_error" });
    await vi.advanceTimersByTimeAsync(timeLimitMs);
    await refused;
    expect(workload.underWay("read")).toBe(1);
    resolve("at last");
    await vi.advanceTimersByTimeAsync(0);
    expect(workload.underWay("read")).toBe(0);
  });

  it("passes on what the work comes to, be it an error", async () => {
    const workload = new Workload(new FakeClock());
    expect(await workload.run("write", Promise.resolve(7))).toBe(7);
    await expect(workload.run("write", Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});

describe("the API on a database that says nothing any more", () => {
  it("answers every call and /readyz with 503, and what watches over the process is never refused", async () => {
    const proxy = await tcpProxy(await testDatabaseUrl());
    const api = await testApi({ database: openTestDatabase(proxy.url) });
    await sql`select 1`.execute(api.database.query);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      proxy.freeze();
      const calls = [
        api.get("/v1/beats"),
        api.get("/v1/search?q=night"),
        api.request({
          method: "POST",
          url: "/v1/orders",
          headers: { authorization: `Bearer ${api.key}` },
          payload: { beat_id: 1, payment_method: "pm_card_visa" },
        }),
        api.request({ url: "/media/beats/1.svg" }),
        api.request({ url: "/readyz" }),
      ];
      await vi.advanceTimersByTimeAsync(timeLimitMs);
      const answers = await Promise.all(calls);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 503));
      for (const answer of answers) expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
      expect((await api.request({ url: "/healthz" })).statusCode).toBe(200);
    } finally {
      vi.useRealTimers();
      proxy.resume();
    }
  });
});
