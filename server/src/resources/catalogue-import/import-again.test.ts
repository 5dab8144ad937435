import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import {
  clearCatalogue,
  importContent,
  importedBeats,
  mapped,
  plainHeader,
  plainMapping,
} from "../../../test/harness/imports.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;
const now = new FakeClock().now();

beforeEach(() => clearCatalogue(database));

describe("importing again", () => {
  const text = `${plainHeader}1,One,Ana,Trap,90,Am\n2,Two,Bo,House,120,\n,Three,Ana,Trap,95,\n`;

  test("counts all beats of the same file as unchanged, and writes none", async () => {
    await importContent(database, text);
    const before = await driver`select b.*, b.xmin::text from beats b order by id`;
    expect(await importContent(database, text)).toMatchObject({ created: 0, updated: 0, unchanged: 3, rejected: 0 });
    expect(await driver`select b.*, b.xmin::text from beats b order by id`).toEqual(before);
  });

  test("updates the values that differ in the file, and nothing else", async () => {
    await importContent(database, text);
    await driver`update beats set description = 'by hand', download_count = 5, created_at = '2020-01-01'`;
    const clock = new FakeClock(now.getTime() + 1000);
    const changed = text.replace("One,Ana,Trap,90,Am", "One (Remix),Bo,Drill,91.5,C");
    expect(await importContent(database, changed, { clock })).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
    const [one, two] = await importedBeats(database);
    expect(one).toMatchObject({
      title: "One (Remix)",
      producer: "Bo",
      genre: "Drill",
      tempo: 91.5,
      key: "C",
      key_code: 24,
      description: "by hand",
      download_count: 5,
      created_at: new Date("2020-01-01"),
      updated_at: clock.now(),
    });
    expect(two).toMatchObject({ title: "Two", updated_at: now });
    expect(
      await driver`select display_name, beats_count from users join producer_counts on user_id = id order by 1`,
    ).toEqual([
      { display_name: "Ana", beats_count: 1 },
      { display_name: "Bo", beats_count: 2 },
    ]);
    expect(await driver`select name, beats_count from genres order by name`).toEqual([
      { name: "Drill", beats_count: 1 },
      { name: "House", beats_count: 1 },
      { name: "Trap", beats_count: 1 },
    ]);
  });

  test.each([
    ["genre", "genre", "", "Other"],
    ["key", "key", "", ""],
    ["duration", "duration_seconds", "", 0],
    ["popularity", "popularity", "7", 7],
    ["audio_url", "audio_url", "", null],
    ["cover_image", "cover_image", "https://b.example/2", "https://b.example/2"],
    ["description", "description", "new", "new"],
    ["tags", "tags", "b,a", ["b", "a"]],
    ["created_at", "created_at", "2021", new Date("2021-01-01")],
    ["title", "title", "Other", "Other"],
    ["tempo", "tempo", "90.001", 90.001],
  ])("writes a changed %s", async (field, column, value, expected) => {
    const first: Record<string, string> = {
      external_id: "1",
      title: "T",
      producer: "P",
      tempo: "90",
      genre: "G",
      key: "Am",
      duration: "60",
      popularity: "5",
      audio_url: "https://a.example/1",
      cover_image: "https://a.example/2",
      tags: "a,b",
      description: "old",
      created_at: "2020",
    };
    const { duration, ...same } = Object.fromEntries(Object.keys(first).map((name) => [name, name]));
    const mapping = { source: "s", fields: { ...same, duration: { column: duration, unit: "s" } } };
    const lines = (row: Record<string, string>) => `${JSON.stringify(row)}\n`;
    await importContent(database, lines(first), { mapping, name: "a.jsonl" });
    const again = { ...first, [field]: value };
    expect(await importContent(database, lines(again), { mapping, name: "a.jsonl" })).toMatchObject({ updated: 1 });
    expect((await importedBeats(database))[0]?.[column]).toEqual(expected);
    expect(await importContent(database, lines(again), { mapping, name: "a.jsonl" })).toMatchObject({ unchanged: 1 });
  });

  test("never decreases counts", async () => {
    const mapping = mapped({ play_count: "plays" });
    const rows = (plays: number) => `external_id,title,producer,genre,tempo,key,plays\n1,A,P,G,90,,${plays}\n`;
    await importContent(database, rows(10), { mapping });
    await driver`update beats set play_count = 15`;
    expect(await importContent(database, rows(12), { mapping })).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await importedBeats(database)).toMatchObject([{ play_count: 15 }]);
    expect(await importContent(database, rows(20), { mapping })).toMatchObject({ updated: 1 });
    expect(await importedBeats(database)).toMatchObject([{ play_count: 20 }]);
  });

  test("does not put a beat back on sale that is off sale", async () => {
    await importContent(database, text);
    await driver`update beats set is_listed = false where external_id = '1'`;
    expect(await importContent(database, text.replace("One", "Uno"))).toMatchObject({ updated: 1 });
    expect((await importedBeats(database))[0]).toMatchObject({ title: "Uno", is_listed: false });
  });
});

