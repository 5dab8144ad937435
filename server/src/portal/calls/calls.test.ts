import { postgresCallLog } from "@beatmarket/request-log/call-log.ts";
import { listCalls } from "@beatmarket/request-log/calls.ts";
import { logEntry, writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { publicUrl, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { permissions } from "../../access/roles.ts";
import { createKey } from "../../resources/api-keys/queries.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";

const email = "demo@example.com";
const api = await testApi({ demoEmail: email });
const { query: db } = api.database;

let userId: number;
let strangerId: number;
let keyId: number;
let key: string;
let cookie: string;

beforeAll(async () => {
  ({ id: userId } = await findOrCreateAccount(db, { email }));
  ({ id: strangerId } = await findOrCreateAccount(db, { email: "stranger@example.com" }));
  const newKey = { userId, name: "Production", plan: "plus", permissions, expiresAt: null } as const;
  ({ id: keyId, key } = await createKey(db, newKey, new Date()));
  const signedIn = await api.request({
    method: "POST",
    url: "/portal/api/auth/demo",
    headers: { origin: publicUrl, host: "localhost:8443" },
  });
  expect(signedIn.statusCode).toBe(204);
  cookie = signedIn.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join("; ");
});

const get = (path: string, headers: Record<string, string> = { cookie }) =>
  api.request({ method: "GET", url: `/portal/api${path}`, headers: { host: "localhost:8443", ...headers } });

/** Waits until the log entry of an API call is written, and returns the entry. */
async function entryOf(requestId: unknown) {
  let entries: { id: number; status: number }[] = [];
  await expect
    .poll(async () => {
      entries = (await get(`/calls?text=${requestId}`)).json().calls;
      return entries.length;
    })
    .toBe(1);
  return entries[0] ?? { id: 0, status: 0 };
}

const call = (url: string, options: Parameters<typeof api.get>[1] = {}) => api.get(url, { key, ...options });

describe("GET /calls", () => {
  it("200 lists a new call soon, with the name of its key", async () => {
    const response = await call("/v1/beats?limit=2", { headers: { "user-agent": "<img src=x onerror=alert(1)>" } });
    expect(await entryOf(response.headers["x-request-id"])).toEqual({
      id: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      request_id: response.headers["x-request-id"],
      key: { id: keyId, name: "Production", ends_with: key.slice(-4) },
      method: "GET",
      path: "/v1/beats",
      query: "limit=2",
      operation: "listBeats",
      status: 200,
      duration_ms: expect.any(Number),
      error_code: null,
      refused_by: null,
      version: "2026-11-20",
    });
  });

  it("200 page by page with ten filters at once", async () => {
    const timeMs = Date.UTC(2026, 0, 1);
    const fields = { userId, apiKeyId: keyId, status: 400, errorCode: "invalid_request", path: "/v1/beats" };
    await writeLogEntries(
      api.database,
      Array.from({ length: 5 }, (_, index) =>
        logEntry({ ...fields, timeMs: timeMs + index, requestId: `page-${index}` }),
      ),
    );
    const filters = `class=4xx&status=400&code=invalid_request&method=GET&operation=listBeats&path=/v1&key=${keyId}&from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:01Z&text=page-`;
    const first = (await get(`/calls?${filters}&limit=3`)).json();
    expect(first.calls.map((each: { request_id: string }) => each.request_id)).toEqual(["page-4", "page-3", "page-2"]);
    const second = (await get(`/calls?${filters}&limit=3&before=${first.next}`)).json();
    expect(second).toMatchObject({ next: null, searched_to: null });
    expect(second.calls.map((each: { request_id: string }) => each.request_id)).toEqual(["page-1", "page-0"]);
  });

  it("200 with calls to paths without an operation", async () => {
    const unknownCall = await call("/v1/nowhere");
    await entryOf(unknownCall.headers["x-request-id"]);
    expect((await get("/calls?operation=none")).json().calls).toEqual([
      expect.objectContaining({ path: "/v1/nowhere", status: 404 }),
    ]);
  });

  it("200 without calls of other accounts, and empty for a key of another account", async () => {
    await writeLogEntries(api.database, [
      logEntry({ userId: strangerId, apiKeyId: 4711, requestId: "theirs", timeMs: Date.now() }),
    ]);
    expect((await get("/calls?text=theirs")).json().calls).toEqual([]);
    expect((await get("/calls?key=4711")).json().calls).toEqual([]);
  });

  it.each([
    ["class=2", "class"],
    ["status=99", "status"],
    ["status=ok", "status"],
    ["code=teapot", "code"],
    ["method=", "method"],
    ["key=mine", "key"],
    ["from=yesterday", "from"],
    ["from=0000-01-01T00:00:00Z", "from"],
    ["to=9999-12-31T23:59:59-10:00", "to"],
    ["before=999999999999999-1", "before"],
    ["text=%00", "text"],
    ["path=a%00b", "path"],
    ["to=1", "to"],
    ["text=", "text"],
    [`text=${"x".repeat(201)}`, "text"],
    ["before=2", "before"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["statuss=200", "statuss"],
    ["status=200&status=404", "status"],
  ])("400 for ?%s", async (query, name) => {
    const response = await get(`/calls?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(name);
  });

  it("401 without a session", async () => {
    expect((await get("/calls", {})).statusCode).toBe(401);
  });

  it("405 for an unsupported method", async () => {
    const response = await api.request({
      method: "POST",
      url: "/portal/api/calls",
      headers: { cookie, origin: publicUrl },
    });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe("GET, HEAD");
  });
});

describe("GET /calls/:call_id", () => {
  it("200 with the request, the masked key, and the reason for a refusal", async () => {
    const response = await call("/v1/beats?genre=trap", {
      accept: "application/json",
      headers: { "user-agent": "probe/1.0", cookie: "a=secret", origin: "https://example.com" },
    });
    const { id } = await entryOf(response.headers["x-request-id"]);
    const detail = await get(`/calls/${id}`);
    expect(detail.json()).toMatchObject({
      id,
      status: 400,
      refused_by: "parameter:genre",
      error: response.json().error,
      refusal: { reason: expect.stringContaining("genre"), advice: expect.stringContaining("reference") },
      headers: [
        { name: "authorization", value: `Bearer bm_••••••${key.slice(-4)}` },
        { name: "accept", value: "application/json" },
        { name: "origin", value: "https://example.com" },
        { name: "user-agent", value: "probe/1.0" },
      ],
      body: null,
      client_address: "127.0.0.1",
      from_explorer: false,
      events: [],
    });
    expect(detail.body).not.toContain(key);
    expect(detail.body).not.toContain("secret");
  });

  it("200 with the header that the explorer sent instead of a key", async () => {
    const entry = { userId, apiKeyId: keyId, fromExplorer: true, requestId: "explored", timeMs: Date.now() };
    await writeLogEntries(api.database, [logEntry(entry)]);
    const { id } = await entryOf("explored");
    expect((await get(`/calls/${id}`)).json()).toMatchObject({
      headers: [{ name: "x-explorer-key", value: String(keyId) }],
      from_explorer: true,
    });
  });

  it("200 with the events that the call caused, and their deliveries to the account's own endpoints", async () => {
    const [beat = 0] = await insertBeats(api.database, [{ priceCents: 100 }]);
    for (const owner of [userId, strangerId])
      await api.database.driver`insert into webhook_endpoints (user_id, url, secret, created_at)
        values (${owner}, ${`https://example.com/${owner}`}, 'sealed', now())`;
    const profile = await api.request({
      method: "PUT",
      url: "/v1/users/profile",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      payload: { bio: "Changed" },
    });
    const order = await api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      payload: { beat_id: beat, payment_method: "pm_card_visa" },
    });
    const caused = async (requestId: unknown) => (await get(`/calls/${(await entryOf(requestId)).id}`)).json().events;
    for (const [response, type] of [
      [profile, "user.updated"],
      [order, "beat.purchased"],
    ] as const)
      expect(await caused(response.headers["x-request-id"])).toEqual([
        {
          id: expect.stringMatching(/^evt_/),
          type,
          created_at: expect.any(String),
          deliveries: [
            {
              id: expect.any(Number),
              endpoint_id: expect.any(Number),
              url: `https://example.com/${userId}`,
              state: "pending",
              attempts: 0,
            },
          ],
        },
      ]);
    const orderId = order.json().data.order.id;
    const orderCall = await call(`/v1/orders/${orderId}`);
    expect(await caused(orderCall.headers["x-request-id"])).toEqual([]);
  });

  it("404 for a call of another account, and for a call that does not exist", async () => {
    await writeLogEntries(api.database, [logEntry({ userId: strangerId, requestId: "hidden", timeMs: Date.now() })]);
    const [hidden] = (
      await listCalls(postgresCallLog(api.database.query), strangerId, { text: "hidden" }, { limit: 1 })
    ).calls;
    for (const id of [hidden?.id, -1, 0, "9".repeat(30)]) expect((await get(`/calls/${id}`)).statusCode).toBe(404);
  });

  it("400 for an invalid id, 401 without a session", async () => {
    expect((await get("/calls/latest")).statusCode).toBe(400);
    expect((await get("/calls/1", {})).statusCode).toBe(401);
  });
});

