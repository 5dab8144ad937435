import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { readLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { publicUrl, testApi } from "../../../test/harness/api.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import type { PlanName } from "../../access/plans.ts";
import type { Permission } from "../../access/roles.ts";
import { createKey, type IssuedKey, revokeKey } from "../../resources/api-keys/queries.ts";

const clock = new FakeClock();
let portal: TestPortal;
let owner: SignedInVisitor;
let key: IssuedKey;

const makeKey = (traits: { userId?: number; plan?: PlanName; permissions?: Permission[]; expiresAt?: Date } = {}) =>
  createKey(
    portal.database.query,
    {
      userId: traits.userId ?? owner.userId,
      name: "Explorer test",
      plan: traits.plan ?? "standard",
      permissions: traits.permissions ?? ["beats:read", "genres:read", "orders:read", "orders:write"],
      expiresAt: traits.expiresAt ?? null,
    },
    clock.now(),
  );

/** The headers of a request from the explorer's page: the session and the id of the key, never the key itself. */
const headersOf = (keyId: number | string, changed: Record<string, string | undefined> = {}) => {
  const headers = {
    cookie: owner.cookie(),
    "sec-fetch-site": "same-origin",
    "x-explorer-key": String(keyId),
    ...changed,
  };
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
};
const call = (headers: Record<string, string>, url = "/v1/genres") =>
  portal.api.request({ method: "GET", url, headers });

beforeAll(async () => {
  portal = await testPortal({ clock });
});
beforeEach(async () => {
  owner = await portal.signUp();
  key = await makeKey();
});

describe("a call from the explorer", () => {
  test("uses the chosen key by its id, with the limits of the explorer", async () => {
    const response = await call(headersOf(key.id));
    expect(response.statusCode).toBe(200);
    expect(response.headers["x-ratelimit-limit"]).toBe("100");
    expect(response.headers["ratelimit-policy"]).toBe(
      '"minute";q=100;w=60, "hour";q=1000;w=3600, "day";q=10000;w=86400',
    );
  });

  test("may send a change: an order for a beat that does not exist is 404", async () => {
    const response = await portal.api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { ...headersOf(key.id), origin: publicUrl, "content-type": "application/json" },
      payload: JSON.stringify({ beat_id: 404_404, payment_method: "pm_card_visa" }),
    });
    expect(response.json()).toMatchObject({ error: { code: "not_found" } });
  });

  test("has the key's permissions and no more", async () => {
    const narrow = await makeKey({ permissions: ["beats:read"] });
    const response = await call(headersOf(narrow.id));
    expect(response.statusCode).toBe(403);
    expect(response.json().error.details).toContain("genres:read");
  });

  test("counts towards separate limits for each key, and not towards the limits of the key's other calls", async () => {
    for (let count = 0; count < 100; count++) expect((await call(headersOf(key.id))).statusCode).toBe(200);
    const refusal = await call(headersOf(key.id));
    expect(refusal.statusCode).toBe(429);
    expect(refusal.json().error.details).toContain("100 requests per minute");
    const elsewhere = await portal.api.get("/v1/genres", { key: key.key });
    expect(elsewhere.headers["x-ratelimit-remaining"]).toBe("9");
    const other = await makeKey();
    expect((await call(headersOf(other.id))).statusCode).toBe(200);
  });

  test("is limited even if the key is unlimited", async () => {
    const internal = await makeKey({ plan: "internal" });
    expect((await call(headersOf(internal.id))).headers["x-ratelimit-limit"]).toBe("100");
  });

  test("is marked in the log, so that a restart restores the counts of both limits", async () => {
    const { headers } = await call(headersOf(key.id));
    await portal.api.get("/v1/genres", { key: key.key });
    const entries = async () =>
      (await readLogEntries(portal.database))
        .filter(({ apiKeyId }) => apiKeyId === key.id)
        .map(({ requestId, fromExplorer }) => ({ requestId, fromExplorer }));
    await expect.poll(entries).toHaveLength(2);
    expect(await entries()).toEqual([
      { requestId: headers["x-request-id"], fromExplorer: true },
      { requestId: expect.any(String), fromExplorer: false },
    ]);
    const restarted = await testApi({ database: portal.database, clock });
    const again = await restarted.get("/v1/genres", { key: key.key });
    expect(again.headers["x-ratelimit-remaining"]).toBe("8");
    const explorer = await restarted.request({ method: "GET", url: "/v1/genres", headers: headersOf(key.id) });
    expect(explorer.headers["x-ratelimit-remaining"]).toBe("98");
  });

  test("records that the key was used", async () => {
    await call(headersOf(key.id));
    const row = await portal.database.query
      .selectFrom("api_keys")
      .select("last_used_at")
      .where("id", "=", key.id)
      .executeTakeFirstOrThrow();
    expect(row.last_used_at).toEqual(clock.now());
  });
});

