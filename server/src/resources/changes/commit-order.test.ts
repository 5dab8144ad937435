import { setImmediate as turn } from "node:timers/promises";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import type { Driver } from "@beatmarket/postgres/testing/driver.ts";
import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { newestPosition, readChanges } from "./queries.ts";

const database = await testDatabase();
const { driver, query: db } = database;
// Each beat has its own genre and producer, since a transaction locks their counters.
const ids = await insertBeats(
  database,
  Array.from({ length: 20 }, (_, n) => ({ title: `Beat ${n}`, genre: `Genre ${n}`, producer: `Producer ${n}` })),
);

/** The changes after a position. */
const read = async (after: number) => {
  const { changes, next } = (await readChanges(db, after, 1_000)).page;
  return { entries: changes.map(({ position, beatId }) => ({ position, beatId })), next };
};
const change = (transaction: Driver, id: number | undefined) =>
  transaction`update beats set play_count = play_count + 1 where id = ${id}`;

// Simulates a slow disk, so that other transactions run between the assignment of positions and the end of the commit.
await driver.unsafe(`
  create function commit_slowly() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(random() * 0.004);
    return null;
  end $$;
  create constraint trigger slow_disk after insert on catalogue_changes
    deferrable initially deferred for each row execute function commit_slowly()`);

test("the changes of a transaction are ordered by its commit, not by its begin", async () => {
  const start = await newestPosition(db);
  const isWritten = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slow = driver.begin(async (transaction) => {
    await change(transaction, ids[0]);
    isWritten.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  await change(driver, ids[1]);
  const before = await read(start);
  expect(before.entries.map(({ beatId }) => beatId)).toEqual([ids[1]]);
  mayCommit.resolve();
  await slow;
  expect((await read(before.next)).entries.map(({ beatId }) => beatId)).toEqual([ids[0]]);
});

test("a transaction that is rolled back leaves no change", async () => {
  const start = await newestPosition(db);
  const failing = driver.begin(async (transaction) => {
    await change(transaction, ids[0]);
    throw new Error("the transaction failed");
  });
  await expect(failing).rejects.toThrow("transaction failed");
  expect(await read(start)).toEqual({ entries: [], next: start });
});

test("a reader that polls during random transactions gets every change once, in the order of commits", async () => {
  const random = seededRandom(16);
  const below = (count: number) => Math.floor(random() * count);
  const start = await newestPosition(db);
  /** Each committed transaction with its beats, and the moments at which its commit began and ended. */
  const committed: { beatIds: (number | undefined)[]; commitsFrom: number; commitsUntil: number }[] = [];
  let moment = 0;

  const writer = async (own: (number | undefined)[]) => {
    for (let n = 0; n < 40; n++) {
      const beatIds = own.filter(() => random() < 0.4);
      const isRolledBack = random() < 0.15;
      let commitsFrom = 0;
      await driver
        .begin(async (transaction) => {
          for (const id of beatIds) {
            await change(transaction, id);
            for (let turns = below(6); turns > 0; turns--) await turn();
          }
          if (isRolledBack) throw new Error("rolled back");
          commitsFrom = ++moment;
        })
        .then(
          () => committed.push({ beatIds, commitsFrom, commitsUntil: ++moment }),
          () => {},
        );
    }
  };
  const writers = [0, 1, 2, 3].map((n) => writer(ids.slice(n * 5, n * 5 + 5)));
  const polledEntries: { position: number; beatId: number }[] = [];
  let isWriting = true;
  const writing = Promise.all(writers).finally(() => {
    isWriting = false;
  });
  let after = start;
  for (let isLast = false; !isLast; ) {
    isLast = !isWriting;
    const { entries, next } = await read(after);
    polledEntries.push(...entries);
    after = next;
  }
  await writing;

  const expected = committed.flatMap(({ beatIds }) => beatIds);
  expect(expected.length).toBeGreaterThan(100);
  expect(polledEntries.map(({ beatId }) => beatId).toSorted((a, b) => a - b)).toEqual(
    expected.toSorted((a = 0, b = 0) => a - b),
  );
  expect(polledEntries).toEqual(polledEntries.toSorted((a, b) => a.position - b.position));
  expect(new Set(polledEntries.map(({ position }) => position)).size).toBe(polledEntries.length);

  // If one transaction's commit ended before another transaction's commit began, the first one has lower positions.
  // Each beat has one writer, so the n-th change of a beat comes from the n-th transaction with that beat.
  const entriesByBeat = Map.groupBy(polledEntries, ({ beatId }) => beatId);
  const firstAndLast = committed.flatMap(({ beatIds, commitsFrom, commitsUntil }) => {
    const positions = beatIds.map((id = 0) => entriesByBeat.get(id)?.shift()?.position ?? Number.NaN);
    return positions.length === 0
      ? []
      : [{ first: Math.min(...positions), last: Math.max(...positions), commitsFrom, commitsUntil }];
  });
  for (const range of firstAndLast)
    for (const other of firstAndLast)
      if (range.commitsUntil < other.commitsFrom) expect(range.last).toBeLessThan(other.first);
});

test("a page of 100 changes reads at most 2,200 changes of a bulk write", async () => {
  const start = await newestPosition(db);
  await driver`
    insert into catalogue_changes (subject, type, ids)
    select 'beats', 'updated', array(select generate_series(n * 1000, n * 1000 + 999)) from generate_series(1, 40) n`;
  await driver`analyze catalogue_changes`;
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const logged = database.withStatementLog((statement) => {
    statements.push(statement);
  });
  await readChanges(logged, start, 100);
  const [{ sql, parameters } = { sql: "", parameters: [] }] = statements;
  const plan = await driver.unsafe<{ "QUERY PLAN": unknown }[]>(
    `explain (analyze, format json, costs off, timing off) ${sql}`,
    parameters,
  );
  expect(maxRows(plan[0]?.["QUERY PLAN"])).toBeLessThanOrEqual(2_200);
});

/** The highest number of rows that a step of a plan returned. */
function maxRows(plan: unknown): number {
  if (plan === null || typeof plan !== "object") return 0;
  const rows = Number((plan as { "Actual Rows"?: number })["Actual Rows"] ?? 0);
  return Math.max(rows, ...Object.values(plan).map(maxRows));
}
