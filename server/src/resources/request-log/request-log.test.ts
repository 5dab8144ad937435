import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { RequestLog } from "@beatmarket/request-log/request-log.ts";
import { maxBlockSpanMs } from "@beatmarket/request-log/storage/block.ts";
import { logEntry, loggedCall, readLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { testApi } from "../../../test/harness/api.ts";
import { permissions } from "../../access/roles.ts";
import { generateKey } from "../api-keys/key-format.ts";
import { createKey, revokeKey } from "../api-keys/queries.ts";

const clock = new FakeClock();
const api = await testApi({ clock });
const silent = pino({ level: "silent" });

/** Polls the entry with this request id. */
const expectEntry = (requestId: unknown) => expect.poll(() => loggedCall(api.database, requestId));
const loggedIds = async (prefix: string) =>
  (await readLogEntries(api.database)).map(({ requestId }) => requestId).filter((id) => id.startsWith(prefix));

const entry = (fields: Parameters<typeof logEntry>[0]) => logEntry({ timeMs: clock.nowMs(), ...fields });

describe("the log entry of every API call", () => {
  it("has path, query, key id, address and user agent, but neither the key nor a cookie", async () => {
    const response = await api.get("/api/v1/beats?limit=2", { headers: { "user-agent": "probe/1.0", cookie: "a=b" } });
    await expectEntry(response.headers["x-request-id"]).toEqual({
      requestId: response.headers["x-request-id"],
      timeMs: expect.any(Number),
      durationMs: expect.any(Number),
      apiKeyId: expect.any(Number),
      userId: api.userId,
      fromExplorer: false,
      method: "GET",
      operation: "listBeats",
      path: "/api/v1/beats",
      query: "limit=2",
      status: 200,
      errorCode: null,
      errorMessage: null,
      errorDetails: null,
      refusedBy: null,
      headers: "",
      body: null,
      clientAddress: "127.0.0.1",
      userAgent: "probe/1.0",
      version: "2026-11-20",
    });
    const logText = JSON.stringify(await readLogEntries(api.database));
    expect(logText).not.toContain(api.key);
    expect(logText).not.toContain("a=b");
  });

  it.each([
    ["/v1/beats?genre=trap", {}, 400, "invalid_request", "parameter:genre"],
    ["/v1/search?q=%E0%A4%A", {}, 400, "invalid_request", "parameter:q"],
    ["/v1/beats?genre=%ff%fe", {}, 400, "invalid_request", "parameter:genre"],
    ["/v1/beats/%E0%A4%A", {}, 400, "invalid_request", "parameter:beat_id"],
    ["/v1/beats/99999999999999999999999", {}, 404, "not_found", null],
    ["/v1/beats/999999", {}, 404, "not_found", null],
    ["/v1/nowhere", {}, 404, "not_found", null],
    ["/v1/beats", { key: null }, 401, "unauthorized", "key"],
  ] as const)("of %s has the reason of the refusal", async (url, options, status, code, refusedBy) => {
    const response = await api.get(url, options);
    await expectEntry(response.headers["x-request-id"]).toMatchObject({
      status,
      errorCode: code,
      errorMessage: response.json().error.message,
      errorDetails: response.json().error.details,
      refusedBy: refusedBy,
    });
  });

  it("has the name of a missing permission or an exhausted limit", async () => {
    const key = await api.makeKey({ plan: "standard", permissions: ["genres:read"] });
    const forbidden = await api.get("/v1/beats", { key });
    await expectEntry(forbidden.headers["x-request-id"]).toMatchObject({ refusedBy: "permission:beats:read" });
    for (let count = 1; count < 10; count++) await api.get("/v1/genres", { key });
    const limited = await api.get("/v1/genres", { key });
    await expectEntry(limited.headers["x-request-id"]).toMatchObject({ status: 429, refusedBy: "limit:minute" });
  });

  it("has the request body without possible card numbers", async () => {
    const body = { beat_id: 1, payment_method: "4242 4242 4242 4242", note: "tab\t\\" };
    const response = await api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json; charset=utf-8" },
      payload: body,
    });
    await expectEntry(response.headers["x-request-id"]).toMatchObject({
      operation: "createOrder",
      status: 400,
      headers: expect.stringMatching(/^content-type: application\/json; charset=utf-8\ncontent-length: \d+\n$/),
      body: JSON.stringify({ ...body, payment_method: "…4242" }),
    });
  });

  it("has the body of a refused call, without secrets, but only for calls of an account", async () => {
    const { userId } = api;
    const newKey = { userId, name: "former", plan: "internal", permissions, expiresAt: null } as const;
    const now = new Date(clock.nowMs());
    const former = await createKey(api.database.query, newKey, now);
    await revokeKey(api.database.query, former.id, "operator", now);
    const reader = await api.makeKey({ permissions: ["orders:read"] });
    const body = { beat_id: 1, payment_method: "4242 4242 4242 4242", password: "hunter2" };
    const storedBody = JSON.stringify({ ...body, payment_method: "…4242", password: "…" });
    for (const [status, key, headers, expected] of [
      [403, reader, {}, storedBody],
      [406, api.key, { accept: "text/plain" }, storedBody],
      [401, former.key, {}, storedBody],
      [401, generateKey(), {}, null],
    ] as const) {
      const response = await api.request({
        method: "POST",
        url: "/v1/orders",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        payload: body,
      });
      expect(response.statusCode).toBe(status);
      await expectEntry(response.headers["x-request-id"]).toMatchObject({ status, body: expected });
    }
  });

  it("has the owner of a revoked or expired key, but no owner of other invalid keys", async () => {
    const { userId } = api;
    const newKey = { userId, name: "old", plan: "internal", permissions } as const;
    const now = new Date(clock.nowMs());
    const revoked = await createKey(api.database.query, { ...newKey, expiresAt: null }, now);
    const expired = await createKey(api.database.query, { ...newKey, expiresAt: new Date(clock.nowMs() + 1_000) }, now);
    for (const { key } of [revoked, expired]) expect((await api.get("/v1/genres", { key })).statusCode).toBe(200);
    await revokeKey(api.database.query, revoked.id, "operator", now);
    clock.advance(1_000);
    for (const [key, id, owner, refusedBy] of [
      [revoked.key, revoked.id, userId, "key:revoked"],
      [expired.key, expired.id, userId, "key:expired"],
      [generateKey(), null, null, "key"],
      ["bm_mistyped", null, null, "key"],
    ] as const) {
      const response = await api.get("/v1/genres", { key });
      expect(response.statusCode).toBe(401);
      await expectEntry(response.headers["x-request-id"]).toMatchObject({
        apiKeyId: id,
        userId: owner,
        refusedBy: refusedBy,
      });
    }
  });

  it("may have arbitrary bytes", async () => {
    const response = await api.get("/v1/search?q=%00%5C%09%0A%F0%9F%8E%B5%FF", {
      headers: { "user-agent": "back\\slash\ttab \u00e9" },
    });
    await expectEntry(response.headers["x-request-id"]).toMatchObject({
      query: "q=%00%5C%09%0A%F0%9F%8E%B5%FF",
      userAgent: "back\\slash\ttab \u00e9",
    });
  });
});

