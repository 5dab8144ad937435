import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import type { TestDatabase } from "../../../test/harness/database/driver.ts";
import { permissions } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import { createAccount } from "../users/accounts.ts";
import { isWellFormed, sha256 } from "./key-format.ts";
import {
  createKey,
  findKeyBySha256,
  type KeyRequest,
  listKeys,
  markKeysUsed,
  maxActiveKeys,
  revokeKey,
  rotateKey,
} from "./queries.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let database: TestDatabase;
let db: Queryable;
let clock: FakeClock;
let userId: number;
let accounts = 0;

beforeAll(async () => {
  database = await testDatabase();
  db = database.query;
});

beforeEach(async () => {
  clock = new FakeClock();
  userId = (await createAccount(db, { email: `owner-${++accounts}@example.com` })).id;
});

const request = (change: Partial<KeyRequest> = {}): KeyRequest => ({
  userId,
  name: "Test key",
  plan: "standard",
  permissions: ["beats:read"],
  expiresAt: null,
  ...change,
});

const create = (change: Partial<KeyRequest> = {}) => createKey(db, request(change), clock.now());
const status = (error: unknown): unknown => (error as { status?: unknown }).status;

describe("creating a key", () => {
  test("returns the key, of which only the SHA-256 and the last four characters are stored", async () => {
    const newKey = await create({ plan: "plus", permissions: ["search:read", "beats:read", "search:read"] });
    expect(isWellFormed(newKey.key)).toBe(true);
    expect(newKey).toMatchObject({ userId, name: "Test key", plan: "plus", endsWith: newKey.key.slice(-4) });
    expect(newKey.permissions).toEqual(["beats:read", "search:read"]);

    const { key, ...shown } = newKey;
    expect(await findKeyBySha256(db, sha256(key))).toEqual(shown);
    const [row] = await database.driver`select to_jsonb(api_keys)::text as text from api_keys where id = ${newKey.id}`;
    expect(row?.text).not.toContain(key.slice(3, 43));
  });

  test.each<[string, Partial<KeyRequest>, string]>([
    ["no name", { name: "  " }, "name"],
    ["a name beyond 100 characters", { name: "x".repeat(101) }, "name"],
    ["no permissions", { permissions: [] }, "at least one permission"],
    ["an expiry that is past", { expiresAt: new Date(0) }, "future"],
  ])("is refused with %s", async (_, change, words) => {
    const error = await create(change).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400, details: expect.stringContaining(words) });
  });

  test("is 404 for an unknown user", async () => {
    expect(status(await create({ userId: 987_654 }).catch((error: unknown) => error))).toBe(404);
  });

  test("an account gets at most ten active keys, even under concurrent requests", async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => create()));
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refusals).toHaveLength(20 - maxActiveKeys);
    for (const refusal of refusals) expect(status(refusal)).toBe(409);
    expect(await listKeys(db, { ownerId: userId }, { limit: 100 })).toHaveLength(maxActiveKeys);
  });

  test("counts only active keys against the limit", async () => {
    const keys = [];
    for (let i = 0; i < maxActiveKeys; i++)
      keys.push(await create(i === 0 ? { expiresAt: new Date(clock.nowMs() + hourMs) } : {}));
    await expect(create()).rejects.toMatchObject({ status: 409 });
    clock.advance(hourMs);
    await create();
    await expect(create()).rejects.toMatchObject({ status: 409 });
    await revokeKey(db, keys[5]?.id ?? 0, "operator", clock.now());
    await create();
  });
});

describe("listing keys", () => {
  test("shows owners their own and the operator all, newest first, in pages", async () => {
    const first = await create();
    const second = await create();
    const other = await createAccount(db, { email: `other-${accounts}@example.com` });
    const foreign = await create({ userId: other.id });

    const ownKeys = await listKeys(db, { ownerId: userId }, { limit: 10 });
    expect(ownKeys.map((key) => key.id)).toEqual([second.id, first.id]);
    const olderKeys = await listKeys(db, { ownerId: userId }, { limit: 10, beforeId: second.id });
    expect(olderKeys.map((key) => key.id)).toEqual([first.id]);
    const [newest] = await listKeys(db, "operator", { limit: 1 });
    expect(newest).toMatchObject({ id: foreign.id, email: other.email });
  });
});

describe("revoking a key", () => {
  test("is final; a second revocation keeps the first time stamp", async () => {
    const { id } = await create();
    const revokedAt = clock.now();
    expect(await revokeKey(db, id, { ownerId: userId }, revokedAt)).toMatchObject({ id, revokedAt });
    clock.advance(hourMs);
    expect(await revokeKey(db, id, "operator", clock.now())).toMatchObject({ revokedAt });
  });

  test("of another account's key returns the 404 of an unknown key", async () => {
    const { id, key } = await create();
    const error = await revokeKey(db, id, { ownerId: userId + 1 }, clock.now()).catch((thrown: unknown) => thrown);
    const missing = await revokeKey(db, 987_654, { ownerId: userId }, clock.now()).catch((thrown: unknown) => thrown);
    expect([status(error), status(missing)]).toEqual([404, 404]);
    expect((await findKeyBySha256(db, sha256(key)))?.revokedAt).toBeNull();
  });
});