describe("GET /calls/keys", () => {
  it("200 with the account's keys, 401 without a session", async () => {
    expect((await get("/calls/keys")).json()).toEqual({
      keys: [{ id: keyId, name: "Production", ends_with: key.slice(-4) }],
    });
    expect((await get("/calls/keys", {})).statusCode).toBe(401);
  });
});

describe("GET /calls/histogram", () => {
  it("200 with the number of the account's calls in each bar, with the filters of the list", async () => {
    const timeMs = Date.now() - 120_000;
    await writeLogEntries(api.database, [
      logEntry({ userId, apiKeyId: keyId, timeMs, status: 503, path: "/v1/counted" }),
      logEntry({ userId, apiKeyId: keyId, timeMs, status: 200, path: "/v1/counted", durationMs: 900 }),
      logEntry({ userId: strangerId, apiKeyId: 4711, timeMs, path: "/v1/counted" }),
    ]);
    const from = new Date(timeMs - 600_000).toISOString();
    const sum = async (filters: string) => {
      const { bars, counted_from } = (await get(`/calls/histogram?from=${from}&${filters}`)).json();
      expect(counted_from).toBeNull();
      return ["successes", "failures"].map((name) => bars.reduce((all: number, bar: never) => all + bar[name], 0));
    };
    expect(await sum("path=/v1/counted")).toEqual([1, 1]);
    expect(await sum("path=/v1/counted&class=5xx")).toEqual([0, 1]);
    expect(await sum("path=/v1/counted&min_ms=900")).toEqual([1, 0]);
    expect(await sum("class=5xx")).toEqual([0, 1]);
  });

  it.each(["limit=5", "before=1-1", "from=yesterday", "min_ms=0"])("400 for ?%s", async (query) => {
    expect((await get(`/calls/histogram?${query}`)).statusCode).toBe(400);
  });

  it("401 without a session", async () => {
    expect((await get("/calls/histogram", {})).statusCode).toBe(401);
  });
});

