import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileLock } from "./file-lock.ts";

let folder: string;
let one: FileLock;
let other: FileLock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beatmarket-lock-"));
  one = new FileLock(join(folder, "lock"));
  other = new FileLock(join(folder, "lock"));
});
afterEach(() => {
  one.close();
  other.close();
  rmSync(folder, { recursive: true });
});

test("held alone, it is held by nobody else", () => {
  expect(one.tryExclusive()).toBe(true);
  expect(other.tryExclusive()).toBe(false);
  expect(other.tryShared()).toBe(false);
  one.release();
  expect(other.tryShared()).toBe(true);
});

test("held together, it is had alone only once the others have let go", () => {
  expect([one.tryShared(), other.tryShared()]).toEqual([true, true]);
  one.release();
  expect(one.tryExclusive()).toBe(false);
  other.close();
  expect(one.tryExclusive()).toBe(true);
});

test("waits for the holder to let go, and tells that it waits", async () => {
  one.tryExclusive();
  let waits = 0;
  const taken = other.exclusive(10_000, () => {
    waits++;
    one.release();
  });
  expect(await taken).toBe(true);
  expect(waits).toBe(1);
});

test("gives up waiting", async () => {
  one.tryExclusive();
  expect(await other.exclusive(50)).toBe(false);
});

test("writes nothing into its file", () => {
  one.tryExclusive();
  one.release();
  expect(statSync(join(folder, "lock")).size).toBe(0);
});
