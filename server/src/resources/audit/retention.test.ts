import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { listAudit, recordAudit } from "./queries.ts";
import { deleteOldAudit } from "./retention.ts";

const { query: db } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const { id: ada } = await findOrCreateAccount(db, { email: "ada@example.com" });
const { id: bob } = await findOrCreateAccount(db, { email: "bob@example.com" });
const record = (userId: number, subject: string, time: Date) =>
  recordAudit(db, { userId, action: "api_key.created", subject, author: "operator", at: time });
const subjects = async (userId: number) => (await listAudit(db, userId, { limit: 100 })).map(({ subject }) => subject);

beforeEach(async () => {
  await db.deleteFrom("audit_entries").execute();
});

test("audit entries are kept for 400 days", async () => {
  await record(ada, "old", daysAgo(401));
  await record(ada, "kept", daysAgo(399));
  expect(await deleteOldAudit(db, now)).toBe(1);
  expect(await subjects(ada)).toEqual(["kept"]);
  expect(await deleteOldAudit(db, now)).toBe(0);
});

test("an account with too many entries keeps the newest; other accounts lose none", async () => {
  for (const n of [1, 2, 3, 4]) await record(ada, `ada ${n}`, daysAgo(1));
  await record(bob, "bob 1", daysAgo(2));
  expect(await deleteOldAudit(db, now, 2)).toBe(2);
  expect([await subjects(ada), await subjects(bob)]).toEqual([["ada 4", "ada 3"], ["bob 1"]]);
});
