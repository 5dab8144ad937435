import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import type { Queryable } from "../../database/connect.ts";
import { createAccount } from "../users/accounts.ts";
import { CallerCache, type CallerCacheOptions } from "./caller-cache.ts";
import { generateKey, sha256 } from "./key-format.ts";
import { createKey, findKeyBySha256, type KeyRequest, revokeKey } from "./queries.ts";

let db: Queryable;
let counted: Queryable;
let statements = 0;
let clock: FakeClock;
let userId: number;
let accounts = 0;

beforeAll(async () => {
  db = (await testDatabase()).query;
  counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
});

beforeEach(async () => {
  clock = new FakeClock();
  userId = (await createAccount(db, { email: `caller-${++accounts}@example.com` })).id;
  statements = 0;
});

function cache(options: CallerCacheOptions & { db?: Queryable; warn?: () => void } = {}): CallerCache {
  const callers = new CallerCache(options.db ?? counted, clock, { warn: options.warn ?? (() => {}) }, options);
  onTestFinished(() => callers.close());
  return callers;
}

const create = (change: Partial<KeyRequest> = {}) =>
  createKey(
    db,
    { userId, name: "Test", plan: "plus", permissions: ["beats:read"], expiresAt: null, ...change },
    clock.now(),
  );

describe("finding a caller", () => {
  test("returns the account, plan and permissions", async () => {
    const { key, id } = await create({ permissions: ["orders:read", "orders:write"] });
    expect(await cache().find(key)).toEqual({
      keyId: id,
      userId,
      plan: "plus",
      permissions: new Set(["orders:read", "orders:write"]),
    });
  });

  test("rejects a malformed key without a query", async () => {
    const callers = cache();
    const { key } = await create();
    const typo = `${key.slice(0, 20)}${key[20] === "a" ? "b" : "a"}${key.slice(21)}`;
    for (const wrong of ["", "bm_", typo, "x".repeat(100_000)]) expect(callers.find(wrong)).toBeNull();
    expect(statements).toBe(0);
    expect(callers.size).toBe(0);
  });

  test("rejects a key that was never issued", async () => {
    expect(await cache().find(generateKey())).toBeNull();
    expect(statements).toBe(1);
  });

  test("returns synchronously for half a second, then queries again", async () => {
    const callers = cache();
    const { key } = await create();
    await callers.find(key);
    clock.advance(499);
    expect(callers.find(key)).toMatchObject({ userId });
    expect(statements).toBe(1);
    clock.advance(1);
    expect(await callers.find(key)).toMatchObject({ userId });
    expect(statements).toBe(2);
  });

  test("a hundred concurrent requests with one key cost one query", async () => {
    const callers = cache();
    const { key } = await create();
    const results = await Promise.all(Array.from({ length: 100 }, () => callers.find(key)));
    expect(new Set(results.map((caller) => caller?.userId))).toEqual(new Set([userId]));
    expect(statements).toBe(1);
  });

  test("rejects while the database is unreachable, and recovers", async () => {
    const { key } = await create();
    let isBroken = true;
    const callers = cache({
      db: db.withPlugin({
        transformQuery: ({ node }) => {
          if (isBroken) throw new Error("connection refused");
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    });
    await expect(callers.find(key)).rejects.toThrow("connection refused");
    isBroken = false;
    expect(await callers.find(key)).toMatchObject({ userId });
  });

  test("rejects a key whose plan this release does not know, but no other key of the batch", async () => {
    const [known, unknown] = [await create(), await create()];
    const callers = cache({
      db: counted.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => ({
          ...result,
          rows: result.rows.map((row) => (row.id === unknown.id ? { ...row, plan: "galactic" } : row)),
        }),
      }),
    });
    const [good, bad] = await Promise.allSettled([callers.find(known.key), callers.find(unknown.key)]);
    expect(good).toMatchObject({ value: { userId } });
    expect(bad).toMatchObject({ reason: { message: expect.stringContaining("galactic") } });
  });
});

describe("a key that is no longer valid", () => {
  test("is rejected within a second after another instance revokes it, even under constant use", async () => {
    const instances = [cache(), cache()];
    const { key, id } = await create();
    for (const callers of instances) expect(await callers.find(key)).not.toBeNull();
    clock.advance(250);
    await revokeKey(db, id, "operator", clock.now());
    for (let ms = 0; ms < 900; ms += 50) {
      clock.advance(50);
      for (const callers of instances) await callers.find(key);
    }
    for (const callers of instances) expect(await callers.find(key)).toBeNull();
  });

  test("a slow query sent before the revocation does not serve later requests", async () => {
    const { key, id } = await create();
    // The first query has run, but its result is delayed.
    let deliver = () => {};
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    let results = 0;
    let read = () => {};
    const wasRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const callers = cache({
      db: db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (++results === 1) {
            read();
            await delivered;
          }
          return result;
        },
      }),
    });
    const early = callers.find(key);
    await wasRead;
    await revokeKey(db, id, "operator", clock.now());
    clock.advance(500);
    expect(await callers.find(key)).toBeNull();
    deliver();
    await early;
    expect(await callers.find(key)).toBeNull();
  });

  test("is rejected as soon as it expires", async () => {
    const callers = cache();
    const { key } = await create({ expiresAt: new Date(clock.nowMs() + 300) });
    expect(await callers.find(key)).not.toBeNull();
    clock.advance(299);
    expect(callers.find(key)).not.toBeNull();
    clock.advance(1);
    expect(callers.find(key)).toBeNull();
    expect(await cache().find(key)).toBeNull();
  });
});

