import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Unavailable } from "@beatmarket/foundation/errors.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allocate, countInThreads } from "../../testing/counting-threads.ts";
import { Lock } from "./lock.ts";
import { SharedConnectionCounts } from "./shared-connection-counts.ts";
import { SharedRateLimits } from "./shared-rate-limits.ts";
import { SharedTable } from "./shared-table.ts";

const threadWith = (work: string, words: Int32Array): Worker =>
  new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
     import(workerData.module).then(({ Lock }) => new Lock(workerData.words).run(() => { ${work} }));`,
    { eval: true, workerData: { words, module: new URL("./lock.ts", import.meta.url).href } },
  );

/** Starts a thread that holds the lock until it is killed. */
async function startThreadThatHolds(words: Int32Array): Promise<Worker> {
  const worker = threadWith(`parentPort.postMessage("held"); for (;;);`, words);
  await once(worker, "message");
  return worker;
}

const threadThatTakes = (words: Int32Array): Worker => threadWith(`parentPort.postMessage("taken");`, words);

describe("threads that count in shared memory", () => {
  test("together admit exactly each limit, for any number of threads and keys", async () => {
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
            const admissions = counted.flatMap((each) =>
              each.admitted.filter((admission) => admission.bucket === bucket),
            );
            expect(admissions).toHaveLength(limit);
          }
          const sum = (name: "failures" | "taken" | "opened") => counted.reduce((all, each) => all + each[name], 0);
          expect(sum("failures")).toBe(100);
          expect(sum("taken")).toBe(50);
          expect(sum("opened")).toBe(40);
          const places = new SharedConnectionCounts(
            { clock: new FakeClock(), index: 0, askOthers: () => {} },
            memory.connections,
          );
          expect(places.placesOf("192.0.2.7")).toBe(40);
        },
      ),
      { numRuns: 8 },
    );
  });

  test("the places of a thread that ended are freed, and the places of other threads stay", () => {
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
    expect([second.placesOf("a"), second.placesOf("b"), second.totals.known, second.mostOfOneNetwork]).toEqual([
      0, 2, 2, 2,
    ]);
  });

  test("the main thread gives up on a lock whose holder was killed, and frees the lock after the exit event", async () => {
    const words = new Int32Array(new SharedArrayBuffer(4));
    const holder = await startThreadThatHolds(words);
    const lock = new Lock(words, 10);
    const { threadId } = holder;
    const exitEvent = once(holder, "exit");
    void holder.terminate();
    // The event loop has not run, so the exit event has not arrived.
    expect(() => lock.run(() => "taken")).toThrow(`Thread ${threadId} holds a lock in shared memory`);
    await exitEvent;
    const repairs: string[] = [];
    lock.releaseOf(threadId + 1, () => repairs.push("of another thread"));
    expect(() => lock.run(() => "taken")).toThrow(Unavailable);
    lock.releaseOf(threadId, () => repairs.push("done"));
    lock.releaseOf(threadId, () => repairs.push("done again"));
    expect(lock.run(() => "free")).toBe("free");
    expect(repairs).toEqual(["done"]);
  });

  test("a freed lock goes to the waiting threads, even after one of them was killed", async () => {
    const words = new Int32Array(new SharedArrayBuffer(4));
    const holder = await startThreadThatHolds(words);
    const waiting = [1, 2, 3].map(() => threadThatTakes(words));
    const taken = waiting.map((worker) => once(worker, "message"));
    await expect.poll(() => Atomics.load(words, 0) & 1).toBe(1);
    const [killed] = waiting;
    await killed?.terminate();
    const { threadId } = holder;
    await holder.terminate();
    new Lock(words, 10).releaseOf(threadId, () => {});
    await Promise.all(taken.slice(1));
    await Promise.all(waiting.map((worker) => worker.terminate()));
  });

  test("limits count again from the log after a thread was killed in the middle of a count", async () => {
    const windows = [{ name: "minute", seconds: 60, limit: 3 }] as const;
    const memory = SharedRateLimits.allocate(windows, 64, 1_000);
    const clock = new FakeClock();
    const loadRecent = async () => [clock.nowMs() - 1_000, clock.nowMs() - 2_000];
    const limits = new SharedRateLimits({ clock, windows, loadRecent, log: { warn: () => {} } }, memory);
    expect([await limits.admit(1, windows), await limits.admit(1, windows)]).toMatchObject([
      { admitted: true },
      { admitted: false },
    ]);
    const holder = await startThreadThatHolds(new Int32Array(memory.buckets.state));
    const { threadId } = holder;
    await holder.terminate();
    limits.releaseOf(threadId);
    expect(limits.size).toBe(0);
    expect(await limits.admit(1, windows)).toMatchObject({ admitted: true });
    expect(await limits.admit(1, windows)).toMatchObject({ admitted: false });
  });
});

test("a table is a map, in any sequence of additions and removals", () => {
  const step = fc.record({ name: fc.integer({ min: 0, max: 40 }), isAddition: fc.boolean(), value: fc.integer() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = new SharedTable(SharedTable.allocate(64, 2));
      const model = new Map<number, number>();
      for (const { name, isAddition, value } of steps) {
        const record = table.find(name);
        expect(record >= 0).toBe(model.has(name));
        if (isAddition) {
          table.values[(record < 0 ? table.add(name) : record) + 1] = value;
          model.set(name, value);
        } else if (record >= 0) {
          table.remove(record);
          model.delete(name);
        }
        expect(table.size).toBe(model.size);
        for (const [known, expected] of model) expect(table.values[table.find(known) + 1]).toBe(expected);
      }
      expect([...table.records()]).toHaveLength(model.size);
    }),
  );
});

test("a table keeps all other records with their values if a thread ends in the middle of a removal", () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength: 32 });
  fc.assert(
    fc.property(numbers, fc.nat(), fc.nat({ max: 5 }), (names, chosen, moves) => {
      const table = new SharedTable(SharedTable.allocate(32, 2));
      for (const name of names) table.values[table.add(name) + 1] = name;
      const removed = names[chosen % names.length] as number;
      let remainingMoves = moves;
      // A record is moved in two steps, its name and its values.
      table.values.copyWithin = (...parameters) => {
        if (remainingMoves-- === 0) throw new Error("The thread ended.");
        return Float64Array.prototype.copyWithin.apply(table.values, parameters);
      };
      let isDone = true;
      try {
        table.remove(table.find(removed));
      } catch {
        isDone = false;
      }
      table.repair();
      const others = names.filter((name) => name !== removed);
      for (const name of others) expect(table.values[table.find(name) + 1]).toBe(name);
      if (isDone) expect(table.find(removed)).toBe(-1);
      expect(table.size).toBe(others.length + (table.find(removed) < 0 ? 0 : 1));
      expect([...table.records()]).toHaveLength(table.size);
    }),
  );
});
