import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openTestDatabase, testDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { permissions } from "../access/roles.ts";
import { sha256 } from "../resources/api-keys/key-format.ts";
import { findKeyBySha256, revokeKey } from "../resources/api-keys/queries.ts";
import { createAccount, findAccount } from "../resources/users/accounts.ts";
import { demoEmail, ensureDemo } from "./seed.ts";

const nowMs = Date.parse("2026-03-01T12:34:56.789Z");
const clock = { nowMs: () => nowMs, monotonicMs: () => 0 };
const folders: string[] = [];

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "beatmarket-demo-"));
  folders.push(path);
  return path;
}

// One database for all tests that do not need an empty one. Each test has its own data folder, and so its own key.
const database = await testDatabase();
let dataDir = "";
const ensure = (on = database, where = dataDir) => ensureDemo(on, { dataDir: where, clock, log: () => {} });

beforeEach(async () => {
  dataDir = await folder();
});
afterAll(async () => {
  for (const path of folders) await rm(path, { recursive: true });
});

const counts = async ({ query } = database) => {
  const count = async (table: "beats" | "users" | "genres" | "api_keys"): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(query);
    return rows[0]?.n ?? -1;
  };
  return {
    beats: await count("beats"),
    users: await count("users"),
    genres: await count("genres"),
    keys: await count("api_keys"),
  };
};
const noRows = { beats: 0, users: 0, genres: 0, keys: 0 };
const everything = { beats: 500, users: 41, genres: 20, keys: 1 };
const findStoredKey = async (key: string) => {
  const match = await findKeyBySha256(database.query, sha256(key));
  if (match === null) throw new Error("The key is not in the database.");
  return match;
};
const keyFile = () => join(dataDir, "demo-key");

test("an empty database gets the catalogue, an account and a key of plan plus with all permissions", async () => {
  const demo = await ensure();
  expect(await counts()).toEqual(everything);
  const account = await findAccount(database.query, demoEmail);
  expect(await findStoredKey(demo?.key ?? "")).toMatchObject({
    userId: account?.id,
    plan: "plus",
    permissions: [...permissions],
    expiresAt: null,
    revokedAt: null,
  });
  const { is_producer } = await database.query
    .selectFrom("users")
    .select("is_producer")
    .where("email", "=", demoEmail)
    .executeTakeFirstOrThrow();
  expect(is_producer).toBe(false);
});

test("only the owner can read the file with the key", async () => {
  const demo = await ensure();
  expect(await readFile(keyFile(), "utf8")).toBe(`${demo?.key}\n`);
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
});

