import { expect, test, vi } from "vitest";
import { StoragePresence } from "./presence.ts";

function presence(answers: (() => Promise<void>)[]) {
  const log = { info: vi.fn(), error: vi.fn() };
  const objects = { requirePlace: () => answers.shift()?.() ?? Promise.resolve() };
  return { log, watched: new StoragePresence({ objects, log, timeoutMs: 100 }) };
}
const never = () => new Promise<void>(() => {});

test("a storage is available after one late response, and unavailable after two in a row", async () => {
  const one = presence([never, () => Promise.resolve(), never, never]);
  for (const isAvailable of [true, true, true, false, true]) {
    await one.watched.check();
    expect(one.watched.isAvailable).toBe(isAvailable);
  }
  expect(one.log.error).toHaveBeenCalledOnce();
  expect(one.log.info).toHaveBeenCalledOnce();
});

test("a storage that reports an error is unavailable immediately", async () => {
  const one = presence([() => Promise.reject(new Error("there is no bucket"))]);
  await one.watched.check();
  expect(one.watched.isAvailable).toBe(false);
});
