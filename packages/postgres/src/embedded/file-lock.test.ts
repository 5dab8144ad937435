import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileLock } from "./file-lock.ts";

let folder: string;
let lock: FileLock;
let other: FileLock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beatmarket-lock-"));
  lock = new FileLock(join(folder, "lock"));
  other = new FileLock(join(folder, "lock"));
});
afterEach(() => {
  lock.close();
  other.close();
  rmSync(folder, { recursive: true });
});

test("an exclusive lock excludes all other holders until it is released", () => {
  expect(lock.tryExclusive()).toBe(true);
  expect(other.tryExclusive()).toBe(false);
  expect(other.tryShared()).toBe(false);
  lock.release();
  expect(other.tryShared()).toBe(true);
});

test("a shared lock becomes exclusive only after the other holders have released it", () => {
  expect([lock.tryShared(), other.tryShared()]).toEqual([true, true]);
  lock.release();
  expect(lock.tryExclusive()).toBe(false);
  other.close();
  expect(lock.tryExclusive()).toBe(true);
});

test("exclusive() waits until the holder releases the lock, and reports once that it waits", async () => {
  lock.tryExclusive();
  let waits = 0;
  const isLocked = other.exclusive(10_000, () => {
    waits++;
    lock.release();
  });
  expect(await isLocked).toBe(true);
  expect(waits).toBe(1);
});

test("exclusive() gives up after the time limit", async () => {
  lock.tryExclusive();
  expect(await other.exclusive(50)).toBe(false);
});

test("the file of a lock stays empty", () => {
  lock.tryExclusive();
  lock.release();
  expect(statSync(join(folder, "lock")).size).toBe(0);
});