describe("rotating a key", () => {
  test("issues a key with the same settings; the old key works until the overlap ends", async () => {
    const old = await create({ name: "Shop", plan: "partner", permissions: ["orders:read", "orders:write"] });
    clock.advance(hourMs);
    const fresh = await rotateKey(db, old.id, { ownerId: userId }, dayMs, clock.now());
    expect(fresh).toMatchObject({
      name: "Shop",
      plan: "partner",
      permissions: old.permissions,
      expiresAt: null,
      userId,
    });
    expect(fresh.key).not.toBe(old.key);
    const end = new Date(clock.nowMs() + dayMs);
    expect(fresh.replacedExpiresAt).toEqual(end);
    expect((await findKeyBySha256(db, sha256(old.key)))?.expiresAt).toEqual(end);
  });

  test("gives the new key the lifetime of the old one, and never extends the old one", async () => {
    const old = await create({ expiresAt: new Date(clock.nowMs() + 10 * hourMs) });
    clock.advance(4 * hourMs);
    const fresh = await rotateKey(db, old.id, "operator", dayMs, clock.now());
    expect(fresh.replacedExpiresAt).toEqual(old.expiresAt);
    expect(fresh.expiresAt).toEqual(new Date(clock.nowMs() + 10 * hourMs));
  });

  test("is refused a second time, so the overlap keeps its end; a repeated proposed key is returned", async () => {
    const old = await create();
    const fresh = await rotateKey(db, old.id, "operator", dayMs, clock.now());
    for (const overlapMs of [0, hourMs, 2 * dayMs])
      await expect(rotateKey(db, old.id, { ownerId: userId }, overlapMs, clock.now())).rejects.toMatchObject({
        status: 409,
        details: expect.stringContaining(`API key ${fresh.id} replaces it`),
      });
    const end = fresh.replacedExpiresAt;
    expect((await findKeyBySha256(db, sha256(old.key)))?.expiresAt).toEqual(end);
    const next = await rotateKey(db, fresh.id, "operator", hourMs, clock.now());
    expect(next.expiresAt).toBeNull();
    expect((await findKeyBySha256(db, sha256(old.key)))?.expiresAt).toEqual(end);
    // A proposed key that is sent again is created once.
    const again = { key: next.key };
    expect((await rotateKey(db, fresh.id, "operator", hourMs, clock.now(), again)).id).toBe(next.id);
  });

  test("with ten active keys needs an overlap of 0", async () => {
    const keys = [];
    for (let i = 0; i < maxActiveKeys; i++) keys.push(await create());
    const id = keys[0]?.id ?? 0;
    await expect(rotateKey(db, id, "operator", dayMs, clock.now())).rejects.toMatchObject({ status: 409 });
    // The rejected rotation left the old key unchanged.
    expect((await listKeys(db, { ownerId: userId }, { limit: 20 })).every((key) => key.expiresAt === null)).toBe(true);
    await rotateKey(db, id, "operator", 0, clock.now());
  });

  test("is rejected for a revoked, expired or foreign key, and for an overlap outside 0 to 30 days", async () => {
    const revoked = await create();
    await revokeKey(db, revoked.id, "operator", clock.now());
    const expired = await create({ expiresAt: new Date(clock.nowMs() + hourMs) });
    const good = await create();
    clock.advance(hourMs);
    const rotate = (keyId: number, ownerId: number, overlapMs: number) =>
      rotateKey(db, keyId, { ownerId }, overlapMs, clock.now()).then(() => null, status);
    expect(await rotate(revoked.id, userId, 0)).toBe(409);
    expect(await rotate(expired.id, userId, 0)).toBe(409);
    expect(await rotate(good.id, userId + 1, 0)).toBe(404);
    expect(await rotate(good.id, userId, 30 * dayMs + 1)).toBe(400);
    expect(await rotate(good.id, userId, -1)).toBe(400);
    expect(await rotate(good.id, userId, Number.NaN)).toBe(400);
    expect(await rotate(good.id, userId, 30 * dayMs)).toBeNull();
  });
});

test("marking keys as used skips those that another instance is marking", async () => {
  const [busy, free] = [await create(), await create()];
  const earlier = clock.now();
  await db.transaction().execute(async (other) => {
    await markKeysUsed(other, [busy.id], earlier);
    clock.advance(1_000);
    await markKeysUsed(db, [busy.id, free.id], clock.now());
  });
  expect((await findKeyBySha256(db, sha256(busy.key)))?.lastUsedAt).toEqual(earlier);
  expect((await findKeyBySha256(db, sha256(free.key)))?.lastUsedAt).toEqual(clock.now());
});

test("a key may have every permission", async () => {
  expect((await create({ permissions })).permissions).toEqual([...permissions]);
});
