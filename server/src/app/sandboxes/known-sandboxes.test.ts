import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { addSandbox } from "../../resources/sandboxes/queries.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";
import { KnownSandboxes } from "./known-sandboxes.ts";

const database = await testDatabase();
const [present, absent] = ["0123456789abcdef", "fedcba9876543210"];
const clock = new FakeClock();
const { id: userId } = await findOrCreateAccount(database.query, { email: "ada@example.com", name: "Ada" });
await addSandbox(
  database.query,
  { id: present, user_id: userId, kind: "sandbox", seed: "one", catalogue: "empty" },
  new Date(clock.nowMs()),
);

let statements = 0;
const counted = new Proxy(database.query, {
  get: (db, name) => {
    if (name === "selectFrom") statements++;
    const value = db[name as keyof typeof db];
    return typeof value === "function" ? value.bind(db) : value;
  },
});
beforeEach(() => {
  statements = 0;
});

test("an id that does not exist costs one statement, however many requests send it", async () => {
  const known = new KnownSandboxes(counted, clock);
  expect(await Promise.all([known.find(absent), known.find(absent)])).toEqual([undefined, undefined]);
  for (let request = 0; request < 100; request++) expect(await known.find(absent)).toBeUndefined();
  expect(statements).toBe(1);
});

test("a sandbox is read again after a second, so that a suspension takes effect", async () => {
  const known = new KnownSandboxes(counted, clock);
  for (let request = 0; request < 10; request++)
    expect(await known.find(present)).toMatchObject({ id: present, suspension_reason: null });
  expect(statements).toBe(1);
  await database.driver`update users set suspension_reason = 'Scraping.', suspended_at = now() where id = ${userId}`;
  clock.advance(1_000);
  expect(await known.find(present)).toMatchObject({ suspension_reason: "Scraping." });
  await database.driver`update users set suspension_reason = null, suspended_at = null where id = ${userId}`;
});

test("a sandbox is read again at once after `forget`", async () => {
  const known = new KnownSandboxes(counted, clock);
  await known.find(present);
  known.forget(present);
  await known.find(present);
  expect(statements).toBe(2);
});

test("a statement that failed is not cached", async () => {
  let schema = "nowhere";
  const flaky = {
    selectFrom: (table: "sandboxes") => database.query.withSchema(schema).selectFrom(table),
  } as unknown as typeof database.query;
  const known = new KnownSandboxes(flaky, clock);
  await expect(known.find(present)).rejects.toThrow("nowhere");
  schema = "public";
  expect(await known.find(present)).toMatchObject({ id: present });
});
