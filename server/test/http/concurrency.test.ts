import { tcpProxy } from "@beatmarket/foundation/testing/tcp-proxy.ts";
import { ConcurrencyLimiter, maxConcurrent } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { requestTimeoutMs } from "@beatmarket/http/admission/request-timeout.ts";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testApi } from "../harness/api.ts";
import { openTestDatabase, testDatabaseUrl } from "../harness/database/database.ts";

/** Starts work, and returns functions that end it. */
function startWork(limiter: ConcurrencyLimiter, count: number): (() => void)[] {
  return Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void Promise.resolve(limiter.run("read", () => promise)).catch(() => {});
    return resolve;
  });
}

const fill = (limiter: ConcurrencyLimiter) => startWork(limiter, maxConcurrent.read);

const unavailable = { status: 503, code: "server_error", headers: { "retry-after": expect.stringMatching(/^\d+$/) } };

describe("a limiter", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("queues requests beyond its bound in the order of their arrival", async () => {
    const limiter = new ConcurrencyLimiter();
    const [end, ...ends] = fill(limiter);
    const turns: string[] = [];
    const waiting = ["first", "second"].map((name) => limiter.run("read", async () => turns.push(name)));
    await vi.advanceTimersByTimeAsync(1);
    expect(turns).toEqual([]);
    end?.();
    await Promise.all(waiting);
    expect(turns).toEqual(["first", "second"]);
    for (const endWork of ends) endWork();
    await vi.advanceTimersByTimeAsync(0);
    expect(limiter.running("read")).toBe(0);
  });

  it("refuses a request that gets no permit in time with 503 and Retry-After, and never starts it; the other lane continues", async () => {
    const limiter = new ConcurrencyLimiter();
    fill(limiter);
    const work = vi.fn();
    const refused = expect(limiter.run("read", work)).rejects.toMatchObject(unavailable);
    expect(await limiter.run("write", async () => "written")).toBe("written");
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    expect(work).not.toHaveBeenCalled();
  });

  it("refuses immediately if too many requests wait already", async () => {
    const limiter = new ConcurrencyLimiter();
    fill(limiter);
    startWork(limiter, 2_000);
    await expect(limiter.run("read", async () => "too much")).rejects.toMatchObject(unavailable);
    await vi.advanceTimersByTimeAsync(requestTimeoutMs);
  });

  it("responds 503 at the timeout, and holds the permit until the work has ended", async () => {
    const limiter = new ConcurrencyLimiter();
    const { promise, resolve } = Promise.withResolvers<string>();
    const refused = expect(limiter.run("read", () => promise)).rejects.toMatchObject(unavailable);
    await vi.advanceTimersByTimeAsync(requestTimeoutMs + 1);
    await refused;
    expect(limiter.running("read")).toBe(1);
    resolve("at last");
    await vi.advanceTimersByTimeAsync(0);
    expect(limiter.running("read")).toBe(0);
  });

  it("returns the result of the work, or its error, and releases the permit", async () => {
    const limiter = new ConcurrencyLimiter();
    expect(await limiter.run("read", () => Promise.resolve(7))).toBe(7);
    await expect(limiter.run("read", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(limiter.running("read")).toBe(0);
  });
});

describe("the API on a database that stops responding", () => {
  it("responds 503 to every call and to /readyz; /healthz still succeeds", async () => {
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
      await vi.advanceTimersByTimeAsync(requestTimeoutMs + 1);
      const responses = await Promise.all(calls);
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 503));
      for (const response of responses) expect(response.headers["retry-after"]).toMatch(/^\d+$/);
      expect((await api.request({ url: "/healthz" })).statusCode).toBe(200);
    } finally {
      vi.useRealTimers();
      proxy.resume();
    }
  });
});
