import { expect, test, vi } from "vitest";
import { StoragePresence } from "./presence.ts";

function presence(answers: (() => Promise<void>)[]) {
  const log = { info: vi.fn(), error: vi.fn() };
  const objects = { requirePlace: () => answers.shift()?.() ?? Promise.resolve() };
  return { log, watched: new StoragePresence({ objects, log, timeoutMs: 100 }) };
}
const never = () => new Promise<void>(() => {});

test("a storage is available after one late response, and unavailable after two in a row", async () => {
  const storage = presence([never, () => Promise.resolve(), never, never]);
  for (const isAvailable of [true, true, true, false, true]) {
    await storage.watched.check();
    expect(storage.watched.isAvailable).toBe(isAvailable);
  }
  expect(storage.log.error).toHaveBeenCalledOnce();
  expect(storage.log.info).toHaveBeenCalledOnce();
});

test("a storage that reports an error is unavailable immediately", async () => {
  const storage = presence([() => Promise.reject(new Error("there is no bucket"))]);
  await storage.watched.check();
  expect(storage.watched.isAvailable).toBe(false);
});