describe("a flood of invalid keys", () => {
  test("costs one query for a repeated key", async () => {
    const callers = cache();
    const unknown = generateKey();
    for (let i = 0; i < 50; i++) expect(await callers.find(unknown)).toBeNull();
    expect(statements).toBe(1);
  });

  test("stays within the cache's size and evicts no valid key, even an idle one", async () => {
    const callers = cache({ maxBadKeys: 50 });
    const { key } = await create();
    await callers.find(key);
    statements = 0;
    for (let i = 0; i < 300; i++) await callers.find(generateKey());
    expect(callers.size).toBe(51);
    expect(statements).toBe(300);
    expect(callers.find(key)).toMatchObject({ userId });
  });

  test("that arrives together costs one statement for each 500 keys, and valid keys among them are found", async () => {
    const callers = cache();
    const { key } = await create();
    const keys = [...Array.from({ length: 999 }, () => generateKey()), key];
    const results = await Promise.all(keys.map((key) => callers.find(key)));
    expect(results.slice(0, -1).every((caller) => caller === null)).toBe(true);
    expect(results.at(-1)).toMatchObject({ userId });
    expect(statements).toBe(2);
  });

  test("does not block a valid key while a statement gets no reply", async () => {
    const { key } = await create();
    let resultCount = 0;
    const callers = cache({
      db: counted.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: ({ result }) => (++resultCount === 1 ? new Promise<never>(() => {}) : Promise.resolve(result)),
      }),
    });
    void callers.find(generateKey());
    await expect.poll(() => resultCount).toBe(1);
    expect(await callers.find(key)).toMatchObject({ userId });
  });
});

describe("a network that is throttled for invalid keys", () => {
  const throttled = { clientAddress: "192.0.2.1" };
  const calm = { clientAddress: "192.0.2.2" };
  const isThrottled = (address: string) => address === throttled.clientAddress;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("causes one statement in 50 milliseconds, however many unknown keys it sends", async () => {
    const callers = cache({ isThrottled });
    for (let round = 1; round <= 5; round++) {
      const sent = [];
      for (let ms = 0; ms < 49; ms++) {
        sent.push(callers.find(generateKey(), throttled), callers.find(generateKey(), throttled));
        await vi.advanceTimersByTimeAsync(1);
      }
      expect(statements).toBe(round - 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await Promise.all(sent)).toEqual(Array(98).fill(null));
      expect(statements).toBe(round);
    }
  });

  test("can use a key that another instance has just made", async () => {
    const callers = cache({ isThrottled });
    const { key } = await create();
    const results = callers.find(key, throttled);
    await vi.advanceTimersByTimeAsync(50);
    expect(await results).toMatchObject({ userId });
  });

  test("delays neither a key that was valid before nor other networks", async () => {
    const callers = cache({ isThrottled });
    const [used, fresh] = [await create(), await create()];
    await callers.find(used.key, calm);
    clock.advance(500);
    const waiting = callers.find(generateKey(), throttled);
    expect(await callers.find(used.key, throttled)).toMatchObject({ userId });
    expect(await callers.find(fresh.key, calm)).toMatchObject({ userId });
    await vi.advanceTimersByTimeAsync(50);
    expect(await waiting).toBeNull();
  });
});

describe("last used", () => {
  const lastUsedAt = async (key: string) => (await findKeyBySha256(db, sha256(key)))?.lastUsedAt;

  test("is written outside the request, once a minute by all instances together", async () => {
    const [one, other] = [cache(), cache()];
    const { key } = await create();
    await one.find(key);
    expect(await lastUsedAt(key)).toBeNull();
    await one.flush();
    const first = clock.now();
    expect(await lastUsedAt(key)).toEqual(first);

    for (let second = 1; second < 60; second++) {
      clock.advance(1_000);
      for (const callers of [one, other]) {
        await callers.find(key);
        await callers.flush();
      }
    }
    expect(await lastUsedAt(key)).toEqual(first);
    clock.advance(1_000);
    await other.find(key);
    await other.flush();
    expect(await lastUsedAt(key)).toEqual(clock.now());
  });

  test("is written on close, and never for a rejected key", async () => {
    const callers = cache();
    const [used, revoked] = [await create(), await create()];
    await revokeKey(db, revoked.id, "operator", clock.now());
    await callers.find(used.key);
    await callers.find(revoked.key);
    await callers.close();
    expect(await lastUsedAt(used.key)).toEqual(clock.now());
    expect(await lastUsedAt(revoked.key)).toBeNull();
  });

  test("is retried after a failed write", async () => {
    const { key } = await create();
    let isBroken = false;
    let warnings = 0;
    const callers = cache({
      warn: () => warnings++,
      db: db.withPlugin({
        transformQuery: ({ node }) => {
          if (isBroken) throw new Error("connection refused");
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    });
    await callers.find(key);
    isBroken = true;
    await callers.flush();
    expect(warnings).toBe(1);
    isBroken = false;
    await callers.flush();
    expect(await lastUsedAt(key)).toEqual(clock.now());
  });
});
