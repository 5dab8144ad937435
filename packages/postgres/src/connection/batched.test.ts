import { describe, expect, it } from "vitest";
import { batched } from "./batched.ts";

describe("batched", () => {
  it("loads keys that are requested in one turn of the event loop together", async () => {
    const loads: (readonly number[])[] = [];
    const square = batched(async (keys: readonly number[]) => {
      loads.push(keys);
      return new Map(keys.map((key) => [key, key * key]));
    });
    expect(await Promise.all([square(2), square(3), square(4)])).toEqual([4, 9, 16]);
    expect(loads).toEqual([[2, 3, 4]]);
  });

  it("divides the keys of one turn into batches of a maximum size", async () => {
    const loads: (readonly number[])[] = [];
    const square = batched(async (keys: readonly number[]) => {
      loads.push(keys);
      return new Map(keys.map((key) => [key, key * key]));
    }, 2);
    expect(await Promise.all([1, 2, 3, 4, 5].map(square))).toEqual([1, 4, 9, 16, 25]);
    expect(loads).toEqual([[1, 2], [3, 4], [5]]);
  });

  it("resolves to undefined for a key without a value", async () => {
    const find = batched(async () => new Map([["here", 1]]));
    expect(await Promise.all([find("here"), find("nowhere")])).toEqual([1, undefined]);
  });

  it("runs at most two batches at a time; further keys share the next batch", async () => {
    const batches: { keys: readonly number[]; finish: () => void }[] = [];
    const find = batched(
      (keys: readonly number[]) =>
        new Promise<Map<number, number>>((settle) => {
          batches.push({ keys, finish: () => settle(new Map(keys.map((key) => [key, key]))) });
        }),
    );
    const turn = () => new Promise((settle) => setImmediate(settle));
    const answers: Promise<number | undefined>[] = [];
    for (const key of [1, 2, 3, 4]) {
      answers.push(find(key));
      await turn();
    }
    expect(batches.map(({ keys }) => keys)).toEqual([[1], [2]]);
    batches[0]?.finish();
    await turn();
    expect(batches.map(({ keys }) => keys)).toEqual([[1], [2], [3, 4]]);
    for (const { finish } of batches) finish();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
  });

  it("runs at most two batches at a time, even if all keys are requested in one turn", async () => {
    let running = 0;
    let mostRunning = 0;
    const find = batched(async (keys: readonly number[]) => {
      running++;
      mostRunning = Math.max(mostRunning, running);
      await new Promise((settle) => setImmediate(settle));
      running--;
      return new Map(keys.map((key) => [key, key]));
    }, 1);
    const keys = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(await Promise.all(keys.map(find))).toEqual(keys);
    expect(mostRunning).toBe(2);
  });

  it("rejects only the keys of a failed batch, and continues", async () => {
    let isReachable = false;
    const find = batched(async (keys: readonly number[]) => {
      if (!isReachable) throw new Error("The database is unreachable.");
      return new Map(keys.map((key) => [key, key]));
    });
    const failed = await Promise.allSettled([find(1), find(2), find(3)]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    isReachable = true;
    expect(await Promise.all([find(4), find(5)])).toEqual([4, 5]);
  });
});
