import type { Reader } from "@beatmarket/postgres/connection/reader.ts";
import { describe, expect, it } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { findProducers } from "../../users/queries.ts";
import { BeatCatalogue } from "./beat-catalogue.ts";

const database = await testDatabase();
const ids = await insertBeats(
  database,
  ["Nightowl", "Kilo Volt"].flatMap((producer) => [
    { producer, genre: "Trap" },
    { producer, genre: "House" },
  ]),
);

const open = async () => {
  const version = new CatalogueVersion();
  const unfollow = await version.follow(database.listener);
  return { catalogue: new BeatCatalogue(database, version), version, unfollow };
};
const producersOf = async (catalogue: BeatCatalogue) => (await catalogue.listed(ids)).map((beat) => beat.producer_name);

describe("names are up to date", () => {
  it("a producer's new name, written by any process, is on every page and beat", async () => {
    const { catalogue, unfollow } = await open();
    expect(new Set(await producersOf(catalogue))).toEqual(new Set(["Nightowl", "Kilo Volt"]));
    await database.driver`update users set display_name = 'Day Owl' where display_name = 'Nightowl'`;
    await expect.poll(async () => new Set(await producersOf(catalogue))).toEqual(new Set(["Day Owl", "Kilo Volt"]));
    const [beat] = await catalogue.listed(ids);
    expect((await catalogue.beat(beat?.id ?? 0)).producer_name).toBe(beat?.producer_name);
    unfollow();
  });

  it("a genre's new name is on every beat", async () => {
    const { catalogue, unfollow } = await open();
    const genres = async () => new Set((await catalogue.listed(ids)).map((beat) => beat.genre_name));
    expect(await genres()).toEqual(new Set(["Trap", "House"]));
    await database.driver`update genres set name = 'Deep House', slug = 'deep-house' where name = 'House'`;
    await expect.poll(genres).toEqual(new Set(["Trap", "Deep House"]));
    unfollow();
  });

  it("a play or a new beat does not empty the cache of genre names", async () => {
    const { catalogue, version, unfollow } = await open();
    await producersOf(catalogue);
    const { current, names } = version;
    await database.driver`update beats set play_count = play_count + 1`;
    const added = await insertBeats(database, [{ producer: "Nordlys", genre: "Trap" }]);
    await expect.poll(() => version.current).toBeGreaterThan(current);
    expect(version.names).toBe(names);
    expect((await catalogue.listed(added)).map((beat) => beat.producer_name)).toEqual(["Nordlys"]);
    unfollow();
  });
});

describe("beats by their ids", () => {
  it("come in the order of the ids: only listed beats from `listed`, and sold beats, too, from `details`", async () => {
    const { catalogue, unfollow } = await open();
    const [first = 0, second = 0, third = 0] = ids;
    await database.query
      .updateTable("beats")
      .set({ is_listed: false, exclusive_state: "sold", exclusive_order_id: 1 })
      .where("id", "=", second)
      .execute();
    const requestedIds = [third, 999_999, second, first];
    expect((await catalogue.listed(requestedIds)).map(({ id }) => id)).toEqual([third, first]);
    expect((await catalogue.details(requestedIds)).map(({ id, is_listed }) => [id, is_listed])).toEqual([
      [third, true],
      [second, false],
      [first, true],
    ]);
    await database.query
      .updateTable("beats")
      .set({ is_listed: true, exclusive_state: "available", exclusive_order_id: null })
      .where("id", "=", second)
      .execute();
    unfollow();
  });
});

describe("concurrent reads", () => {
  it("of pages share one statement, and each page has the beats of its ids, in the order of the ids", async () => {
    const texts: string[] = [];
    const reader = {
      query: (text: string, values: unknown[]) => {
        texts.push(text);
        return database.reader.query(text, values);
      },
    } as unknown as Reader;
    const catalogue = new BeatCatalogue({ query: database.query, reader }, new CatalogueVersion());
    const [first = 0, second = 0, third = 0] = ids;
    const pages = [[third, first], [999_999], [first, second, third]];
    const loadedPages = await Promise.all(pages.map((page) => catalogue.listed(page)));
    expect(loadedPages.map((page) => page.map(({ id }) => id))).toEqual([[third, first], [], [first, second, third]]);
    expect(texts.filter((text) => text.includes("from beats"))).toHaveLength(1);
  });

  it("of producers return each producer, and undefined for an unknown id", async () => {
    const { catalogue, unfollow } = await open();
    const [beat] = await catalogue.listed(ids);
    const [producer, none] = await Promise.all([catalogue.producer(beat?.user_id ?? 0), catalogue.producer(999_999)]);
    expect(producer).toEqual((await findProducers(database.query, [beat?.user_id ?? 0])).get(beat?.user_id ?? 0));
    expect(producer).toBeDefined();
    expect(none).toBeUndefined();
    unfollow();
  });
});

describe("one beat", () => {
  it("that does not exist is rejected, while concurrent reads of other beats succeed", async () => {
    const { catalogue, unfollow } = await open();
    const results = await Promise.allSettled([catalogue.beat(1), catalogue.beat(999_999), catalogue.beat(2)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    unfollow();
  });
});
