import { expect, it } from "vitest";
import { onFirstUse } from "./first-use.ts";

it("a value is loaded on the first call, once for concurrent callers", async () => {
  const loads: ((value: string) => void)[] = [];
  const get = onFirstUse(() => new Promise<string>((resolve) => loads.push(resolve)));
  expect(loads).toHaveLength(0);
  const [first, second] = [get(), get()];
  loads[0]?.("loaded");
  expect(await Promise.all([first, second, get()])).toEqual(["loaded", "loaded", "loaded"]);
  expect(loads).toHaveLength(1);
});

it("a failed load rejects all waiting callers, and the next call loads again", async () => {
  let loads = 0;
  const get = onFirstUse(async () => {
    if (++loads === 1) throw new Error("too many open files");
    return loads;
  });
  const calls = [get(), get()];
  for (const call of calls) await expect(call).rejects.toThrow("too many open files");
  expect(await get()).toBe(2);
});
