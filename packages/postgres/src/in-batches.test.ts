import { sql } from "kysely";
import { expect, test } from "vitest";
import { emptyDatabaseUrl, openTestDatabase } from "../testing/test-database.ts";
import { transact } from "./connection/transaction.ts";
import { runInOneProcess } from "./in-batches.ts";

test("a job runs in one process at a time, and runs again after it has ended or failed", async () => {
  const { query: db } = openTestDatabase(await emptyDatabaseUrl());
  const others: boolean[] = [];
  const ran = await runInOneProcess(db, "a job", async () => {
    others.push(await runInOneProcess(db, "a job", async () => {}));
    others.push(await runInOneProcess(db, "another job", async () => {}));
  });
  expect([ran, ...others]).toEqual([true, false, true]);
  const failing = runInOneProcess(db, "a job", () => Promise.reject(new Error("it failed")));
  await expect(failing).rejects.toThrow("it failed");
  expect(await runInOneProcess(db, "a job", async () => {})).toBe(true);
});

test("as many jobs as the pool has connections do not wait for each other", async () => {
  const { query: db } = openTestDatabase(await emptyDatabaseUrl(), { max: 2 });
  let locked = 0;
  const bothLocked = Promise.withResolvers<void>();
  const job = (name: string) =>
    runInOneProcess(db, name, async (connection) => {
      locked += 1;
      if (locked === 2) bothLocked.resolve();
      await bothLocked.promise;
      await transact(connection, (transaction) => sql`select 1`.execute(transaction));
    });
  expect(await Promise.all([job("one"), job("two")])).toEqual([true, true]);
});
