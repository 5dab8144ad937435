import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { createKey, type IssuedKey, revokeKey } from "../../resources/api-keys/queries.ts";

const clock = new FakeClock();
let portal: TestPortal;
let owner: SignedInVisitor;
let key: IssuedKey;

const makeKey = (userId: number, name: string) =>
  createKey(
    portal.database.query,
    { userId, name, plan: "standard", permissions: ["genres:read"], expiresAt: null },
    clock.now(),
  );

beforeAll(async () => {
  portal = await testPortal({ clock });
  owner = await portal.signUp();
  key = await makeKey(owner.userId, "First");
});

describe("the keys for the explorer", () => {
  test("are the account's active keys, oldest first, without their secret", async () => {
    const second = await makeKey(owner.userId, "Second");
    const revoked = await makeKey(owner.userId, "Revoked");
    await revokeKey(portal.database.query, revoked.id, "operator", clock.now());
    await makeKey((await portal.signUp()).userId, "Somebody else's");
    const response = await owner.get("/explorer/keys");
    expect(response.json()).toEqual({
      keys: [key, second].map(({ id, name, endsWith }) => ({
        id,
        name,
        ends_with: endsWith,
        permissions: ["genres:read"],
      })),
    });
    expect(response.body).not.toContain(key.key);
  });

  test("are 401 without a session", async () => {
    for (const path of ["/explorer/keys", `/explorer/keys/${key.id}/limits`])
      expect((await portal.visitor().get(path)).statusCode).toBe(401);
  });
});

describe("a key's limits", () => {
  test("are shown for the explorer and for other calls, and reading them counts towards neither", async () => {
    const explore = () =>
      portal.api.request({
        method: "GET",
        url: "/v1/genres",
        headers: { cookie: owner.cookie(), "sec-fetch-site": "same-origin", "x-explorer-key": String(key.id) },
      });
    for (let count = 0; count < 3; count++) await explore();
    clock.advance(20_000);
    await portal.api.get("/v1/genres", { key: key.key });
    const limits = async () => (await owner.get(`/explorer/keys/${key.id}/limits`)).json();
    const expected = {
      explorer: [
        { name: "minute", limit: 100, remaining: 97, resets_in_seconds: 40 },
        { name: "hour", limit: 1_000, remaining: 997, resets_in_seconds: 3_580 },
        { name: "day", limit: 10_000, remaining: 9_997, resets_in_seconds: 86_380 },
      ],
      key: [
        { name: "minute", limit: 10, remaining: 9, resets_in_seconds: 60 },
        { name: "hour", limit: 100, remaining: 99, resets_in_seconds: 3_600 },
        { name: "day", limit: 1_000, remaining: 999, resets_in_seconds: 86_400 },
      ],
    };
    expect(await limits()).toEqual(expected);
    expect(await limits()).toEqual(expected);
    clock.advance(40_000);
    expect((await limits()).explorer[0].remaining).toBe(100);
  });

  test("are 404 for a key of another account and for an unknown key, and 400 for an invalid id", async () => {
    const strangersKey = await makeKey((await portal.signUp()).userId, "Theirs");
    for (const id of [strangersKey.id, 987_654_321])
      expect((await owner.get(`/explorer/keys/${id}/limits`)).statusCode).toBe(404);
    expect((await owner.get("/explorer/keys/first/limits")).statusCode).toBe(400);
  });
});
