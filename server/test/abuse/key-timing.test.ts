import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { beforeEach, expect, test, vi } from "vitest";
import { permissions } from "../../src/access/roles.ts";
import { CallerCache } from "../../src/resources/api-keys/caller-cache.ts";
import { generateKey } from "../../src/resources/api-keys/key-format.ts";
import { createKey, revokeKey } from "../../src/resources/api-keys/queries.ts";
import { findOrCreateAccount } from "../../src/resources/users/accounts.ts";
import { testDatabase } from "../harness/database/database.ts";
import { shift } from "./shift.ts";

// `npm run faults -- --only key-timing` measures the duration of refusals. These tests check the cause: the number of
// hashes and statements.

const hashes = vi.hoisted(() => ({ count: 0 }));
vi.mock(import("../../src/resources/api-keys/key-format.ts"), async (importOriginal) => {
  const original = await importOriginal();
  const sha256 = (key: string) => {
    hashes.count++;
    return original.sha256(key);
  };
  return { ...original, sha256 };
});

const clock = new FakeClock();
const database = await testDatabase();
let statements = 0;
const counting = database.query.withPlugin({
  transformQuery: ({ node }) => {
    statements++;
    return node;
  },
  transformResult: async ({ result }) => result,
});
const callers = new CallerCache(counting, clock, pino({ level: "silent" }));
const { id: userId } = await findOrCreateAccount(database.query, { email: "ada@example.com" });
const newKey = { userId, name: "a", plan: "standard" as const, permissions };
const make = (expiresAt: Date | null) => createKey(database.query, { ...newKey, expiresAt }, clock.now());

beforeEach(() => {
  hashes.count = 0;
  statements = 0;
});

test.each<[string, () => Promise<string>]>([
  ["a key that was never issued", async () => generateKey()],
  [
    "a revoked key",
    async () => {
      const { id, key } = await make(null);
      await revokeKey(database.query, id, { ownerId: userId, author: "operator" }, clock.now());
      return key;
    },
  ],
  [
    "an expired key",
    async () => {
      const { key } = await make(new Date(clock.nowMs() + 1_000));
      clock.advance(1_000);
      return key;
    },
  ],
])("%s costs one hash and one statement, and while it is cached, neither", async (_kind, prepare) => {
  const key = await prepare();
  hashes.count = 0;
  statements = 0;
  expect(await callers.find(key)).toBeNull();
  expect({ hashes: hashes.count, statements }).toEqual({ hashes: 1, statements: 1 });
  expect(await callers.find(key)).toBeNull();
  expect({ hashes: hashes.count, statements }).toEqual({ hashes: 1, statements: 1 });
});

test.each(["", "x", "bm_", `bm_${"0".repeat(46)}`, `${generateKey()}x`, ` ${generateKey()}`, "é".repeat(50)])(
  "%j, which is malformed, costs no hash and no statement: its sender can compute that the checksum is wrong",
  async (key) => {
    expect(await callers.find(key)).toBeNull();
    expect({ hashes: hashes.count, statements }).toEqual({ hashes: 0, statements: 0 });
  },
);

test("the analysis of timing distinguishes a shift from noise", () => {
  const sample = (offset: number, seed: number) =>
    Array.from({ length: 300 }, (_, i) => ((i * 7919 + seed) % 1000) / 1000 + offset);
  expect(shift(sample(0, 1), sample(0, 500))).toBeLessThan(0.2);
  expect(shift(sample(1, 1), sample(0, 500))).toBeGreaterThan(0.5);
});