describe("RequestLog", () => {
  /** Creates a log whose database is unreachable until `server.isReachable` is true. */
  function slowLog(maxWaiting: number) {
    const server = { isReachable: false };
    const database = {
      ...api.database,
      get query() {
        if (!server.isReachable) throw new Error("The database is unreachable.");
        return api.database.query;
      },
    };
    return { server, log: new RequestLog(database, clock, silent, { maxWaiting }) };
  }

  it("drops and counts an account's entries above half of the queue, and writes the queued entries later", async () => {
    const { server, log } = slowLog(6);
    for (let count = 0; count < 5; count++) log.add(entry({ userId: 1, requestId: `slow-${count}` }));
    await log.flush();
    expect({ waiting: log.waiting, dropped: log.dropped }).toEqual({ waiting: 3, dropped: 2 });
    server.isReachable = true;
    await log.stop();
    expect(await loggedIds("slow-")).toEqual(["slow-0", "slow-1", "slow-2"]);
    log.add(entry({ userId: 1, requestId: "slow-again" }));
    expect({ waiting: log.waiting, dropped: log.dropped }).toEqual({ waiting: 1, dropped: 2 });
    await log.stop();
  });

  it("keeps room for every account if other accounts flood the queue", async () => {
    const { server, log } = slowLog(100);
    for (let count = 0; count < 1_000; count++) {
      log.add(entry({ userId: 1, requestId: "flood" }));
      log.add(entry({ userId: 2, requestId: "flood" }));
    }
    for (const userId of [3, 4]) log.add(entry({ userId, requestId: `quiet-${userId}` }));
    server.isReachable = true;
    await log.stop();
    expect(await loggedIds("quiet-")).toEqual(["quiet-3", "quiet-4"]);
    // An account may have as many waiting entries as there are free places, so two accounts stop at a third each.
    expect(await loggedIds("flood")).toHaveLength(67);
    expect(log).toMatchObject({ waiting: 0, dropped: 2_000 - 67 });
  });

  it("deletes only entries older than 30 days", async () => {
    const log = new RequestLog(api.database, clock, silent);
    const dayMs = 86_400_000;
    for (const [requestId, ageMs] of [
      ["old", 30 * dayMs + maxBlockSpanMs],
      ["kept", 30 * dayMs - 1_000],
    ] as const)
      log.add(entry({ requestId: `sweep-${requestId}`, timeMs: clock.nowMs() - ageMs }));
    await log.flush();
    expect(await log.sweep()).toBe(1);
    expect(await loggedIds("sweep-")).toEqual(["sweep-kept"]);
  });
});

describe("a restart", () => {
  it("does not reset a rate limit", async () => {
    const key = await api.makeKey({ plan: "standard" });
    for (let count = 0; count < 10; count++) expect((await api.get("/v1/genres", { key })).statusCode).toBe(200);
    await api.app.close();
    const restarted = await testApi({ database: api.database, clock });
    expect((await restarted.get("/v1/genres", { key })).statusCode).toBe(429);
    clock.advance(60_000);
    expect((await restarted.get("/v1/genres", { key })).statusCode).toBe(200);
  });
});
