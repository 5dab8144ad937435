import { expect, test } from "vitest";
import { emptyDatabaseUrl, openTestDatabase } from "../testing/test-database.ts";
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
