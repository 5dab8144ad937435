import { gzipSync } from "node:zlib";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { describe, expect, test } from "vitest";
import { permissions } from "../../../src/access/roles.ts";
import { generateKey } from "../../../src/resources/api-keys/key-format.ts";
import { createKey, revokeKey } from "../../../src/resources/api-keys/queries.ts";
import { publicUrl, testApi } from "../../harness/api.ts";
import { insertBeats } from "../../harness/database/catalogue.ts";
import { apiDocument, apiOperations } from "../../harness/documents/promised-responses.ts";
import { makeKey, rotateKey, testPortal } from "../../harness/portal.ts";

// OWASP API2, 4 and 6:2023. authorization.test.ts has 1, 3 and 5; surface.test.ts 7, 8 and 9; payment-responses.test.ts
// 10.

const clock = new FakeClock();
const portal = await testPortal({ clock });
const { api } = portal;
const beats = await insertBeats(
  api.database,
  Array.from({ length: 20 }, (_, index) => ({ title: `Beat ${index}` })),
);

describe("API2:2023 Broken authentication", () => {
  const key = generateKey();
  test.each<[string, Record<string, string>, string?]>([
    ["in the query", {}, `?api_key=${api.key}`],
    ["in a header of another name", { "x-api-key": api.key }],
    ["in a cookie", { cookie: `api_key=${api.key}; authorization=Bearer ${api.key}` }],
    ["as a user name", { authorization: `Basic ${Buffer.from(`${api.key}:`).toString("base64")}` }],
    ["as a password", { authorization: `Basic ${Buffer.from(`:${api.key}`).toString("base64")}` }],
    ["in other letters", { authorization: `Bearer ${api.key.toUpperCase()}` }],
    [
      "with one letter changed",
      { authorization: `Bearer ${api.key.slice(0, -1)}${api.key.endsWith("0") ? "1" : "0"}` },
    ],
    ["with a letter more", { authorization: `Bearer ${api.key}0` }],
    ["with %%00 after it", { authorization: `Bearer ${api.key}%00` }],
    ["that was never issued", { authorization: `Bearer ${key}` }],
    ["that is an unsigned token", { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0." }],
    ["in base64", { authorization: `Bearer ${Buffer.from(api.key).toString("base64")}` }],
  ])("a key %s is refused", async (_how, headers, query = "") => {
    const response = await api.request({ method: "GET", url: `/v1/genres${query}`, headers });
    expect(response.statusCode).toBe(401);
    expect(response.headers["www-authenticate"]).toMatch(/^Bearer/);
    expect(response.body).not.toContain(api.key);
  });

  test("a webhook secret, a session and a mailed token give no access to the API", async () => {
    const ada = await portal.signUp();
    const { secret } = (
      await ada.send("POST", "/webhooks/endpoints", { url: "https://receiver.example/", event_types: null })
    ).json();
    const session = /session_token=([^;]+)/.exec(ada.cookie())?.[1] ?? "";
    const token = /#(\S+)/.exec(portal.mails.at(-1)?.text ?? "")?.[1] ?? "";
    for (const credential of [secret, session, decodeURIComponent(session).split(".")[0], token]) {
      expect(credential.length).toBeGreaterThan(10);
      expect((await api.get("/v1/genres", { key: credential })).statusCode).toBe(401);
    }
  });

  test("a revoked key stops within half a second, even on an instance that has just accepted it", async () => {
    const { key: temporaryKey, id } = await createKey(
      api.database.query,
      { userId: api.userId, name: "r", plan: "internal", permissions, expiresAt: null },
      clock.now(),
    );
    expect((await api.get("/v1/genres", { key: temporaryKey })).statusCode).toBe(200);
    await revokeKey(api.database.query, id, { ownerId: api.userId, author: "operator" }, clock.now());
    clock.advance(500);
    expect((await api.get("/v1/genres", { key: temporaryKey })).statusCode).toBe(401);
  });
});

describe("API4:2023 Unrestricted resource consumption", () => {
  test("every page has a maximum size, and every text of a body has a maximum length", () => {
    let bounded = 0;
    // These lists are read in one order, and have no total.
    const streams = ["listChanges", "listEvents"];
    for (const { operationId, parameters, requestBody } of apiOperations) {
      for (const { name, schema } of parameters)
        if (name === "limit")
          expect(schema.maximum, operationId).toBeLessThanOrEqual(streams.includes(operationId) ? 1_000 : 100);
      const name = requestBody?.content["application/json"]?.schema.$ref?.split("/").at(-1) ?? "";
      for (const [field, schema] of Object.entries(apiDocument.components.schemas[name]?.properties ?? {}))
        for (const alternative of schema.anyOf ?? [schema])
          if (alternative.type === "string" && alternative.enum === undefined) {
            expect(alternative.maxLength, `${operationId} ${field}`).toBeLessThanOrEqual(2_048);
            bounded++;
          }
    }
    expect(bounded).toBeGreaterThan(4);
  });

  test("a compressed body is refused, and the largest body has 100 kB", async () => {
    const send = (payload: Buffer, headers: Record<string, string>) =>
      api.request({
        method: "PUT",
        url: "/v1/users/profile",
        headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json", ...headers },
        payload,
      });
    const bomb = gzipSync(Buffer.alloc(50_000_000, " "));
    const packed = await send(bomb, { "content-encoding": "gzip" });
    expect(packed.statusCode).toBe(415);
    expect(packed.json().error.details).toContain('Content-Encoding header names "gzip"');
    expect((await send(Buffer.from(`{"bio":"${"x".repeat(100_000)}"}`), {})).statusCode).toBe(413);
  });

  test("a query that matches everything, is expensive to match, or requests the last page is bounded like other queries", async () => {
    for (const query of [
      "q=a&limit=50&page=2147483647",
      `q=${"a ".repeat(100)}`,
      `q=${"%25_*".repeat(40)}`,
      `q=${"é".repeat(200)}`,
    ])
      expect((await api.get(`/v1/search?${query}`)).statusCode).toBe(200);
    expect((await api.get(`/v1/search?q=${"a".repeat(201)}`)).statusCode).toBe(400);
    expect((await api.get("/v1/beats?limit=101")).statusCode).toBe(400);
  });
});

describe("API6:2023 Unrestricted access to sensitive business flows", () => {
  const countAdmitted = async (calls: readonly (() => Promise<{ statusCode: number }>)[]) => {
    const responses = await Promise.all(calls.map((call) => call()));
    return responses.filter(({ statusCode }) => statusCode !== 429).length;
  };

  test("all spellings of a call count against one limit, with any prefix, form, method and outcome", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const requestTo =
      (url: string, headers: Record<string, string> = {}, method = "GET") =>
      () =>
        api.request({ method: method as "GET", url, headers: { authorization: `Bearer ${key}`, ...headers } });
    const calls = [
      requestTo("/v1/genres"),
      requestTo("/api/v1/genres"),
      requestTo("/v1/genres", { accept: "application/vnd.beatmarket.console+json" }),
      requestTo("/v1/genres", {}, "HEAD"),
      requestTo("/v1/genres", { authorization: `bearer   ${key}  ` }),
      requestTo("/v1/genres?x=1"),
      requestTo("/v1/nowhere"),
      requestTo("/V1/genres/"),
      requestTo("/v1/genres", { "x-forwarded-for": "203.0.113.9" }),
      requestTo("/v1/genres", { "user-agent": "another" }),
      requestTo("/v1/users/profile", {}, "DELETE"),
      requestTo("/v1/beats%"),
    ];
    // A path outside of the base is not a call of the API, and is not counted: /V1 is not a prefix.
    expect(await countAdmitted(calls.filter((_, index) => index !== 7))).toBe(10);
    expect(await countAdmitted([calls[0] ?? requestTo("/v1/genres")])).toBe(0);
  });

  test("a limit continues after a restart", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const use = async (server: typeof api, count: number) =>
      countAdmitted(Array.from({ length: count }, () => () => server.get("/v1/genres", { key })));
    const first = await testApi({ clock, database: api.database });
    expect(await use(first, 6)).toBe(6);
    await first.app.close();
    const restarted = await testApi({ clock, database: api.database });
    expect(await use(restarted, 6)).toBe(4);
  });

  test("an account has at most ten working keys, and creates at most ten a day, with any rotations and revocations", async () => {
    const bea = await portal.signUp();
    const make = () => makeKey(bea);
    const keys = [];
    for (let count = 0; count < 10; count++) keys.push((await make()).json());
    expect([409, 429]).toContain((await make()).statusCode);
    await bea.send("POST", `/keys/${keys[0].id}/revoke`);
    expect((await make()).statusCode).toBe(429);
    expect((await rotateKey(bea, keys[1].id, 0)).statusCode).toBe(429);
  });

  test("a key with a forged marker of the explorer has only the key's limits, and the marker alone gives no access", async () => {
    const cleo = await portal.signUp();
    const created = (await makeKey(cleo)).json();
    const marker = { "x-explorer-key": String(created.id), "sec-fetch-site": "same-origin", origin: publicUrl };
    const withKey = await api.get("/v1/genres", { key: created.key, headers: marker });
    expect(withKey.headers["x-ratelimit-limit"]).toBe("10");
    for (const headers of [marker, { ...marker, cookie: cleo.cookie(), "sec-fetch-site": "cross-site" }])
      expect((await api.get("/v1/genres", { key: null, headers })).statusCode).toBe(401);
  });

  test("one of twenty simultaneous buyers gets an exclusive license, and twenty equal requests create one order", async () => {
    const [exclusive = 0, other = 0] = beats;
    const buy = (key: string, payload: object, headers: Record<string, string> = {}) =>
      api.request({
        method: "POST",
        url: "/v1/orders",
        headers: { authorization: `Bearer ${key}`, ...headers },
        payload,
      });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => api.makeKey()));
    const rivals = await Promise.all(
      buyers.map((key) => buy(key, { beat_id: exclusive, payment_method: "pm_card_visa", license_type: "exclusive" })),
    );
    expect(rivals.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
    const replays = await Promise.all(
      Array.from({ length: 20 }, () =>
        buy(api.key, { beat_id: other, payment_method: "pm_card_visa" }, { "idempotency-key": "once" }),
      ),
    );
    expect(new Set(replays.map((response) => response.json().data.order.id)).size).toBe(1);
  });
});
