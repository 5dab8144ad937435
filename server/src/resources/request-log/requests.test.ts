import type { RequestLogEntry } from "@beatmarket/request-log/entry.ts";
import { logEntry, writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { findOrCreateAccount } from "../users/accounts.ts";

const api = await testApi();
const { query: db } = api.database;
const dayMs = 86_400_000;
/** A time before all other calls of this file. */
const atMs = Date.now() - 5 * dayMs;

const createAccount = async (name: string) => {
  const email = `${name}@example.com`;
  const key = await api.makeKey({ email });
  const { id } = await findOrCreateAccount(db, { email });
  const { id: keyId } = await db
    .selectFrom("api_keys")
    .select("id")
    .where("user_id", "=", id)
    .executeTakeFirstOrThrow();
  return { key, id, keyId };
};
const [ada, bob] = await Promise.all([createAccount("ada"), createAccount("bob")]);

/** Returns a UUID of version 7 with the time `ms`. */
const idAt = (ms: number, n: number) => {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${n.toString(16).padStart(12, "0")}`;
};
const entryOf = (owner: typeof ada, n: number, fields: Partial<RequestLogEntry> = {}) =>
  logEntry({ userId: owner.id, apiKeyId: owner.keyId, timeMs: atMs + n, requestId: idAt(atMs + n, n), ...fields });

interface Page {
  requests: { id: string; status: number }[];
  next: string | null;
  searched_to: string | null;
}
const before = new Date(atMs + dayMs).toISOString();
const readPage = async (query: string, key = ada.key): Promise<Page> =>
  (await api.get(`/v1/requests?to=${before}&${query}`, { key })).json().data;
const ids = ({ requests }: Page) => requests.map(({ id }) => id);

await writeLogEntries(api.database, [
  entryOf(ada, 1, { method: "POST", operation: "createOrder", path: "/v1/orders", status: 201, body: '{"beat_id":7}' }),
  entryOf(ada, 2, {
    status: 400,
    errorCode: "invalid_request",
    errorMessage: "Invalid parameters",
    refusedBy: "parameter:genre",
    errorDetails: "No genre: trapp.",
    query: "genre=trapp",
    headers: "accept: application/json\n",
    userAgent: "probe/1.0",
    clientAddress: "203.0.113.7",
  }),
  entryOf(ada, 3, { operation: null, path: "/v1/nowhere", status: 404, errorCode: "not_found" }),
  entryOf(ada, 4, { status: 503, errorCode: "server_error" }),
  entryOf(bob, 5),
]);
const allIds = [4, 3, 2, 1].map((n) => idAt(atMs + n, n));
const idsOf = (...numbers: number[]) => allIds.filter((id) => numbers.some((n) => id === idAt(atMs + n, n)));

describe("GET /requests", () => {
  it("lists the account's requests, newest first, in both forms", async () => {
    const page = await readPage("");
    expect(page).toMatchObject({ next: null, searched_to: null });
    expect(ids(page)).toEqual(allIds);
    expect(page.requests[2]).toEqual({
      id: idAt(atMs + 2, 2),
      created_at: new Date(atMs + 2).toISOString(),
      method: "GET",
      path: "/v1/beats",
      query: "genre=trapp",
      operation: "listBeats",
      status: 400,
      duration_ms: 1.5,
      key_id: ada.keyId,
      key_name: expect.any(String),
      error_code: "invalid_request",
      refused_by: "parameter:genre",
      version: "2026-11-20",
    });
    const console = await api.get(`/v1/requests?to=${before}`, { key: ada.key, accept: consoleType });
    expect(console.json().data).toEqual(page);
  });

  it.each([
    ["status_class=4xx", [3, 2]],
    ["status=201", [1]],
    ["method=POST", [1]],
    ["operation_id=createOrder", [1]],
    ["operation_id=none", [3]],
    ["text=TRAPP", [2]],
    ["text=probe", [2]],
    [`request_id=${idAt(atMs + 4, 4).toUpperCase()}`, [4]],
    [`from=${new Date(atMs + 3).toISOString()}`, [4, 3]],
    [`key=${ada.keyId}&status_class=5xx`, [4]],
    [`key=${bob.keyId}`, []],
  ])("lists only the requests that match ?%s", async (query, numbers) => {
    expect(ids(await readPage(query))).toEqual(idsOf(...numbers));
  });

  it("lists requests in pages", async () => {
    const first = await readPage("limit=3");
    expect(ids(first)).toEqual(allIds.slice(0, 3));
    expect(first.searched_to).not.toBeNull();
    const second = await readPage(`limit=3&after=${first.next}`);
    expect(ids(second)).toEqual(allIds.slice(3));
    expect(second.next).toBeNull();
  });

  it.each([
    ["status_class=4", "status_class"],
    ["status=99", "status"],
    ["key=mine", "key"],
    ["request_id=1", "request_id"],
    ["from=yesterday", "from"],
    [`from=${before}`, "from"],
    ["after=2", "after"],
    ["after=99999999999999999-1", "after"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["text=", "text"],
    ["page=2", "page"],
  ])("answers 400 to ?%s", async (query, name) => {
    const response = await api.get(`/v1/requests?to=${before}&${query}`, { key: ada.key });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(name);
  });

  it("answers 401 without a key, and 403 without requests:read", async () => {
    expect((await api.get("/v1/requests", { key: null })).statusCode).toBe(401);
    const key = await api.makeKey({ permissions: ["events:read"] });
    const response = await api.get("/v1/requests", { key });
    expect(response.statusCode).toBe(403);
    expect(response.json().error.details).toContain("requests:read");
  });
});

describe("GET /requests/:request_id", () => {
  const get = (n: number, key = ada.key, accept?: string) =>
    api.get(`/v1/requests/${idAt(atMs + n, n)}`, { key, ...(accept !== undefined && { accept }) });

  it("returns the sent data and the reason of the refusal, in both forms", async () => {
    const { request } = (await get(2)).json().data;
    expect(request).toMatchObject({
      id: idAt(atMs + 2, 2),
      status: 400,
      refused_by: "parameter:genre",
      error_code: "invalid_request",
      error_message: "Invalid parameters",
      error_details: "No genre: trapp.",
      body: null,
      event_ids: [],
      reason: expect.stringContaining("genre"),
      advice: expect.any(String),
      from_explorer: false,
      headers: { accept: "application/json" },
      user_agent: "probe/1.0",
      client_address: "203.0.113.7",
    });
    expect((await get(2, ada.key, consoleType)).json().data).toEqual(request);
    expect((await get(1)).json().data.request).toMatchObject({ body: '{"beat_id":7}', reason: null, error_code: null });
  });

  it("returns a real request without its key", async () => {
    const response = await api.get("/v1/beats?genre=none&text=bm_live_0123456789abcdefghij", { key: ada.key });
    const id = String(response.headers["x-request-id"]);
    await expect.poll(async () => (await api.get(`/v1/requests/${id}`, { key: ada.key })).statusCode).toBe(200);
    const { body } = await api.get(`/v1/requests/${id}`, { key: ada.key });
    expect(JSON.parse(body).data.request).toMatchObject({ id, path: "/v1/beats", status: 400 });
    expect(body).not.toContain(ada.key);
  });

  it("answers 404 for another account's request, and for an unknown request", async () => {
    expect((await get(5)).statusCode).toBe(404);
    expect((await get(5, bob.key)).statusCode).toBe(200);
    expect((await get(6)).statusCode).toBe(404);
  });

  it("answers 400 to an invalid id, 401 without a key, and 403 without requests:read", async () => {
    expect((await api.get("/v1/requests/1", { key: ada.key })).statusCode).toBe(400);
    const url = `/v1/requests/${idAt(atMs, 1)}`;
    expect((await api.get(url, { key: null })).statusCode).toBe(401);
    expect((await api.get(url, { key: await api.makeKey({ permissions: ["beats:read"] }) })).statusCode).toBe(403);
  });
});

test("no filter, position or id returns a request of another account", async () => {
  const fromMs = atMs - 10 * dayMs;
  const secret = entryOf(bob, 0, { timeMs: fromMs, requestId: idAt(fromMs, 99), status: 500, path: "/v1/secret" });
  await writeLogEntries(api.database, [secret, { ...secret, timeMs: fromMs + 1, requestId: idAt(fromMs + 1, 98) }]);
  const ownIds = new Set(allIds);
  const filter = fc.record(
    {
      status_class: fc.constantFrom("2xx", "4xx", "5xx"),
      status: fc.constantFrom(200, 201, 400, 404, 500, 503),
      method: fc.constantFrom("GET", "POST"),
      operation_id: fc.constantFrom("listBeats", "createOrder", "none"),
      key: fc.constantFrom(ada.keyId, bob.keyId),
      text: fc.constantFrom("secret", "v1", "-7000-8000-", "GET"),
      request_id: fc.constantFrom(secret.requestId, idAt(atMs + 5, 5), allIds[0] ?? ""),
      after: fc.constantFrom(`${fromMs + 2}-1`, `${fromMs + 2}-9999999999999`, `${atMs + 6}-1`),
      limit: fc.integer({ min: 1, max: 100 }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(filter, async (query) => {
      const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      expect(ids(await readPage(`${text}`)).filter((id) => !ownIds.has(id))).toEqual([]);
    }),
    { numRuns: 60 },
  );
  const { requests } = await readPage(`request_id=${secret.requestId}`, bob.key);
  expect(requests).toHaveLength(1);
});
