import { expect, test } from "vitest";
import { emptyDatabaseUrl, openTestDatabase } from "../testing/test-database.ts";
import { byOneProcess } from "./in-batches.ts";

test("a job that one process runs is left out by the others, and runs again once it has ended or failed", async () => {
  const { query: db } = openTestDatabase(await emptyDatabaseUrl());
  const others: boolean[] = [];
  const ran = await byOneProcess(db, "a job", async () => {
    others.push(await byOneProcess(db, "a job", async () => {}));
    others.push(await byOneProcess(db, "another job", async () => {}));
  });
  expect([ran, ...others]).toEqual([true, false, true]);
  const failing = byOneProcess(db, "a job", () => Promise.reject(new Error("it failed")));
  await expect(failing).rejects.toThrow("it failed");
  expect(await byOneProcess(db, "a job", async () => {})).toBe(true);
});