test("beats have readable keys, are counted by genre and producer, and are inserted in the order of time", async () => {
  await ensure();
  const db = database.query;
  const beats = await db.selectFrom("beats").selectAll().orderBy("id").execute();
  expect(beats.every(({ key, key_code }) => key_code < 24 && /^[A-G]#? (major|minor)$/.test(key))).toBe(true);
  expect(beats.map(({ created_at }) => created_at.getTime())).toEqual(
    beats.map(({ created_at }) => created_at.getTime()).sort((a, b) => a - b),
  );
  expect(beats.every(({ created_at }) => created_at.getTime() <= nowMs)).toBe(true);
  const genres = await db.selectFrom("genres").selectAll().execute();
  expect(genres.reduce((total, { beats_count }) => total + beats_count, 0)).toBe(500);
  expect(genres.map(({ slug }) => slug)).toEqual(expect.arrayContaining(["trap", "drum-and-bass", "r-and-b", "lo-fi"]));
  const producers = await db.selectFrom("producer_counts").selectAll().execute();
  expect(producers.reduce((total, { beats_count }) => total + beats_count, 0)).toBe(500);
});

test("a second start changes nothing and returns the same key", async () => {
  const first = await ensure();
  const before = await counts();
  expect(await ensure()).toEqual(first);
  expect(await counts()).toEqual(before);
});

test("five instances that start at once on one database get one catalogue", async () => {
  const url = await testDatabaseUrl();
  const instances = Array.from({ length: 5 }, () => openTestDatabase(url));
  const keys = await Promise.all(instances.map((instance) => ensure(instance)));
  expect(await counts(instances[0])).toEqual(everything);
  expect(new Set(keys.map((demo) => demo?.key)).size).toBe(1);
});

test.each([
  ["missing", () => rm(keyFile())],
  ["damaged", () => writeFile(keyFile(), "bm_not-a-key\n")],
  ["empty", () => writeFile(keyFile(), "")],
])("a key file that is %s is made again, and the lost key revoked", async (_, spoil) => {
  const before = await ensure();
  await spoil();
  const after = await ensure();
  expect(after?.key).not.toBe(before?.key);
  expect(await readFile(keyFile(), "utf8")).toBe(`${after?.key}\n`);
  expect((await findStoredKey(before?.key ?? "")).revokedAt).not.toBeNull();
  expect((await findStoredKey(after?.key ?? "")).revokedAt).toBeNull();
});

test("a key that was revoked, or belongs to another database, is replaced", async () => {
  const first = await ensure();
  await revokeKey(database.query, (await findStoredKey(first?.key ?? "")).id, "operator", new Date(nowMs));
  const second = await ensure();
  expect(second?.key).not.toBe(first?.key);

  const third = await ensure(await testDatabase());
  expect(third?.key).not.toBe(second?.key);
  expect(await readFile(keyFile(), "utf8")).toBe(`${third?.key}\n`);
});

test("starts without a permanent data folder never reach the limit of keys", async () => {
  for (let start = 0; start < 15; start++) expect(await ensure(database, await folder())).not.toBeNull();
});

test("the next start creates the account that an interrupted start did not create", async () => {
  await ensure();
  await database.query.updateTable("users").set({ email: null }).where("email", "=", demoEmail).execute();
  const demo = await ensure();
  const account = await findAccount(database.query, demoEmail);
  expect((await findStoredKey(demo?.key ?? "")).userId).toBe(account?.id);
});

test("a database with other content stays unchanged, and gets no key", async () => {
  const other = await testDatabase();
  await createAccount(other.query, { email: "someone@example.com" });
  expect(await ensure(other)).toBeNull();
  expect(await counts(other)).toEqual({ ...noRows, users: 1 });
  await expect(stat(keyFile())).rejects.toThrow("ENOENT");
});

test("a failed start stores nothing, and the next start succeeds", async () => {
  const other = await testDatabase();
  await other.driver`alter table beats add constraint no_beats check (false)`;
  await expect(ensure(other)).rejects.toThrow("no_beats");
  expect(await counts(other)).toEqual(noRows);
  await other.driver`alter table beats drop constraint no_beats`;
  expect(await ensure(other)).not.toBeNull();
  expect(await counts(other)).toEqual(everything);
});

test("a missing data folder is created", async () => {
  const deep = join(dataDir, "not", "yet");
  const demo = await ensure(database, deep);
  expect(await readFile(join(deep, "demo-key"), "utf8")).toBe(`${demo?.key}\n`);
});

test("the error names the place where the key cannot be stored", async () => {
  await writeFile(join(dataDir, "file"), "");
  await expect(ensure(database, join(dataDir, "file"))).rejects.toThrow(/demo key in .*file.demo-key/);
});

test("with trade, the demo account has orders and sales; all are in the ledger, and one order and one sale are refunded", async () => {
  const empty = openTestDatabase(await testDatabaseUrl());
  const trade = {
    currency: "USD",
    commissionBasisPoints: 0,
    seller: null,
    publicUrl: "https://localhost:8443",
    termsVersion: "2026-11-26",
    logger: pino({ level: "silent" }),
  };
  await ensureDemo(empty, { dataDir, clock, trade, log: () => {} });
  const account = await findAccount(empty.query, demoEmail);
  const orders = await empty.query.selectFrom("orders").selectAll().orderBy("id").execute();
  const purchases = orders.filter(({ user_id }) => user_id === account?.id);
  const sales = orders.filter(({ producer_id }) => producer_id === account?.id);
  expect([purchases.length, sales.length, orders.length]).toEqual([5, 5, 10]);
  expect(purchases.map(({ status }) => status).sort()).toEqual([
    "completed",
    "completed",
    "completed",
    "completed",
    "failed",
  ]);
  for (const each of [purchases, sales])
    expect(each.filter(({ amount_cents, refunded_cents }) => amount_cents === refunded_cents)).toHaveLength(1);
  const { rows } = await sql<{ balance: number }>`
    select -sum(amount_cents)::bigint as balance from ledger_entries where account = ${`liabilities:producers:${account?.id}`}`.execute(
    empty.query,
  );
  const net = sales.reduce((sum, { amount_cents, refunded_cents }) => sum + amount_cents - refunded_cents, 0);
  expect(rows[0]?.balance).toBe(net);
  // A second start changes nothing.
  await ensureDemo(empty, { dataDir, clock, trade, log: () => {} });
  expect(await empty.query.selectFrom("orders").select("id").execute()).toHaveLength(10);
});
