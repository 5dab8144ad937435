import { setImmediate as turn } from "node:timers/promises";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import type { Driver } from "@beatmarket/postgres/testing/driver.ts";
import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { newestPosition, readChanges } from "./queries.ts";

const database = await testDatabase();
const { driver, query: db } = database;
// Each of a genre and producer of its own, whose counters its transactions lock.
const ids = await insertBeats(
  database,
  Array.from({ length: 20 }, (_, n) => ({ title: `Beat ${n}`, genre: `Genre ${n}`, producer: `Producer ${n}` })),
);

/** The changes behind `after`, as `position beat`. */
const read = async (after: number) => {
  const { changes, next } = (await readChanges(db, after, 1_000)).page;
  return { seen: changes.map(({ position, beatId }) => ({ position, beatId })), next };
};
const change = (transaction: Driver, id: number | undefined) =>
  transaction`update beats set play_count = play_count + 1 where id = ${id}`;

// A slow disk: between the moment that a transaction has its positions and the end of its commit, others run.
await driver.unsafe(`
  create function commit_slowly() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(random() * 0.004);
    return null;
  end $$;
  create constraint trigger slow_disk after insert on catalogue_changes
    deferrable initially deferred for each row execute function commit_slowly()`);

test("a transaction that began earlier and commits later comes later", async () => {
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
  expect(before.seen.map(({ beatId }) => beatId)).toEqual([ids[1]]);
  mayCommit.resolve();
  await slow;
  expect((await read(before.next)).seen.map(({ beatId }) => beatId)).toEqual([ids[0]]);
});

test("a transaction that is rolled back leaves no change", async () => {
  const start = await newestPosition(db);
  const failing = driver.begin(async (transaction) => {
    await change(transaction, ids[0]);
    throw new Error("the transaction failed");
  });
  await expect(failing).rejects.toThrow("transaction failed");
  expect(await read(start)).toEqual({ seen: [], next: start });
});

test("random transactions of random lengths: a reader that polls all the time skips nothing and sees nothing twice", async () => {
  const random = seededRandom(16);
  const below = (count: number) => Math.floor(random() * count);
  const start = await newestPosition(db);
  /** Of each committed transaction: its beats, and its place in the sequence of beginnings and ends of commits. */
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
  const polled: { position: number; beatId: number }[] = [];
  let isWriting = true;
  const writing = Promise.all(writers).finally(() => {
    isWriting = false;
  });
  let after = start;
  for (let isLast = false; !isLast; ) {
    isLast = !isWriting;
    const { seen, next } = await read(after);
    polled.push(...seen);
    after = next;
  }
  await writing;

  const expected = committed.flatMap(({ beatIds }) => beatIds);
  expect(expected.length).toBeGreaterThan(100);
  expect(polled.map(({ beatId }) => beatId).toSorted((a, b) => a - b)).toEqual(
    expected.toSorted((a = 0, b = 0) => a - b),
  );
  expect(polled).toEqual(polled.toSorted((a, b) => a.position - b.position));
  expect(new Set(polled.map(({ position }) => position)).size).toBe(polled.length);

  // A transaction whose commit had ended before that of another began has the lower positions. Each beat has one writer,
  // so its n-th change is that of its n-th transaction.
  const places = Map.groupBy(polled, ({ beatId }) => beatId);
  const firstAndLast = committed.flatMap(({ beatIds, commitsFrom, commitsUntil }) => {
    const positions = beatIds.map((id = 0) => places.get(id)?.shift()?.position ?? Number.NaN);
    return positions.length === 0
      ? []
      : [{ first: Math.min(...positions), last: Math.max(...positions), commitsFrom, commitsUntil }];
  });
  for (const one of firstAndLast)
    for (const other of firstAndLast)
      if (one.commitsUntil < other.commitsFrom) expect(one.last).toBeLessThan(other.first);
});

test("a page stops reading at its limit, however many changes a bulk write made behind it", async () => {
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

/** The most rows that a step of a plan returned. */
function maxRows(plan: unknown): number {
  if (plan === null || typeof plan !== "object") return 0;
  const own = Number((plan as { "Actual Rows"?: number })["Actual Rows"] ?? 0);
  return Math.max(own, ...Object.values(plan).map(maxRows));
}