describe("rows with the same id", () => {
  const text = `${plainHeader}1,First,Ana,Trap,90,\n2,Other,Ana,Trap,90,\n1,Second,Bo,House,91,\n1,Third,Cy,Drill,92,\n`;

  test.each([1, 2, 1000])("make the beat of the first row, in batches of %i", async (batchSize) => {
    const counts = { rejected: 0, rows: 4, updated: 0 };
    expect(await importContent(database, text, { batchSize })).toMatchObject({ ...counts, created: 2, unchanged: 2 });
    expect(await importContent(database, text, { batchSize })).toMatchObject({ ...counts, created: 0, unchanged: 4 });
    expect((await importedBeats(database)).map(({ title }) => title).sort()).toEqual(["First", "Other"]);
  });

  test("create no producer and no genre for a row that is not the first", async () => {
    await importContent(database, text, { batchSize: 1 });
    expect(await driver`select display_name from users`).toEqual([{ display_name: "Ana" }]);
    expect(await driver`select name from genres`).toEqual([{ name: "Trap" }]);
  });

  test("make the beat of the first row that is accepted", async () => {
    const outcome = await importContent(database, `${plainHeader}1,First,Ana,Trap,0,\n1,Second,Ana,Trap,91,\n`);
    expect(outcome).toMatchObject({ created: 1, rejected: 1 });
    expect(await importedBeats(database)).toMatchObject([{ title: "Second" }]);
  });

  test("are different beats if their sources differ", async () => {
    await importContent(database, text);
    expect(await importContent(database, text, { mapping: { ...plainMapping, source: "elsewhere" } })).toMatchObject({
      created: 2,
    });
  });
});

test("rows of a producer whose account was deleted are rejected, and bring no beat back", async () => {
  await importContent(database, `${plainHeader}1,One,Ana,Trap,90,\n2,Two,Bo,House,120,\n3,Three,Cy,House,120,\n`);
  await driver`update users set username = 'deleted_' || id where import_name = 'ana'`;
  await driver`
    insert into users (username, display_name) values ('bos-account', 'Bo')`;
  await driver`
    update users set joined_user_id = (select id from users where username = 'bos-account'), username = 'deleted_' || id
    where import_name = 'bo'`;
  const before = await driver`select b.*, b.xmin::text from beats b order by id`;
  const again = `${plainHeader}1,New,ANA,Trap,91,\n2,New,Bo,House,121,\n3,Three,Cy,House,120,\n4,Four,Ana,Trap,90,\n`;
  expect(await importContent(database, again)).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 1,
    rejected: 3,
    rejections: [{ kind: "producer: account deleted", times: 3, firstLines: [2, 3, 5] }],
  });
  expect(await driver`select b.*, b.xmin::text from beats b order by id`).toEqual(before);
});

test("rows without ids are identified by their number, which also counts malformed rows", async () => {
  const csv = `${plainHeader},One,P,G,90,\n,Two\n,Three,P,G,90,\n`;
  await importContent(database, csv);
  expect((await importedBeats(database)).map(({ external_id }) => external_id)).toEqual(["row 1", "row 3"]);
  const repaired = csv.replace(",Two\n", ",Two,P,G,90,\n");
  expect(await importContent(database, repaired)).toMatchObject({ created: 1, unchanged: 2 });
});
