import { expect, test } from "vitest";
import { PasswordHashing } from "./password-hashing.ts";

/** Returns functions that start hashes and end them. A hash ends only when the test ends it. */
function setUp() {
  const hashing = new PasswordHashing();
  const running: (() => void)[] = [];
  let maxRunning = 0;
  const hash = (network: string, isKnown = false) =>
    hashing.run(
      network,
      async () => {
        maxRunning = Math.max(maxRunning, running.length + 1);
        await new Promise<void>((end) => running.push(end));
      },
      isKnown,
    );
  /** Ends running hashes, including the hashes that start from the queue, until all promises are settled. */
  const endAll = async (hashes: readonly Promise<unknown>[]) => {
    let areSettled = false;
    void Promise.allSettled(hashes).then(() => {
      areSettled = true;
    });
    while (!areSettled) {
      running.shift()?.();
      await new Promise(setImmediate);
    }
  };
  return { hash, endAll, most: () => maxRunning };
}

const statusOf = (result: PromiseSettledResult<unknown>) =>
  result.status === "fulfilled" ? 200 : (result.reason as { status: number }).status;

test("at most two passwords are hashed at a time, 16 wait, and further passwords are refused with 503", async () => {
  const { hash, endAll, most } = setUp();
  const flood = Array.from({ length: 200 }, (_, index) => hash(`203.0.113.${index}`));
  await endAll(flood);
  const statuses = (await Promise.allSettled(flood)).map(statusOf);
  expect(most()).toBeLessThanOrEqual(2);
  expect(statuses.filter((status) => status === 200)).toHaveLength(16 + most());
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});

test("one network has at most four hashes, so that other networks find a place", async () => {
  const { hash, endAll } = setUp();
  const flood = Array.from({ length: 50 }, () => hash("203.0.113.9"));
  const owner = hash("198.51.100.7");
  await endAll([...flood, owner]);
  expect((await Promise.allSettled(flood)).map(statusOf).filter((status) => status === 200)).toHaveLength(4);
  await expect(owner).resolves.toBeUndefined();
});

test("a known device finds a place in a queue that strangers have filled", async () => {
  const { hash, endAll } = setUp();
  const flood = Array.from({ length: 50 }, (_, index) => hash(`203.0.113.${index}`));
  const owner = hash("198.51.100.7", true);
  await endAll([...flood, owner]);
  await expect(owner).resolves.toBeUndefined();
});

test("a hash frees its place at the end, even if it fails", async () => {
  const { hash, endAll } = setUp();
  const hashing = new PasswordHashing();
  for (let attempt = 0; attempt < 50; attempt++)
    await expect(hashing.run("203.0.113.9", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(hashing.run("203.0.113.9", async () => "hash")).resolves.toBe("hash");
  for (let attempt = 0; attempt < 50; attempt++) {
    const running = hash("203.0.113.9");
    await endAll([running]);
    await expect(running).resolves.toBeUndefined();
  }
});
