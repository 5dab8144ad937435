import { Worker } from "node:worker_threads";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allocate, countInThreads } from "../../testing/counting-threads.ts";
import { Lock } from "./lock.ts";
import { SharedConnectionCounts } from "./shared-connection-counts.ts";
import { SharedTable } from "./shared-table.ts";

describe("threads that count in shared memory", () => {
  test("together admit exactly each limit, whatever their number and that of the keys", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 90 }),
        async (threads, buckets, limit) => {
          const calls = 100 * buckets;
          const windows = [{ name: "minute", seconds: 60, limit } as const];
          const { counted, memory } = await countInThreads({ threads, windows, buckets, calls });
          for (let bucket = 1; bucket <= buckets; bucket++) {
            const admitted = counted.flatMap((each) => each.admitted.filter((one) => one.bucket === bucket));
            expect(admitted).toHaveLength(limit);
          }
          const sum = (of: "failures" | "taken" | "opened") => counted.reduce((all, each) => all + each[of], 0);
          expect(sum("failures")).toBe(100);
          expect(sum("taken")).toBe(50);
          expect(sum("opened")).toBe(40);
          const places = new SharedConnectionCounts(
            { clock: new FakeClock(), index: 0, askOthers: () => {} },
            memory.connections,
          );
          expect(places.of("192.0.2.7")).toBe(40);
        },
      ),
      { numRuns: 8 },
    );
  });

  test("the places of a thread end with it, and those of others stay", () => {
    const { connections } = allocate([{ name: "minute", seconds: 60, limit: 1 }], 2);
    const clock = new FakeClock();
    const [first, second] = [0, 1].map(
      (index) => new SharedConnectionCounts({ clock, index, askOthers: () => {} }, connections),
    ) as [SharedConnectionCounts, SharedConnectionCounts];
    for (const [counts, network] of [
      [first, "a"],
      [first, "b"],
      [second, "b"],
    ] as const) {
      counts.add(network, 2);
      counts.addTotal("known", 2);
    }
    second.forget(0, 7);
    expect([second.of("a"), second.of("b"), second.totals.known, second.mostOfOneNetwork]).toEqual([0, 2, 2, 2]);
  });

  test("a lock that an ended thread holds is free again for the others", async () => {
    const words = new Int32Array(new SharedArrayBuffer(8));
    const program = `const { workerData } = require("node:worker_threads");
      import(workerData.module).then(({ Lock }) => new Lock(workerData.words).run(() => process.exit()));`;
    const module = new URL("./lock.ts", import.meta.url).href;
    const worker = new Worker(program, { eval: true, workerData: { words, module } });
    const { threadId } = worker;
    await new Promise((resolve) => worker.once("exit", resolve));
    const lock = new Lock(words);
    expect(words[0]).toBe(1);
    lock.releaseOf(threadId + 1);
    expect(words[0]).toBe(1);
    lock.releaseOf(threadId);
    expect(lock.run(() => "free")).toBe("free");
  });
});

test("a table is a map, in any sequence of additions and removals", () => {
  const step = fc.record({ name: fc.integer({ min: 0, max: 40 }), isAddition: fc.boolean(), value: fc.integer() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = new SharedTable(SharedTable.allocate(64, 2));
      const model = new Map<number, number>();
      for (const { name, isAddition, value } of steps) {
        const at = table.find(name);
        expect(at >= 0).toBe(model.has(name));
        if (isAddition) {
          table.values[(at < 0 ? table.add(name) : at) + 1] = value;
          model.set(name, value);
        } else if (at >= 0) {
          table.remove(at);
          model.delete(name);
        }
        expect(table.size).toBe(model.size);
        for (const [known, expected] of model) expect(table.values[table.find(known) + 1]).toBe(expected);
      }
      expect([...table.records()]).toHaveLength(model.size);
    }),
  );
});
