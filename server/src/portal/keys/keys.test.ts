import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { makeKey, rotateKey, type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

let portal: TestPortal;
const clock = new FakeClock(Date.now());
let ada: SignedInVisitor;
let eve: SignedInVisitor;
beforeAll(async () => {
  portal = await testPortal({ clock });
  ada = await portal.signUp("ada@example.com");
  eve = await portal.signUp("eve@example.com");
});

/** Skips a day, because the number of new keys a day is limited. The sessions continue. */
async function nextDay(): Promise<void> {
  clock.advance(86_400_000);
  await Promise.all([ada.get("/session"), eve.get("/session")]);
}

const creation = { name: "Website", permissions: ["beats:read", "genres:read"], expires_in_days: null };

async function create(visitor: SignedInVisitor, body: object = creation) {
  const response = await makeKey(visitor, body);
  expect(response.statusCode, response.body).toBe(201);
  return response.json() as { id: number; key: string; ends_with: string };
}

const audit = async (visitor: SignedInVisitor) =>
  ((await visitor.get("/audit")).json().entries as { action: string; subject: string }[]).map(
    ({ action, subject }) => ({
      action,
      subject,
    }),
  );

const call = (key: string, path = "/v1/genres") => portal.api.get(path, { key });

describe("POST /keys", () => {
  test("201 creates a key that works, shows it only once, and writes an entry in the owner's log", async () => {
    const { id, key, ends_with } = await create(ada);
    expect((await call(key)).statusCode).toBe(200);
    const listed = await ada.get("/keys");
    expect(listed.body).not.toContain(key);
    expect(listed.json().keys[0]).toMatchObject({ id, name: "Website", plan: "standard", state: "active" });
    expect((await audit(ada))[0]).toEqual({
      action: "api_key.created",
      subject: `API key ${id} (Website, …${ends_with})`,
    });
  });

  test("201 sets the expiry after the requested number of days", async () => {
    const { id } = await create(ada, { ...creation, expires_in_days: 30 });
    const [key] = (await ada.get("/keys")).json().keys.filter((key: { id: number }) => key.id === id);
    expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBe(30 * 86_400_000);
  });

  test.each([
    [{ ...creation, name: " " }, "name"],
    [{ ...creation, permissions: [] }, "permissions"],
    [{ ...creation, permissions: ["beats:delete"] }, "permissions"],
    [{ ...creation, permissions: ["beats:read", "beats:read"] }, "permissions"],
    [{ ...creation, permissions: "beats:read" }, "permissions"],
    [{ ...creation, expires_in_days: 0 }, "expires_in_days"],
    [{ ...creation, expires_in_days: 4000 }, "expires_in_days"],
    [{ ...creation, plan: "internal" }, "plan"],
  ])("400 for %j, which names %s", async (body, field) => {
    const response = await makeKey(ada, body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(field);
  });

  test("401 without a session, 403 from another site, 413 above 100 kB, 415 for a body that is not JSON", async () => {
    expect((await portal.visitor().send("POST", "/keys", creation)).statusCode).toBe(401);
    expect((await ada.send("POST", "/keys", creation, { origin: "https://evil.example" })).statusCode).toBe(403);
    expect((await ada.send("POST", "/keys", { ...creation, name: "x".repeat(100_000) })).statusCode).toBe(413);
    expect((await ada.send("POST", "/keys", creation, { "content-type": "text/plain" })).statusCode).toBe(415);
  });

  test("409 for an eleventh active key", async () => {
    const crowd = await portal.signUp("crowd@example.com");
    for (let count = 0; count < 5; count++) await create(crowd);
    await nextDay();
    for (let count = 0; count < 5; count++) await create(crowd);
    const refusal = await makeKey(crowd, creation);
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toContain("Revoke one first");
  });

  test("429 for more than ten new keys a day, also by rotation", async () => {
    const hasty = await portal.signUp("hasty@example.com");
    let { id } = await create(hasty);
    for (let count = 1; count < 10; count++) ({ id } = (await rotateKey(hasty, id, 0)).json());
    const refusal = await makeKey(hasty, creation);
    expect(refusal.statusCode).toBe(429);
    expect(Number(refusal.headers["retry-after"])).toBeGreaterThan(0);
    expect((await rotateKey(hasty, id, 0)).statusCode).toBe(429);
    await nextDay();
    await create(hasty);
  });
});

describe("a proposed key", () => {
  let bob: SignedInVisitor;
  beforeAll(async () => {
    bob = await portal.signUp("bob@example.com");
  });
  const propose = async (visitor: SignedInVisitor) => {
    const response = await visitor.send("POST", "/keys/proposals");
    expect(response.statusCode).toBe(201);
    return response.json() as { key: string; proof: string };
  };

  test("does not work until its owner creates it, and is created once, even if the request is repeated", async () => {
    await nextDay();
    const proposed = await propose(bob);
    expect((await bob.get("/keys")).json().keys).toEqual([]);
    expect((await call(proposed.key)).statusCode).toBe(401);
    const created = await create(bob, { ...creation, proposed });
    const again = await create(bob, { ...creation, proposed });
    expect(created.key).toBe(proposed.key);
    expect(again).toEqual(created);
    // The look-up of the invalid key is cached for half a second.
    clock.advance(500);
    expect((await call(proposed.key)).statusCode).toBe(200);
    expect((await audit(bob)).filter(({ action }) => action === "api_key.created")).toHaveLength(1);
  });

  test("is required for every new key: 400 without a proposal", async () => {
    const { id } = await create(bob);
    for (const [path, body] of [
      ["/keys", creation],
      [`/keys/${id}/rotate`, { overlap_hours: 0 }],
    ] as const) {
      const refusal = await bob.send("POST", path, body);
      expect(refusal.statusCode).toBe(400);
      expect(refusal.json().error.details).toBe("The proposed field is required.");
    }
  });

  test("replaces another key as soon as its owner creates it, and only once", async () => {
    await nextDay();
    const { id, key } = await create(bob);
    const proposed = await propose(bob);
    expect((await call(key)).statusCode).toBe(200);
    const rotate = () => bob.send("POST", `/keys/${id}/rotate`, { overlap_hours: 0, proposed });
    const [first, again] = [await rotate(), await rotate()];
    expect(first.statusCode).toBe(201);
    expect(again.json()).toEqual(first.json());
    expect(first.json().key).toBe(proposed.key);
  });

  test("400 for a proposal of another account or day, with another key, or with an invented proof", async () => {
    await nextDay();
    const proposed = await propose(bob);
    const other = await propose(bob);
    const expectRefusal = async (visitor: SignedInVisitor, fields: object) => {
      const response = await visitor.send("POST", "/keys", { ...creation, proposed: fields });
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toContain("proposed");
      expect(response.body).not.toContain(proposed.key);
    };
    await expectRefusal(eve, proposed);
    await expectRefusal(bob, { ...proposed, key: other.key });
    await expectRefusal(bob, { ...proposed, key: `bm_${"A".repeat(46)}` });
    await expectRefusal(bob, { ...proposed, proof: "" });
    for (const missing of [{}, { key: proposed.key }, { proof: proposed.proof }, [], null])
      await expectRefusal(bob, missing as object);
    await expectRefusal(bob, { ...proposed, proof: proposed.proof.replace(/^\d+/, "9999999999") });
    await nextDay();
    await expectRefusal(bob, proposed);
  });
});

describe("GET /keys", () => {
  test("200 shows the permissions that admitted calls used, without those of refused calls", async () => {
    await nextDay();
    const { id, key } = await create(ada);
    await call(key, "/v1/genres");
    await call(key, "/v1/orders");
    const usedPermissions = async () =>
      (await ada.get("/keys")).json().keys.find((key: { id: number }) => key.id === id).permissions_used;
    await until(async () => (await usedPermissions()).length > 0);
    expect(await usedPermissions()).toEqual(["genres:read"]);
  });

  test("200 shows no keys of another account", async () => {
    await nextDay();
    await create(ada);
    expect((await eve.get("/keys")).json().keys).toEqual([]);
    expect((await eve.get("/keys/limits")).json().keys).toEqual([]);
  });

  test("401 without a session, like the limits and the use of keys, the log and the home page", async () => {
    for (const path of ["/keys", "/keys/limits", "/keys/1/use", "/audit", "/home"])
      expect((await portal.visitor().get(path)).statusCode).toBe(401);
  });

  test("400 for an unknown parameter", async () => {
    expect((await ada.get("/keys?state=active")).statusCode).toBe(400);
  });
});

describe("GET /keys/limits", () => {
  test("200 shows the limits in use, and reading them does not count", async () => {
    await nextDay();
    const { id, key } = await create(ada);
    const windows = async () =>
      (await ada.get("/keys/limits")).json().keys.find((key: { id: number }) => key.id === id).windows;
    await call(key);
    await call(key);
    await windows();
    expect(await windows()).toEqual([
      { name: "minute", limit: 10, remaining: 8, resets_in_seconds: 60 },
      { name: "hour", limit: 100, remaining: 98, resets_in_seconds: 3_600 },
      { name: "day", limit: 1_000, remaining: 998, resets_in_seconds: 86_400 },
    ]);
  });
});

describe("POST /keys/:key_id/rotate", () => {
  test("201 creates a key with the same permissions, while the old one works until the overlap ends", async () => {
    await nextDay();
    const { id, key, ends_with } = await create(ada);
    const response = await rotateKey(ada, id, 24);
    expect(response.statusCode).toBe(201);
    const rotated = response.json();
    expect(rotated).toMatchObject({ name: "Website", permissions: creation.permissions });
    expect(Date.parse(rotated.replaced_expires_at)).toBe(clock.nowMs() + 86_400_000);
    expect((await call(rotated.key)).statusCode).toBe(200);
    expect((await call(key)).statusCode).toBe(200);
    await nextDay();
    expect((await call(key)).statusCode).toBe(401);
    expect((await audit(ada))[0]).toEqual({
      action: "api_key.rotated",
      subject: `API key ${id} (Website, …${ends_with})`,
    });
  });

  test("400 for an overlap above 30 days, 404 for another account's key, 409 for a revoked one", async () => {
    await nextDay();
    const { id } = await create(ada);
    expect((await rotateKey(ada, id, 721)).statusCode).toBe(400);
    expect((await ada.send("POST", `/keys/${id}/rotate`, {})).statusCode).toBe(400);
    expect((await rotateKey(eve, id, 0)).statusCode).toBe(404);
    expect((await rotateKey(ada, 999_999, 0)).statusCode).toBe(404);
    await ada.send("POST", `/keys/${id}/revoke`);
    expect((await rotateKey(ada, id, 0)).statusCode).toBe(409);
  });
});

describe("GET /keys/:key_id/use", () => {
  test("200 shows the operations and the clients of the last seven days", async () => {
    await nextDay();
    const { id, key } = await create(ada);
    await portal.api.get("/v1/genres", { key, headers: { "user-agent": "shop/1.0" } });
    await portal.api.get("/v1/orders", { key, headers: { "user-agent": "<img src=x onerror=alert(1)>" } });
    const use = async () => (await ada.get(`/keys/${id}/use`)).json();
    await until(async () => (await use()).clients.length === 2);
    expect((await use()).operations.toSorted()).toEqual(
      expect.arrayContaining([
        { operation: "listGenres", calls: 1, refused: 0 },
        { operation: "listOrders", calls: 1, refused: 1 },
      ]),
    );
    expect((await use()).clients).toContainEqual(expect.objectContaining({ user_agent: "shop/1.0", calls: 1 }));
    for (let day = 0; day < 8; day++) await nextDay();
    expect(await use()).toEqual({ operations: [], clients: [], clients_are_partial: false });
  });

  test("400 for an invalid id, 404 for another account's key", async () => {
    await nextDay();
    const { id } = await create(ada);
    expect((await ada.get("/keys/mine/use")).statusCode).toBe(400);
    expect((await eve.get(`/keys/${id}/use`)).statusCode).toBe(404);
  });
});

describe("POST /keys/:key_id/revoke", () => {
  test("200 stops the key permanently", async () => {
    await nextDay();
    const { id, key } = await create(ada);
    expect((await ada.send("POST", `/keys/${id}/revoke`)).json()).toMatchObject({ id, state: "revoked" });
    clock.advance(1_000);
    expect((await call(key)).statusCode).toBe(401);
    const entries = (await audit(ada)).length;
    expect((await ada.send("POST", `/keys/${id}/revoke`)).statusCode).toBe(200);
    expect(await audit(ada)).toHaveLength(entries);
  });

  test("404 for another account's key, which continues to work", async () => {
    await nextDay();
    const { id, key } = await create(ada);
    expect((await eve.send("POST", `/keys/${id}/revoke`)).statusCode).toBe(404);
    clock.advance(1_000);
    expect((await call(key)).statusCode).toBe(200);
  });
});

describe("GET /audit", () => {
  test("200 shows only the account's entries, page by page, including the operator's actions", async () => {
    await nextDay();
    await portal.api.makeKey({ email: "ada@example.com" });
    const [newest] = (await ada.get("/audit")).json().entries;
    expect(newest).toMatchObject({ action: "api_key.created", what: "API key created", by: "operator" });
    expect((await ada.get(`/audit?before=${newest.id}`)).json().entries[0].id).toBeLessThan(newest.id);
    const others = (await audit(eve)).filter(({ action }) => !action.startsWith("account."));
    expect(others).toEqual([]);
  });

  test("400 for an invalid position", async () => {
    expect((await ada.get("/audit?before=soon")).statusCode).toBe(400);
  });
});
