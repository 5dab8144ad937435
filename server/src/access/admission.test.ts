import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { describe, expect, it } from "vitest";
import { testApi } from "../../test/harness/api.ts";
import { testDatabase } from "../../test/harness/database/database.ts";
import { generateKey } from "../resources/api-keys/key-format.ts";

const database = await testDatabase();
const clock = new FakeClock();
const api = await testApi({ database, clock });
const proxied = await testApi({ database, clock, tls: { mode: "off" } });

describe("the order of checks", () => {
  it("a request without a key is 401 even if the path, the method or a parameter is wrong", async () => {
    for (const url of ["/v1/nowhere", "/v1/beats?limit=0", "/v1/beats/x", "/api/v1/nowhere"])
      expect((await api.get(url, { key: null })).statusCode, url).toBe(401);
    expect((await api.request({ method: "PATCH", url: "/v1/beats" })).statusCode).toBe(401);
  });

  it("a limit (429) is checked before a permission (403), and a permission before a parameter (400)", async () => {
    const key = await api.makeKey({ plan: "standard", permissions: ["genres:read"] });
    for (let count = 0; count < 10; count++) expect((await api.get("/v1/beats?limit=0", { key })).statusCode).toBe(403);
    expect((await api.get("/v1/beats?limit=0", { key })).statusCode).toBe(429);
  });

  it("404 and 405 come after the checks of key and limit, and count towards the limit", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const unknown = await api.get("/v1/nowhere", { key });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({ status: "error", error: { code: "not_found" } });
    expect(unknown.headers["x-ratelimit-remaining"]).toBe("9");
    const wrong = await api.request({ method: "PATCH", url: "/v1/beats", headers: { authorization: `Bearer ${key}` } });
    expect(wrong.statusCode).toBe(405);
    expect(wrong.headers.allow).toBe("GET, HEAD, POST");
    expect(wrong.headers["x-ratelimit-remaining"]).toBe("8");
  });
});

describe("authorization", () => {
  it.each(["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "bm_x", "Bearer two words", "Token x"])(
    "401 for the header %j, with the expected form",
    async (authorization) => {
      const response = await api.get("/v1/beats", { key: null, headers: { authorization } });
      expect(response.statusCode).toBe(401);
      expect(response.json().error.details).toMatch(/Bearer|not valid/);
      expect(response.headers["www-authenticate"]).toMatch(/^Bearer/);
    },
  );

  it("accepts the scheme in any case", async () => {
    const response = await api.get("/v1/genres", { key: null, headers: { authorization: `bearer ${api.key}` } });
    expect(response.statusCode).toBe(200);
  });

  it("a response does not contain the key", async () => {
    const response = await api.get("/v1/genres");
    expect(JSON.stringify(response.headers) + response.body).not.toContain(api.key);
  });
});

describe("a flood of invalid keys", () => {
  const from = (remoteAddress: string, key: string) =>
    api.request({ url: "/v1/genres", remoteAddress, headers: { authorization: `Bearer ${key}` } });

  it("gets 429 with Retry-After from the 101st in a minute on; valid keys from the same network are served", async () => {
    for (let count = 0; count < 100; count++) expect((await from("198.51.100.7", generateKey())).statusCode).toBe(401);
    const refusal = await from("198.51.100.7", "nonsense");
    expect(refusal.statusCode).toBe(429);
    expect(refusal.headers["retry-after"]).toBe("60");
    expect(refusal.json().error.code).toBe("rate_limit_exceeded");
    expect((await from("198.51.100.7", api.key)).statusCode).toBe(200);
    expect((await from("198.51.100.8", "nonsense")).statusCode).toBe(401);
    clock.advance(60_000);
    expect((await from("198.51.100.7", "nonsense")).statusCode).toBe(401);
  });
});

describe("rate-limit headers", () => {
  it("are on every response to a valid key, except of plan internal", async () => {
    const key = await api.makeKey({ plan: "standard", permissions: ["genres:read"] });
    for (const [url, status] of [
      ["/v1/genres", 200],
      ["/v1/genres?x=1", 400],
      ["/v1/beats", 403],
      ["/v1/nowhere", 404],
    ] as const) {
      const response = await api.get(url, { key });
      expect(response.statusCode).toBe(status);
      expect(response.headers).toMatchObject({
        "x-ratelimit-limit": "10",
        "x-ratelimit-remaining": expect.stringMatching(/^\d$/),
        "x-ratelimit-reset": String(clock.nowMs() / 1000 + 60),
        "ratelimit-policy": '"minute";q=10;w=60, "hour";q=100;w=3600, "day";q=1000;w=86400',
        ratelimit: expect.stringMatching(/^"minute";r=\d;t=60, "hour";r=\d+;t=3600, "day";r=\d+;t=86400$/),
      });
    }
    expect((await api.get("/v1/genres")).headers).not.toHaveProperty("x-ratelimit-limit");
  });

  it("a 304 counts towards the limit, a 429 does not", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const { headers } = await api.get("/v1/genres", { key });
    const unchanged = { "if-none-match": String(headers.etag) };
    for (let count = 1; count < 10; count++)
      expect((await api.get("/v1/genres", { key, headers: unchanged })).statusCode).toBe(304);
    for (let index = 0; index < 5; index++) expect((await api.get("/v1/genres", { key })).statusCode).toBe(429);
    clock.advance(60_000);
    const response = await api.get("/v1/genres", { key });
    expect(response.statusCode).toBe(200);
    expect(response.headers.ratelimit).toContain('"hour";r=89');
  });
});

describe("behind a proxy (TLS=off)", () => {
  it("a request without X-Forwarded-Proto: https is 400 before all other checks", async () => {
    for (const headers of [{}, { "x-forwarded-proto": "http" }]) {
      const response = await proxied.get("/v1/genres", { key: null, headers });
      expect(response.statusCode).toBe(400);
      expect(response.json().error).toMatchObject({
        code: "invalid_request",
        details: expect.stringContaining("HTTPS is required"),
      });
      expect(response.headers.connection).toBe("close");
    }
    const response = await proxied.get("/v1/genres", { headers: { "x-forwarded-proto": "https" } });
    expect(response.statusCode).toBe(200);
  });

  it("X-Forwarded-Proto is ignored if the server uses TLS itself", async () => {
    expect((await api.get("/v1/genres", { headers: { "x-forwarded-proto": "http" } })).statusCode).toBe(200);
  });
});

describe("the API", () => {
  it("allows no other origin, since keys belong on servers", async () => {
    const response = await api.get("/v1/genres", { headers: { origin: "https://evil.example" } });
    expect(response.headers).not.toHaveProperty("access-control-allow-origin");
    const preflight = await api.request({
      method: "OPTIONS",
      url: "/v1/genres",
      headers: { origin: "https://evil.example" },
    });
    expect(preflight.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("sends no HSTS on a loopback host", async () => {
    expect((await api.get("/v1/genres")).headers).not.toHaveProperty("strict-transport-security");
  });
});
