import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { importContent } from "../../../../test/harness/imports.ts";
import { readChanges } from "../../changes/queries.ts";
import { deleteBeatlessGenres } from "../../genres/genres.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import { deleteBeatlessProducers } from "../../users/producers.ts";
import {
  countBySource,
  deleteSource,
  genresOfSource,
  relistSource,
  sampleOfSource,
  withdrawSource,
} from "./sources.ts";

const database = await testDatabase();
const { driver, query: db } = database;
const now = new Date("2026-03-01T12:00:00Z");
const { id: buyer } = await findOrCreateAccount(db, { email: "buyer@example.com" });

const importRows = (source: string, rows: readonly string[]) =>
  importContent(database, ["external_id,title,producer,genre,tempo,key", ...rows, ""].join("\n"), {
    mapping: {
      source,
      fields: {
        external_id: "external_id",
        title: "title",
        producer: "producer",
        genre: "genre",
        tempo: "tempo",
      },
    },
  });

beforeEach(async () => {
  await driver`truncate orders, beats, genres, producer_counts cascade`;
  await driver`delete from users where import_name is not null`;
  await importRows("right", ["r1,Right,Ana,Trap,90,"]);
  await importRows("wrong", ["w1,One,Ana,Trap,90,", "w2,Two,Bo,Drill,90,", "w3,Three,Cy,Drill,90,"]);
});

const idOf = async (externalId: string): Promise<number> =>
  (await driver`select id from beats where external_id = ${externalId}`)[0]?.id;

