import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { testPortal } from "../../../test/harness/portal.ts";

// The number of statements and rows that a request without a session costs. docs/security.md has the table.

const clock = new FakeClock();
const database = await testDatabase();
const statements: string[] = [];
const portal = await testPortal({
  clock,
  demoEmail: "demo@example.com",
  database: { ...database, query: database.withStatementLog(({ sql }) => statements.push(sql)) },
});
const { api } = portal;
const stranger = "203.0.113.9";

/** Returns the statements that `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  statements.length = 0;
  await work();
  return [...statements];
}

describe("an invalid session costs no statement", () => {
  const cookie = "__Host-beatmarket.session_token";
  test.each([
    ["no cookie", ""],
    ["a forged cookie", `${cookie}=forged.${"A".repeat(43)}%3D`],
    ["a cookie without a signature", `${cookie}=forged`],
    ["the cookie of an older release", `__Secure-beatmarket.session_token=forged.${"A".repeat(43)}%3D`],
    ["a long cookie", `${cookie}=${"A".repeat(10_000)}.${"A".repeat(43)}%3D`],
    ["a forged device", `__Host-beatmarket.device=1.2.3`],
  ])("%s", async (_what, value) => {
    for (const path of ["/session", "/keys", "/nowhere"]) {
      const request = () => api.request({ url: `/portal/api${path}`, headers: { cookie: value } });
      expect(await statementsOf(request)).toEqual([]);
    }
  });
});

const routes = [
  ["/auth/sign-in", { email: "nobody@example.com", password: "a wrong password" }, "sign-in from"],
  ["/auth/register", { email: "nobody@example.com", name: "Eve", password: "a fine password" }, "mails for"],
  ["/auth/request-reset", { email: "nobody@example.com" }, "mails for"],
  ["/auth/confirm", { token: "garbage", password: "a fine password" }, "opening of links from"],
  ["/auth/reset", { token: "garbage", password: "a fine password" }, "opening of links from"],
  ["/auth/confirm-email", { token: "garbage", password: "a fine password" }, "opening of links from"],
  ["/auth/undo-email", { token: "garbage", password: "a fine password" }, "opening of links from"],
  ["/auth/passkey/challenges", undefined, "passkeys from"],
  [
    "/auth/passkey",
    { credential: "AA", client_data: "AA", authenticator_data: "AA", signature: "AA" },
    "passkeys from",
  ],
  ["/auth/demo", undefined, "sign-in from"],
  ["/device/codes", { name: "A terminal", permissions: ["beats:read"] }, "device logins from"],
  [
    "/device/token",
    { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: "garbage" },
    "device polls from",
  ],
  ["/claims/find", { token: "garbage" }, "opening of links from"],
  ["/claims/prove", { token: "garbage" }, "opening of links from"],
  ["/invitations/find", { token: "garbage" }, "opening of links from"],
  ["/invitations/register", { token: "garbage", name: "Eve", password: "a fine password" }, "opening of links from"],
] as const;

/** The routes that run no statement without a session. */
const free = ["/market/options", "/market/beats/{beat_id}/licenses", "/market/producers", "/session"];

describe("above the limit of a network", () => {
  test.each(routes)("%s costs one statement in ten seconds", async (path, body, subject) => {
    await database.query
      .insertInto("portal_attempts")
      .values({ subject: `${subject} ${stranger}`, count: 10_000, window_ends_at: new Date(clock.nowMs() + 900_000) })
      .onConflict((conflict) => conflict.column("subject").doUpdateSet({ count: 10_000 }))
      .execute();
    const send = async () => {
      const response = await portal.visitor(stranger).send("POST", path, body);
      expect(response.statusCode).toBe(429);
      expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
    };
    clock.advance(10_000);
    const first = await statementsOf(send);
    expect(first).toEqual([expect.stringMatching(/^insert into "portal_attempts"/)]);
    expect(await statementsOf(() => Promise.all(Array.from({ length: 50 }, send)))).toEqual([]);
    clock.advance(10_000);
    expect(await statementsOf(send)).toHaveLength(1);
  });

  test("every route that needs no session is listed here, or runs no statement", async () => {
    const { default: document } = await import("../../../../contract/portal-openapi.json", { with: { type: "json" } });
    const openPaths = Object.entries(document.paths as Record<string, Record<string, { security?: unknown[] }>>)
      .filter(([, methods]) => Object.values(methods).some(({ security }) => security?.length === 0))
      .map(([path]) => path);
    expect(openPaths.sort()).toEqual([...free, ...routes.map(([path]) => path)].sort());
    for (const path of free) expect(await statementsOf(() => portal.visitor(stranger).get(path))).toEqual([]);
  });
});

test("a malformed link is refused without a look-up", async () => {
  const send = () =>
    portal.visitor("192.0.2.1").send("POST", "/auth/reset", { token: "garbage", password: "a fine password" });
  expect(await statementsOf(send)).toEqual([expect.stringMatching(/^insert into "portal_attempts"/)]);
});

test("a sign-in to the demo writes only its session and its attempt", async () => {
  const click = () => portal.visitor("192.0.2.2").send("POST", "/auth/demo");
  await click();
  const written = (await statementsOf(click)).filter((text) => /^(insert|update)/.test(text));
  expect(written.map((text) => /"(\w+)"/.exec(text)?.[1])).toEqual(["portal_attempts", "portal_sessions"]);
});
