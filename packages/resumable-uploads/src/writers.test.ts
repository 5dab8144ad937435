import { expect, test } from "vitest";
import { Writers } from "./writers.ts";

test("a writer that waits for the storage has not stalled", async () => {
  let nowMs = 0;
  const writers = new Writers(() => nowMs);
  const lock = await writers.acquire("a");
  const { promise: stored, resolve } = Promise.withResolvers<void>();
  const holding = lock.hold(() => stored);
  nowMs = 60_000;
  await writers.settle("a");
  await expect(writers.acquire("a")).rejects.toMatchObject({ status: 423 });
  expect(lock.interrupted.aborted).toBe(false);
  resolve();
  await holding;
  nowMs += 3_000;
  lock.interrupted.addEventListener("abort", () => lock.release());
  await writers.acquire("a");
  expect(lock.interrupted.reason).toMatchObject({ status: 409 });
});

test("a stopping server interrupts its writers and refuses new writers", async () => {
  const writers = new Writers(() => 0);
  const lock = await writers.acquire("a");
  lock.interrupted.addEventListener("abort", () => lock.release());
  await writers.stop();
  expect(lock.interrupted.reason).toMatchObject({ status: 503, headers: { "retry-after": "2", connection: "close" } });
  await expect(writers.acquire("a")).rejects.toMatchObject({ status: 503 });
});
