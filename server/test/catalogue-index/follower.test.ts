import { setImmediate as turn } from "node:timers/promises";
import { RecordingEngine } from "@beatmarket/catalogue-index/testing/recording-engine.ts";
import { Follower } from "@beatmarket/catalogue-index/worker/follower.ts";
import { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { insertBeats } from "../harness/database/catalogue.ts";
import { testDatabase } from "../harness/database/database.ts";

const database = await testDatabase();
const { driver } = database;
const reader = new SnapshotReader(database.address, { applicationName: "beatmarket index", lastMigration: 1 });
afterAll(() => reader.close());

await insertBeats(
  database,
  Array.from({ length: 30 }, (_, n) => ({
    title: `Beat ${n}`,
    genre: `Genre ${n % 4}`,
    producer: `Producer ${n % 6}`,
    tempo: 90 + n / 3,
    popularity: n,
  })),
);

/** Builds an index of all current rows. */
async function buildEngine() {
  const engine = new RecordingEngine();
  return { engine, follower: await Follower.build(reader, engine, () => {}) };
}

let engine: RecordingEngine;
let follower: Follower;
beforeEach(async () => {
  ({ engine, follower } = await buildEngine());
});

/** Checks that the followed index equals a newly built one. */
async function expectCaughtUp(): Promise<void> {
  expect(await follower.catchUp()).toBeNull();
  const { engine: freshEngine, follower: freshFollower } = await buildEngine();
  expect(engine.rows).toEqual(freshEngine.rows);
  expect(follower.position).toBe(freshFollower.position);
}

test("the index contains the listed beats, with every column as it is stored", async () => {
  const [row] = await driver<{ id: number; userId: number; genreId: number }[]>`
    update beats set title = ${'Tab\t "quoted" \\ 東京'}, tags = ${["lo-fi", "a,b", ""]}, tempo = 139.123456789012, key_code = 12,
      duration_seconds = 187, price_cents = 2147483647, play_count = 1000000, popularity = 99,
      created_at = '2024-02-29 12:34:56.789012+00', exclusive_state = 'held', exclusive_order_id = 1,
      exclusive_held_until = now()
    where title = 'Beat 3' returning id, user_id as "userId", genre_id as "genreId"`;
  await driver`update beats set is_listed = false where title = 'Beat 4'`;
  const { engine: freshEngine } = await buildEngine();
  expect(freshEngine.rows.beats.get(row?.id as number)).toEqual({
    id: row?.id,
    title: 'Tab\t "quoted" \\ 東京',
    tags: ["lo-fi", "a,b", ""],
    producerId: row?.userId,
    genreId: row?.genreId,
    tempo: 139.123456789012,
    keyCode: 12,
    priceCents: 2147483647,
    durationSeconds: 187,
    createdAtMicroseconds: Date.UTC(2024, 1, 29, 12, 34, 56) * 1_000 + 789_012,
    popularityKey: 128_000_099,
    availableLicenses: 0,
  });
  expect(Array.from(freshEngine.rows.beats.values(), ({ title }) => title)).not.toContain("Beat 4");
  expect(freshEngine.rows.genres.size).toBe(4);
});

test("the follower applies nothing if there are no changes", async () => {
  const before = engine.applied;
  expect(await follower.catchUp()).toBeNull();
  expect(engine.applied).toBe(before);
});

test.each([
  [
    "a beat published",
    "insert into beats (user_id, genre_id, title, tempo, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents) select user_id, genre_id, 'New', 90, 1, 2, 3, 4 from beats limit 1",
  ],
  ["a beat changed", "update beats set title = 'Changed', tempo = 99.5 where title = 'Beat 6'"],
  ["a beat withdrawn", "update beats set is_listed = false where title = 'Beat 7'"],
  [
    "an exclusive sold",
    "update beats set is_listed = false, exclusive_state = 'sold', exclusive_order_id = 1 where title = 'Beat 8'",
  ],
  ["a beat deleted, whose producer then has fewer plays", "delete from beats where title = 'Beat 9'"],
  [
    "a beat that gets another producer, and the plays of both producers",
    "update beats set user_id = (select max(id) from users where is_producer) where title = 'Beat 12'",
  ],
  [
    "plays of beats, and the plays of their producers",
    "update beats set play_count = play_count + 5 where title in ('Beat 13', 'Beat 14')",
  ],
  ["a producer renamed", "update users set display_name = 'Renamed' where display_name = 'Producer 1'"],
  [
    "a new producer without beats",
    "insert into users (username, display_name, is_producer) values ('fresh', 'Fresh', true)",
  ],
  ["a user who is no longer a producer", "update users set is_producer = false where username = 'fresh'"],
  ["a genre renamed", "update genres set name = 'Renamed genre', slug = 'renamed-genre' where name = 'Genre 1'"],
  ["a new genre", "insert into genres (name, slug) values ('Fresh genre', 'fresh-genre')"],
])("the follower applies %s", async (_what, statement) => {
  const before = structuredClone(engine.rows);
  await driver.unsafe(statement);
  await expectCaughtUp();
  expect(engine.rows).not.toEqual(before);
});

test("the follower applies commits of concurrent writers during a catch-up", async () => {
  const random = seededRandom(17);
  let writing = 3;
  const write = async (): Promise<void> => {
    for (let n = 0; n < 15; n++) {
      const change = random() < 0.5 ? "play_count = play_count + 1" : "is_listed = not is_listed";
      await driver.begin(async (transaction) => {
        await transaction.unsafe(
          `update beats set ${change} where exclusive_state = 'available' and id = (select min(id) from beats where id > $1)`,
          [Math.floor(random() * 25)],
        );
        await turn();
      });
    }
    writing--;
  };
  const writers = [write(), write(), write()];
  while (writing > 0) {
    expect(await follower.catchUp()).toBeNull();
    await turn();
  }
  await Promise.all(writers);
  await expectCaughtUp();
});

test("the follower applies a large backlog in steps", async () => {
  await driver.unsafe(
    "select add_changes('beats', 'updated', array(select generate_series(1000000, 1011999)) || array(select id from beats))",
  );
  const before = engine.applied;
  await expectCaughtUp();
  expect(engine.applied - before).toBeGreaterThanOrEqual(3);
});

test("a catch-up ends even if a writer is faster", async () => {
  let reads = 0;
  const concurrent = {
    read: async (...parameters: Parameters<typeof reader.read>) => {
      const result = await reader.read(...parameters);
      if (reads++ < 20)
        await driver.unsafe("select add_changes('beats', 'updated', array(select generate_series(1000000, 1011999)))");
      return result;
    },
  } as typeof reader;
  const follower = await Follower.build(concurrent, new RecordingEngine(), () => {});
  expect(await follower.catchUp()).toBeNull();
  expect(reads).toBeLessThan(8);
  expect(follower.position).toBeNull();
});

test("a connection that PostgreSQL ends is opened again", async () => {
  await driver.unsafe("update beats set title = 'After the end' where title = 'Beat 15'");
  await driver.unsafe(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'beatmarket index %' and datname = current_database()",
  );
  // The network determines whether the follower detects the end before its next statement.
  await follower.catchUp().catch((error) => expect(error.code).toMatch(/57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE/));
  await expectCaughtUp();
});

test("a catch-up that PostgreSQL does not answer in time is abandoned, and the next one applies the missed changes", async () => {
  const read = reader.read.bind(reader);
  const hasty = vi.spyOn(reader, "read").mockImplementation((work) => read(work, { timeoutMs: 20 }));
  onTestFinished(() => hasty.mockRestore());
  await driver.unsafe("update beats set title = 'Before the silence' where title = 'Beat 16'");
  await driver.begin(async (transaction) => {
    await transaction`lock table catalogue_changes in access exclusive mode`;
    await expect(follower.catchUp()).rejects.toMatchObject({ code: "ETIMEDOUT" });
  });
  hasty.mockRestore();
  await expectCaughtUp();
});

// Runs as superuser without triggers, to imitate a restored database. The stream of changes continues after
// each statement.
const withoutTriggers = (statement: string) =>
  driver.begin(async (transaction) => {
    await transaction.unsafe("set local session_replication_role = replica");
    await transaction.unsafe(statement);
  });
const change = () => driver.unsafe("select add_changes('beats', 'updated', array(select min(id) from beats))");

test.each([
  [
    "the newest applied change is gone",
    "delete from catalogue_changes where position = (select max(position) from catalogue_changes)",
    /restored to an earlier time.*no change at position/,
  ],
  [
    "another change is at the newest applied position",
    "update catalogue_changes set changed_at = changed_at - interval '1 second' where position = (select max(position) from catalogue_changes)",
    /restored to an earlier time.*is not the one/,
  ],
])("another database is recognized when %s", async (_what, statement, reason) => {
  await change();
  await follower.catchUp();
  await withoutTriggers(statement);
  expect(await follower.catchUp()).toMatch(reason);
});

test("a position that the database does not store any more is recognized", async () => {
  await change();
  await change();
  await withoutTriggers("delete from catalogue_changes where position < (select max(position) from catalogue_changes)");
  expect(await follower.catchUp()).toMatch(/^the changes from position \d+ to \d+ are no longer kept$/);
});
