import { expect, it } from "vitest";
import { onFirstUse } from "./first-use.ts";

it("loads on the first call, once for concurrent callers", async () => {
  const loads: ((value: string) => void)[] = [];
  const find = onFirstUse(() => new Promise<string>((resolve) => loads.push(resolve)));
  expect(loads).toHaveLength(0);
  const [first, second] = [find(), find()];
  loads[0]?.("loaded");
  expect(await Promise.all([first, second, find()])).toEqual(["loaded", "loaded", "loaded"]);
  expect(loads).toHaveLength(1);
});

it("rejects all waiting callers after a failure, and tries again on the next call", async () => {
  let loads = 0;
  const find = onFirstUse(async () => {
    if (++loads === 1) throw new Error("too many open files");
    return loads;
  });
  const waiting = [find(), find()];
  for (const one of waiting) await expect(one).rejects.toThrow("too many open files");
  expect(await find()).toBe(2);
});