const order = async (externalId: string) =>
  driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                        payment_method, payment_provider, payment_key, created_at)
    select ${buyer}, id, title, user_id, 'P', 'basic', 100, 'USD', 'pm', 'sandbox', 'order ' || id, ${now}
    from beats where external_id = ${externalId}`;

const beatCounts = async () => ({
  genres: Object.fromEntries(
    (await driver`select name, beats_count as n from genres order by name`).map(({ name, n }) => [name, n]),
  ),
  producers: Object.fromEntries(
    (
      await driver`select display_name as name, beats_count as n from users join producer_counts on user_id = id
        where is_producer order by 1`
    ).map(({ name, n }) => [name, n]),
  ),
});

/** Returns a function that lists the changes of beats since this call, each with whether the beat is shown. */
async function recordChanges() {
  const { page } = await readChanges(db, null, 1000);
  return async () => {
    const { page: later } = await readChanges(db, page.next, 1000);
    return later.changes.map(({ beatId, type, beat }) => ({ beatId, type, isShown: beat !== null }));
  };
}

test("the beats of each source are counted by state", async () => {
  await order("w2");
  await driver`update beats set is_listed = false where external_id = 'w1'`;
  expect(await countBySource(db)).toEqual([
    { source: "right", beats: 1, listed: 1, withdrawn: 0, sold: 0, ordered: 0 },
    { source: "wrong", beats: 3, listed: 2, withdrawn: 1, sold: 0, ordered: 1 },
  ]);
  expect(await countBySource(db, "wrong")).toMatchObject([{ source: "wrong", beats: 3 }]);
  expect(await countBySource(db, "nobody's")).toEqual([]);
  expect(await sampleOfSource(db, "wrong", 2)).toMatchObject([
    { external_id: "w3", title: "Three", producer_name: "Cy", genre_name: "Drill", state: "listed" },
    { external_id: "w2", state: "listed" },
  ]);
});

test("withdrawing and relisting a source update the counts and add entries to the change stream", async () => {
  const ids = [await idOf("w1"), await idOf("w2"), await idOf("w3")];
  const changes = await recordChanges();
  expect(await withdrawSource(db, "wrong", { now })).toEqual({ withdrawn: 3, held: 0 });
  expect(await changes()).toEqual(ids.map((beatId) => ({ beatId, type: "withdrawn", isShown: false })));
  expect(await beatCounts()).toEqual({ genres: { Drill: 0, Trap: 1 }, producers: { Ana: 1, Bo: 0, Cy: 0 } });
  expect(await withdrawSource(db, "wrong", { now })).toEqual({ withdrawn: 0, held: 0 });
  const back = await recordChanges();
  expect(await relistSource(db, "wrong", { now })).toBe(3);
  expect(await back()).toEqual(ids.map((beatId) => ({ beatId, type: "published", isShown: true })));
  expect(await beatCounts()).toEqual({ genres: { Drill: 2, Trap: 2 }, producers: { Ana: 2, Bo: 1, Cy: 1 } });
});

test("a later import does not put withdrawn beats back on sale", async () => {
  await withdrawSource(db, "wrong", { now });
  expect(await importRows("wrong", ["w1,Another,Ana,Trap,90,"])).toMatchObject({ updated: 1 });
  expect(await countBySource(db, "wrong")).toMatchObject([{ withdrawn: 3 }]);
});

test("a sold beat stays sold", async () => {
  await order("w1");
  await driver`
    update beats set is_listed = false, exclusive_state = 'sold', exclusive_order_id = (select id from orders)
    where external_id = 'w1'`;
  expect(await withdrawSource(db, "wrong", { now })).toEqual({ withdrawn: 2, held: 0 });
  expect(await relistSource(db, "wrong", { now })).toBe(2);
  expect(await countBySource(db, "wrong")).toMatchObject([{ listed: 2, sold: 1 }]);
});

test("a beat whose exclusive license is held stays on sale until that payment ends", async () => {
  await order("w1");
  await driver`
    update beats set exclusive_state = 'held', exclusive_order_id = (select id from orders),
      exclusive_held_until = ${new Date(now.getTime() + 60_000)}
    where external_id = 'w1'`;
  expect(await withdrawSource(db, "wrong", { now })).toEqual({ withdrawn: 2, held: 1 });
  expect(await deleteSource(db, "wrong", { now })).toEqual({ deleted: 2, kept: 1, held: 1 });
  expect(await countBySource(db, "wrong")).toMatchObject([{ beats: 1, listed: 1 }]);
  const later = new Date(now.getTime() + 60_000);
  expect(await withdrawSource(db, "wrong", { now: later })).toEqual({ withdrawn: 1, held: 0 });
});

test("an import leaves a sold or held beat unchanged, and counts it as frozen", async () => {
  await order("w1");
  await driver`
    update beats set is_listed = false, exclusive_state = 'sold', exclusive_order_id = (select id from orders)
    where external_id = 'w1'`;
  await order("w2");
  await driver`
    update beats set exclusive_state = 'held', exclusive_order_id = (select max(id) from orders),
      exclusive_held_until = now() + interval '1 hour'
    where external_id = 'w2'`;
  const rows = ["w1,Another,Ana,Trap,90,", "w2,Another,Bo,Drill,91,", "w3,Another,Cy,Drill,92,"];
  // A frozen beat counts as unchanged, too.
  expect(await importRows("wrong", rows)).toMatchObject({ updated: 1, unchanged: 2, frozen: 2, rejected: 0 });
  expect(await importRows("wrong", rows)).toMatchObject({ updated: 0, unchanged: 3, frozen: 2, rejected: 0 });
  const titles = await driver`select title from beats where source = 'wrong' order by external_id`;
  expect(titles.map(({ title }) => title)).toEqual(["One", "Two", "Another"]);
});

test("a source can be deleted with its producers and genres that have no other beat", async () => {
  const ids = [await idOf("w1"), await idOf("w2"), await idOf("w3")];
  const changes = await recordChanges();
  const genreIds = await genresOfSource(db, "wrong");
  await driver`insert into genres (name, slug) values ('Phonk', 'phonk')`;
  expect(await deleteSource(db, "wrong", { now })).toEqual({ deleted: 3, kept: 0, held: 0 });
  expect(await changes()).toEqual(ids.map((beatId) => ({ beatId, type: "withdrawn", isShown: false })));
  expect(await deleteBeatlessProducers(db)).toBe(2);
  expect(await deleteBeatlessGenres(db, genreIds)).toBe(1);
  expect(await driver`delete from genres where slug = 'phonk' returning name`).toEqual([{ name: "Phonk" }]);
  expect(await beatCounts()).toEqual({ genres: { Trap: 1 }, producers: { Ana: 1 } });
  expect(await countBySource(db)).toMatchObject([{ source: "right", beats: 1 }]);
  expect(await importRows("wrong", ["w2,Two,Bo,Drill,90,"])).toMatchObject({ created: 1 });
  expect(await beatCounts()).toEqual({ genres: { Drill: 1, Trap: 1 }, producers: { Ana: 1, Bo: 1 } });
});

test("a beat with an order is withdrawn instead of deleted, and its producer and genre stay", async () => {
  await order("w2");
  const genreIds = await genresOfSource(db, "wrong");
  expect(await deleteSource(db, "wrong", { now })).toEqual({ deleted: 2, kept: 1, held: 0 });
  await deleteBeatlessProducers(db);
  await deleteBeatlessGenres(db, genreIds);
  expect(await countBySource(db, "wrong")).toMatchObject([{ beats: 1, withdrawn: 1, ordered: 1 }]);
  expect(await beatCounts()).toEqual({ genres: { Drill: 0, Trap: 1 }, producers: { Ana: 1, Bo: 0 } });
});

test("a beat is not deleted if an order is placed concurrently", async () => {
  let deleting: Promise<unknown> = Promise.resolve();
  await driver.begin(async (buying) => {
    await buying`select from beats where external_id = 'w3' for key share`;
    deleting = deleteSource(db, "wrong", { now });
    await expect
      .poll(
        () => driver`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from beats%'`,
      )
      .toHaveLength(1);
    await buying`
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                          payment_method, payment_provider, payment_key, created_at)
      select ${buyer}, id, title, user_id, 'P', 'basic', 100, 'USD', 'pm', 'sandbox', 'late', ${now}
      from beats where external_id = 'w3'`;
  });
  expect(await deleting).toEqual({ deleted: 2, kept: 1, held: 0 });
  expect(await countBySource(db, "wrong")).toMatchObject([{ beats: 1, withdrawn: 1, ordered: 1 }]);
});

test("deleteBeatlessProducers keeps buyers, and producers whose beats are all withdrawn", async () => {
  await withdrawSource(db, "wrong", { now });
  expect(await deleteBeatlessProducers(db)).toBe(0);
  expect(await deleteBeatlessGenres(db, await genresOfSource(db, "wrong"))).toBe(0);
  expect(await driver`select from users where id = ${buyer}`).toHaveLength(1);
});

test("an aborted signal stops before the first batch", async () => {
  const stopped = AbortSignal.abort();
  expect(await withdrawSource(db, "wrong", { now, signal: stopped })).toEqual({ withdrawn: 0, held: 0 });
  expect(await deleteSource(db, "wrong", { now, signal: stopped })).toEqual({ deleted: 0, kept: 0, held: 0 });
});
