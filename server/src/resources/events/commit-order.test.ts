import { setImmediate as nextTurn } from "node:timers/promises";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import type { Driver } from "@beatmarket/postgres/testing/driver.ts";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { readEvents } from "./queries.ts";

const database = await testDatabase();
const { driver, query: db } = database;
const time = new Date("2026-11-22T12:00:00Z");
const { id: userId } = await findOrCreateAccount(db, { email: "reader@example.com" });

/** Emits events of the account, public events, and events of other accounts. */
const emit = (transaction: Driver, n: number) =>
  emitEvents(transaction.db, [
    n % 3 === 0
      ? { type: "beat.purchased", data: { n }, at: time, audience: [userId, 1_000 + n] }
      : { type: "beat.updated", data: { n }, at: time, audience: "everyone" },
    { type: "beat.purchased", data: {}, at: time, audience: [1_000 + n] },
  ]);
const readPage = async (after: number | null, limit = 1_000, types: string[] | null = null) => {
  const { page } = await readEvents(db, { userId, types, after, limit });
  const entries = page.events.map(({ position, payload }) => ({ position, n: Number(JSON.parse(payload).data.n) }));
  return { entries, next: page.next };
};
const newestPosition = async () => (await readPage(null)).next;

// Simulates a slow disk, so that other transactions run between the assignment of positions and the end of the commit.
await driver.unsafe(`
  create function commit_slowly() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(random() * 0.004);
    return null;
  end $$;
  create constraint trigger slow_disk after insert on event_feed_entries
    deferrable initially deferred for each row execute function commit_slowly()`);

test("the events of a transaction are ordered by its commit, not by its begin", async () => {
  const start = await newestPosition();
  const isWritten = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slow = driver.begin(async (transaction) => {
    await emit(transaction, 1);
    isWritten.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  await driver.begin((transaction) => emit(transaction, 2));
  const before = await readPage(start);
  expect(before.entries.map(({ n }) => n)).toEqual([2]);
  mayCommit.resolve();
  await slow;
  expect((await readPage(before.next)).entries.map(({ n }) => n)).toEqual([1]);
});

test("a transaction that is rolled back leaves no event", async () => {
  const start = await newestPosition();
  const failing = driver.begin(async (transaction) => {
    await emit(transaction, 1);
    throw new Error("the transaction failed");
  });
  await expect(failing).rejects.toThrow("transaction failed");
  expect(await readPage(start)).toEqual({ entries: [], next: start });
});

test("readers that poll during random transactions get every event once, in the order of commits", async () => {
  const random = seededRandom(16);
  const below = (count: number) => Math.floor(random() * count);
  const start = await newestPosition();
  /** Each committed transaction with its events, and the moments at which its commit began and ended. */
  const committed: { events: number[]; commitBegan: number; commitEnded: number }[] = [];
  let moment = 0;
  let eventNumber = 0;

  const writer = async () => {
    for (let round = 0; round < 20; round++) {
      const events = Array.from({ length: 1 + below(4) }, () => ++eventNumber);
      const isRolledBack = random() < 0.15;
      let commitBegan = 0;
      await driver
        .begin(async (transaction) => {
          for (const n of events) {
            await emit(transaction, n);
            // Lets the other writers run between two events.
            for (let turns = below(6); turns > 0; turns--) await nextTurn();
          }
          if (isRolledBack) throw new Error("rolled back");
          commitBegan = ++moment;
        })
        .then(
          () => committed.push({ events, commitBegan, commitEnded: ++moment }),
          () => {},
        );
    }
  };
  let isWriting = true;
  const writing = Promise.all([writer(), writer(), writer()]).finally(() => {
    isWriting = false;
  });
  const poll = async (limit: number, types: string[] | null) => {
    const polledEntries: { position: number; n: number }[] = [];
    let after = start;
    for (let isLast = false; !isLast; ) {
      const hadEnded = !isWriting;
      const { entries, next } = await readPage(after, limit, types);
      polledEntries.push(...entries);
      after = next;
      isLast = hadEnded && entries.length < limit;
    }
    return polledEntries;
  };
  const [all, few, purchases] = await Promise.all([
    poll(1_000, null),
    poll(2, null),
    poll(3, ["beat.purchased"]),
    writing,
  ]);

  const expected = committed.flatMap(({ events }) => events).toSorted((a, b) => a - b);
  expect(expected.length).toBeGreaterThan(80);
  expect(all.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(expected);
  expect(all).toEqual(all.toSorted((a, b) => a.position - b.position));
  expect(few).toEqual(all);
  expect(purchases).toEqual(all.filter(({ n }) => n % 3 === 0));

  // A transaction whose commit ended before another's commit began has the lower positions.
  const positionOf = new Map(all.map(({ n, position }) => [n, position]));
  const commits = committed.map(({ events, ...commit }) => {
    const positions = events.map((n) => positionOf.get(n) ?? Number.NaN);
    return { ...commit, first: Math.min(...positions), last: Math.max(...positions) };
  });
  for (const commit of commits)
    for (const other of commits)
      if (commit.commitEnded < other.commitBegan) expect(commit.last).toBeLessThan(other.first);
});

test("a page for one type reads at most 1,000 rows, even with 20,000 events of another type", async () => {
  const start = await newestPosition();
  await driver`drop trigger slow_disk on event_feed_entries`;
  await driver`
    insert into event_feed_entries (feed, type, position, event_id)
    select 0, 'beat.updated', 1000000 + n, 'evt_' || n from generate_series(1, 20000) n`;
  await driver`analyze event_feed_entries`;
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const logged = database.withStatementLog((statement) => {
    statements.push(statement);
  });
  await readEvents(logged, { userId, types: ["beat.purchased"], after: start, limit: 100 });
  const [statement] = statements;
  const [plan] = await driver.unsafe<{ "QUERY PLAN": unknown }[]>(
    `explain (analyze, format json, costs off, timing off) ${statement?.sql}`,
    statement?.parameters,
  );
  expect(maxRows(plan?.["QUERY PLAN"])).toBeLessThanOrEqual(1_000);
});

/** The highest number of rows that a step of a plan returned. */
function maxRows(plan: unknown): number {
  if (plan === null || typeof plan !== "object") return 0;
  const rows = Number((plan as { "Actual Rows"?: number })["Actual Rows"] ?? 0);
  return Math.max(rows, ...Object.values(plan).map(maxRows));
}
