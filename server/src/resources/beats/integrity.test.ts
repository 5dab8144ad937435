import { beforeEach, describe, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";

// Triggers give the guarantees of foreign keys, but check once for each statement instead of each row (migration 0001).

const database = await testDatabase();
const { driver } = database;
let beat: { id: number; user_id: number; genre_id: number };

beforeEach(async () => {
  await driver`truncate beats, genres, users, producer_counts cascade`;
  const [id = 0] = await insertBeats(database, [{ producer: "Ana", genre: "Trap" }]);
  const [row] = await driver<(typeof beat)[]>`select id, user_id, genre_id from beats where id = ${id}`;
  if (row === undefined) throw new Error("The beat is missing.");
  beat = row;
});

const copy = (changes: { user_id?: number; genre_id?: number; is_listed?: boolean }) => driver`
  insert into beats (user_id, genre_id, is_listed, title, tempo, price_cents, premium_price_cents,
                     unlimited_price_cents, exclusive_price_cents)
  select ${changes.user_id ?? beat.user_id}, ${changes.genre_id ?? beat.genre_id}, ${changes.is_listed ?? true},
         title, tempo, 0, 0, 0, 0
  from beats where id = ${beat.id}`;

const foreignKeyViolation = { code: "23503" };
const count = async () => (await driver`select id from beats`).length;

describe.each([true, false])("a beat whose is_listed is %s", (is_listed) => {
  test("cannot have a genre that does not exist", async () => {
    await expect(copy({ genre_id: 999_999, is_listed })).rejects.toMatchObject(foreignKeyViolation);
    await expect(driver`update beats set genre_id = 999999, is_listed = ${is_listed}`).rejects.toMatchObject(
      foreignKeyViolation,
    );
    expect(await count()).toBe(1);
  });

  test("cannot have a producer who does not exist", async () => {
    await expect(copy({ user_id: 999_999, is_listed })).rejects.toMatchObject(foreignKeyViolation);
    await expect(driver`update beats set user_id = 999999, is_listed = ${is_listed}`).rejects.toMatchObject(
      foreignKeyViolation,
    );
    expect(await count()).toBe(1);
  });

  test("prevents the deletion of its genre and its producer", async () => {
    await driver`update beats set is_listed = ${is_listed}`;
    await expect(driver`delete from genres`).rejects.toMatchObject(foreignKeyViolation);
    await expect(driver`delete from users`).rejects.toMatchObject(foreignKeyViolation);
    await driver`delete from beats`;
    await driver`delete from genres`;
    expect(await driver`select id from genres`).toEqual([]);
  });
});

test("one wrong row among many fails the statement", async () => {
  await expect(driver`
    insert into beats (user_id, genre_id, title, tempo, price_cents, premium_price_cents, unlimited_price_cents,
                       exclusive_price_cents)
    select ${beat.user_id}::bigint, ${beat.genre_id}::bigint + case when n = 50 then 1000 else 0 end, 'T', 90, 0, 0, 0, 0
    from generate_series(1, 100) n`).rejects.toMatchObject(foreignKeyViolation);
  expect(await driver`select beats_count from genres`).toEqual([{ beats_count: 1 }]);
  expect(await count()).toBe(1);
});

test("a genre that is being deleted accepts no beat", async () => {
  await driver`delete from beats`;
  let lateWrites: Promise<unknown> = Promise.resolve();
  await driver.begin(async (deleting) => {
    await deleting`delete from genres`;
    lateWrites = Promise.allSettled([
      driver`
        insert into beats (user_id, genre_id, title, tempo, price_cents, premium_price_cents, unlimited_price_cents,
                           exclusive_price_cents)
        values (${beat.user_id}, ${beat.genre_id}, 'T', 90, 0, 0, 0, 0)`,
    ]);
    await expect
      .poll(
        () =>
          driver`select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into beats%'`,
      )
      .toHaveLength(1);
  });
  expect(await lateWrites).toMatchObject([{ status: "rejected", reason: foreignKeyViolation }]);
});

test("two transactions that update beats of one genre do not wait for each other", async () => {
  const [other] =
    await driver`insert into users (username, display_name, is_producer) values ('other', 'Other', true) returning id`;
  await copy({ user_id: other.id });
  await driver.begin(async (first) => {
    await first`update beats set play_count = play_count + 1 where user_id = ${beat.user_id}`;
    await driver.begin(async (second) => {
      await second`set local lock_timeout = '2s'`;
      await second`update beats set play_count = play_count + 1 where user_id = ${other.id}`;
    });
  });
  expect(await driver`select play_count::int as plays from beats where user_id = ${other.id}`).toEqual([{ plays: 1 }]);
});

test("concurrent changes of `is_listed` keep the counts of beats of several genres correct", async () => {
  const [drill] = await driver`insert into genres (name, slug) values ('Drill', 'drill') returning id`;
  await copy({ genre_id: drill.id });
  const toggle = (isListed: boolean) => driver`update beats set is_listed = ${isListed}`;
  await Promise.all([toggle(false), toggle(false), toggle(true), toggle(true)]);
  await toggle(true);
  expect(await driver`select beats_count::int as beats from genres order by id`).toEqual([{ beats: 1 }, { beats: 1 }]);
});
