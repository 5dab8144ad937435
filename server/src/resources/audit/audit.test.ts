import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import type { Database } from "../../database/connect.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { listAudit, type NewAuditEntry, recordAudit } from "./queries.ts";

const time = new Date("2026-01-01T12:00:00Z");
const author = { clientAddress: "192.0.2.7", userAgent: "Firefox" };

let database: Database;
let ada: number;
let bob: number;
beforeAll(async () => {
  database = await testDatabase();
  ada = (await findOrCreateAccount(database.query, { email: "ada@example.com" })).id;
  bob = (await findOrCreateAccount(database.query, { email: "bob@example.com" })).id;
});

const entry = (overrides: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  userId: ada,
  action: "api_key.created",
  subject: "API key 7",
  author,
  at: time,
  ...overrides,
});

test("an account reads its own entries, newest first, page by page", async () => {
  await recordAudit(database.query, entry());
  await recordAudit(database.query, entry({ userId: bob, subject: "Bob's" }));
  await recordAudit(database.query, entry({ action: "api_key.revoked", author: "operator" }));
  const [newest] = await listAudit(database.query, ada, { limit: 1 });
  expect(newest).toMatchObject({ action: "api_key.revoked", subject: "API key 7", author: "operator", time: time });
  const older = await listAudit(database.query, ada, { limit: 10, beforeId: newest?.id });
  expect(older).toEqual([expect.objectContaining({ action: "api_key.created", author })]);
});

test("a rolled-back transaction leaves no entry", async () => {
  const before = await listAudit(database.query, ada, { limit: 100 });
  await expect(
    database.query.transaction().execute(async (transaction) => {
      await recordAudit(transaction, entry({ subject: "never" }));
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(await listAudit(database.query, ada, { limit: 100 })).toEqual(before);
});

test("overlong texts are truncated, not refused", async () => {
  const long = "x".repeat(1000);
  await recordAudit(database.query, entry({ subject: long, author: { clientAddress: long, userAgent: long } }));
  const [stored] = await listAudit(database.query, ada, { limit: 1 });
  expect(stored?.subject).toHaveLength(500);
  expect(stored?.author).toEqual({ clientAddress: long.slice(0, 50), userAgent: long.slice(0, 300) });
});