describe("GET /calls.csv", () => {
  it("200 with the account's calls that match the filters, as a file", async () => {
    const exportedCall = { timeMs: Date.UTC(2026, 0, 2), path: "/v1/exported" };
    await writeLogEntries(api.database, [
      logEntry({ ...exportedCall, userId, apiKeyId: keyId, requestId: "mine" }),
      logEntry({ ...exportedCall, userId: strangerId, apiKeyId: 4711, requestId: "theirs" }),
    ]);
    const file = await get("/calls.csv?path=/v1/exported&from=2026-01-01T00:00:00Z");
    expect(file.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="calls.csv"',
      "cache-control": "no-store",
    });
    expect(file.body).toMatch(/^\ufefftime,/);
    expect(file.body).toContain('2026-01-02T00:00:00.000Z,"mine",200,');
    expect(file.body).not.toContain("theirs");
    expect(file.body.split("\r\n")).toHaveLength(3);
  });

  it("400 for an unknown filter, 401 without a session", async () => {
    expect((await get("/calls.csv?limit=5")).statusCode).toBe(400);
    expect((await get("/calls.csv", {})).statusCode).toBe(401);
  });
});

describe("GET /analytics", () => {
  it("200 with figures on the account's calls and the limits of its keys", async () => {
    const { key: fresh, id: freshId } = await createKey(
      db,
      { userId, name: "Small", plan: "standard", permissions, expiresAt: null },
      new Date(),
    );
    let last = await api.get("/v1/genres", { key: fresh });
    for (let count = 1; count < 12; count++) last = await api.get("/v1/genres", { key: fresh });
    expect(last.statusCode).toBe(429);
    await entryOf(last.headers["x-request-id"]);
    const response = (await get(`/analytics?span=hour&key=${freshId}`)).json();
    expect(response).toMatchObject({
      bar_seconds: 60,
      total: { calls: 12, successes: 10, refusals: 2, failures: 0 },
      operations: [{ operation: "listGenres", calls: 12 }],
      errors: [{ status: 429, refused_by: "limit:minute", operation: "listGenres", calls: 2 }],
      limits: [
        {
          key: { id: freshId, name: "Small", ends_with: fresh.slice(-4) },
          plan: "standard",
          admitted: 10,
          allowed: { minute: 10, hour: 100, day: 1_000 },
          refused: { minute: 2, hour: 0, day: 0 },
        },
      ],
    });
    expect(response.bars).toHaveLength(60);
    expect(response.bars.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)).toBe(12);
    expect(response.total.p95_ms).toBeGreaterThan(0);
    expect((await get("/analytics")).json().total.calls).toBeGreaterThan(12);
  });

  it("200 for a period in the past, and the period before it", async () => {
    const fromMs = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 3 * 86_400_000;
    const entry = { userId, apiKeyId: 4713, path: "/v1/compared" };
    await writeLogEntries(api.database, [
      logEntry({ ...entry, timeMs: fromMs + 1 }),
      logEntry({ ...entry, timeMs: fromMs + 3_600_000, status: 500 }),
      logEntry({ ...entry, timeMs: fromMs - 1 }),
    ]);
    const from = new Date(fromMs).toISOString();
    const to = new Date(fromMs + 7_200_000).toISOString();
    expect((await get(`/analytics?key=4713&from=${from}&to=${to}`)).json()).toMatchObject({
      from,
      to,
      bar_seconds: 3_600,
      bars: [
        { start: from, successes: 1, failures: 0 },
        { successes: 0, failures: 1 },
      ],
      before: { now: { calls: 2 }, earlier: { calls: 1 }, bars: [{ calls: 0 }, { calls: 1 }] },
    });
  });

  it("200 and empty for a key of another account", async () => {
    await writeLogEntries(api.database, [logEntry({ userId: strangerId, apiKeyId: 4712, timeMs: Date.now() })]);
    expect((await get("/analytics?key=4712")).json()).toMatchObject({ total: { calls: 0, p50_ms: null }, limits: [] });
  });

  it.each(["span=year", "key=all", "from=1", "to=tomorrow", "span=day&span=week"])("400 for ?%s", async (query) => {
    expect((await get(`/analytics?${query}`)).statusCode).toBe(400);
  });

  it("401 without a session", async () => {
    expect((await get("/analytics", {})).statusCode).toBe(401);
  });
});
