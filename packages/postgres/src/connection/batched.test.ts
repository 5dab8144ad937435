import { describe, expect, it } from "vitest";
import { batched } from "./batched.ts";

describe("batched", () => {
  it("looks up what is asked for together in one go, each key by itself", async () => {
    const loads: (readonly number[])[] = [];
    const square = batched(async (keys: readonly number[]) => {
      loads.push(keys);
      return new Map(keys.map((key) => [key, key * key]));
    });
    expect(await Promise.all([square(2), square(3), square(4)])).toEqual([4, 9, 16]);
    expect(loads).toEqual([[2, 3, 4]]);
  });

  it("answers undefined for a key that was not found", async () => {
    const find = batched(async () => new Map([["here", 1]]));
    expect(await Promise.all([find("here"), find("nowhere")])).toEqual([1, undefined]);
  });

  it("has two batches under way at most; keys that come meanwhile share the next one", async () => {
    const under: { keys: readonly number[]; finish: () => void }[] = [];
    const find = batched(
      (keys: readonly number[]) =>
        new Promise<Map<number, number>>((settle) => {
          under.push({ keys, finish: () => settle(new Map(keys.map((key) => [key, key]))) });
        }),
    );
    const turn = () => new Promise((settle) => setImmediate(settle));
    const answers: Promise<number | undefined>[] = [];
    for (const key of [1, 2, 3, 4]) {
      answers.push(find(key));
      await turn();
    }
    expect(under.map(({ keys }) => keys)).toEqual([[1], [2]]);
    under[0]?.finish();
    await turn();
    expect(under.map(({ keys }) => keys)).toEqual([[1], [2], [3, 4]]);
    for (const { finish } of under) finish();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
  });

  it("fails those of a failed batch only, and goes on", async () => {
    let isAway = true;
    const find = batched(async (keys: readonly number[]) => {
      if (isAway) throw new Error("The database is away.");
      return new Map(keys.map((key) => [key, key]));
    });
    const failed = await Promise.allSettled([find(1), find(2), find(3)]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    isAway = false;
    expect(await Promise.all([find(4), find(5)])).toEqual([4, 5]);
  });
});