describe("401 for", () => {
  const refusal = async (headers: Record<string, string>) => {
    const response = await call(headers);
    expect(response.json()).toMatchObject({ status: "error", error: { code: "unauthorized" } });
    expect(response.headers["x-ratelimit-limit"]).toBeUndefined();
    return { status: response.statusCode, details: response.json().error.details };
  };

  test("the explorer's header without a session, or with a forged session", async () => {
    const forged = headersOf(key.id, { cookie: undefined });
    expect(await refusal(forged)).toEqual({ status: 401, details: expect.stringContaining("Sign in") });
    const nonsense = headersOf(key.id, { cookie: "__Host-beatmarket.session_token=nonsense.nonsense" });
    expect(await refusal(nonsense)).toEqual({ status: 401, details: expect.stringContaining("Sign in") });
  });

  test("a session that has ended", async () => {
    const before = headersOf(key.id);
    await owner.send("POST", "/auth/sign-out");
    expect((await refusal(before)).status).toBe(401);
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another host of the same site", { "sec-fetch-site": "same-site" }],
    ["the address bar", { "sec-fetch-site": "none" }],
    ["a foreign origin", { origin: "https://evil.example" }],
    [
      "a foreign origin, in a browser that says no more",
      { "sec-fetch-site": undefined, origin: "https://evil.example" },
    ],
    ["a program with a stolen cookie", { "sec-fetch-site": undefined }],
    ["a page without an origin", { origin: "null" }],
  ])("a call that comes from %s", async (_, changed) => {
    const response = await refusal(headersOf(key.id, changed));
    expect(response).toEqual({ status: 401, details: expect.stringContaining("pages of the portal") });
  });

  test("a key of another account, an unknown id, and a text that is no id", async () => {
    const stranger = await portal.signUp();
    const strangersKey = await makeKey({ userId: stranger.userId });
    for (const keyId of [strangersKey.id, 987_654_321, "first", "1e3", "-1", ""])
      expect(await refusal(headersOf(keyId))).toEqual({
        status: 401,
        details: expect.stringContaining("none of yours"),
      });
  });

  test("a revoked key, immediately", async () => {
    await call(headersOf(key.id));
    await revokeKey(portal.database.query, key.id, { ownerId: owner.userId }, clock.now());
    expect((await refusal(headersOf(key.id))).status).toBe(401);
  });

  test("an expired key, from the moment of its expiry", async () => {
    const brief = await makeKey({ expiresAt: new Date(clock.nowMs() + 1_000) });
    expect((await call(headersOf(brief.id))).statusCode).toBe(200);
    clock.advance(1_000);
    expect((await refusal(headersOf(brief.id))).status).toBe(401);
  });

  test("an invalid key in an Authorization header, which takes precedence over the explorer's header", async () => {
    const response = await call({ ...headersOf(key.id), authorization: "Bearer bm_wrong" });
    expect(response.statusCode).toBe(401);
    const good = await call({ ...headersOf(key.id), authorization: `Bearer ${key.key}` });
    expect(good.headers["x-ratelimit-limit"]).toBe("10");
  });

  test("a session without a key, because the portal's cookie gives no access to the API", async () => {
    expect((await refusal({ cookie: owner.cookie(), "sec-fetch-site": "same-origin" })).details).toContain(
      "Authorization",
    );
  });
});
