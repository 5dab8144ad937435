import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import {
  catalogueOf,
  clearCatalogue,
  importContent,
  importedBeats,
  mapped,
  plainHeader,
  plainMapping,
} from "../../../test/harness/imports.ts";
import { isBeingRead } from "./write/import-session.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;
const now = new FakeClock().now();

beforeEach(() => clearCatalogue(database));

describe("a row", () => {
  const everything = {
    source: { column: "from" },
    fields: {
      external_id: "id",
      title: "title",
      producer: "producer",
      genre: "genre",
      tempo: "tempo",
      key: { column: "key", mode_column: "mode" },
      duration: { column: "length", unit_column: "unit" },
      created_at: "released",
      popularity: "popularity",
      play_count: "plays",
      download_count: "downloads",
      audio_url: "audio",
      cover_image: "cover",
      description: "about",
      tags: "tags",
    },
    prices: { column: "price", ending_cents: 0, premium_percent: 150, unlimited_percent: 300, exclusive_percent: 1000 },
  };
  const columns =
    "from,id,title,producer,genre,tempo,key,mode,length,unit,released,popularity,plays,downloads,audio,cover,about,tags,price\n";

  test("becomes a beat with all its values", async () => {
    const row =
      'shop,7,"Night, ""Drive""",Ana B,Trap,92.517,7,0,3:25,m:ss,2019-06-14,66,"1,200",3,https://a.example/7.mp3,https://a.example/7.png,Dark,"dark, 808,dark",29.9\n';
    expect(await importContent(database, columns + row, { mapping: everything })).toMatchObject({
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      rows: 1,
      stoppedBecause: null,
      remarks: [],
    });
    expect(await importedBeats(database)).toMatchObject([
      {
        source: "shop",
        external_id: "7",
        title: 'Night, "Drive"',
        producer: "Ana B",
        genre: "Trap",
        tempo: 92.517,
        key: "G minor",
        key_code: 22,
        duration_seconds: 205,
        popularity: 66,
        price_cents: 2990,
        premium_price_cents: 4500,
        unlimited_price_cents: 9000,
        exclusive_price_cents: 29_900,
        play_count: 1200,
        download_count: 3,
        description: "Dark",
        tags: ["dark", "808"],
        is_listed: true,
        audio_url: "https://a.example/7.mp3",
        cover_image: "https://a.example/7.png",
        created_at: new Date("2019-06-14T00:00:00Z"),
        updated_at: now,
      },
    ]);
  });

  test("with only the required values gets defaults for the others", async () => {
    await importContent(database, `${columns}shop,,Night,Ana,,92,,,,,,,,,,,,,\n`, { mapping: everything });
    expect(await importedBeats(database)).toMatchObject([
      {
        external_id: "row 1",
        genre: "Other",
        key: "",
        key_code: 24,
        duration_seconds: 0,
        popularity: 0,
        play_count: 0,
        download_count: 0,
        audio_url: null,
        cover_image: null,
        description: "",
        tags: [],
        created_at: now,
        price_cents: 2000,
      },
    ]);
  });

  test("with an unreadable optional field is accepted, and the repair is counted", async () => {
    const row = "shop,7,Night,Ana,Trap,92,H#,?,long,m:ss,,101,-1,few,ftp://x,none,,x,\n";
    const { created, repairs, replaced } = await importContent(database, columns + row, { mapping: everything });
    expect(created).toBe(1);
    const unreadable = { line: 2, problem: "not readable" };
    expect(replaced).toEqual([
      { ...unreadable, field: "duration", given: "long", taken: 0 },
      { ...unreadable, field: "popularity", given: "101", taken: 0 },
      { ...unreadable, field: "play_count", given: "-1", taken: 0 },
      { ...unreadable, field: "download_count", given: "few", taken: 0 },
      { ...unreadable, field: "audio_url", given: "ftp://x", taken: null },
      { ...unreadable, field: "cover_image", given: "none", taken: null },
    ]);
    expect(repairs).toEqual(
      replaced.map(({ field }) => ({ kind: `${field}: not readable`, times: 1, firstLines: [2] })),
    );
    expect(await importedBeats(database)).toMatchObject([
      { key: "C", duration_seconds: 0, created_at: now, audio_url: null },
    ]);
  });

  test("has each tag once, split at commas", async () => {
    const text = '{"title":"A","producer":"P","tempo":90,"tags":["dark, warm","Dark","cafe\u0301","café","C","C#"]}\n';
    await importContent(database, text, { name: "a.jsonl", mapping: mapped({ tags: "tags" }) });
    expect((await importedBeats(database))[0]?.tags).toEqual(["dark", "warm", "café", "C", "C#"]);
  });

  test("dated tomorrow, which is today in another time zone, is dated now, and the repair has the line", async () => {
    const mapping = mapped({ created_at: "date" });
    const text = "external_id,title,producer,genre,tempo,key,date\n1,A,P,G,90,,2025-12-31\n2,B,P,G,90,,2026-01-02\n";
    const { replaced } = await importContent(database, text, { mapping });
    expect(replaced).toEqual([
      { line: 3, field: "created_at", problem: "ahead of now", given: "2026-01-02", taken: now.toISOString() },
    ]);
    expect((await importedBeats(database))[1]?.created_at).toEqual(now);
  });

  test("that is rejected has no repairs", async () => {
    const { repairs, rejections, replaced } = await importContent(database, `${plainHeader}1,A\u0007B,P,G,fast,\n`);
    expect([repairs, replaced]).toEqual([[], []]);
    expect(rejections).toEqual([{ kind: "tempo: not a number", times: 1, firstLines: [2] }]);
  });

  test("uses the mapping's value if the mapping names no column", async () => {
    const fields = {
      external_id: "id",
      title: "name",
      producer: { value: "Ana B" },
      genre: { value: "Trap" },
      tempo: { value: 100 },
      key: { value: "8A" },
      duration: { value: "3:20", unit: "m:ss" },
      popularity: { value: 66 },
      tags: { value: "dark, 808" },
      created_at: { value: "2019-06-14" },
    };
    const mapping = { source: "test", fields };
    expect(await importContent(database, "id,name\n1,Night\n2,Day\n", { mapping })).toMatchObject({
      created: 2,
      rejected: 0,
      repairs: [],
    });
    const both = { producer: "Ana B", genre: "Trap", tempo: 100, key: "A minor", duration_seconds: 200 };
    const more = { popularity: 66, tags: ["dark", "808"], created_at: new Date("2019-06-14T00:00:00Z") };
    expect(await importedBeats(database)).toMatchObject([
      { title: "Night", ...both, ...more },
      { title: "Day", ...both, ...more },
    ]);
  });

  test.each([
    [
      { tempo: { value: "fast" } },
      'The mapping\'s fields.tempo has the value "fast"; it takes a number above 0 and below 1000.',
    ],
    [
      { title: { value: "\u200b" } },
      /^The mapping's fields\.title has the value .*it takes a visible text of at most 500/,
    ],
    [
      { producer: { value: "x".repeat(501) } },
      /^The mapping's fields\.producer has the value .*at most 500 characters/,
    ],
    [
      { key: { value: "x".repeat(51) } },
      /^The mapping's fields\.key has the value .*it takes a key such as "C# minor"/,
    ],
    [
      { duration: { value: "long", unit: "s" } },
      /^The mapping's fields\.duration has the value "long"; it takes a duration/,
    ],
    [{ genre: { value: "x".repeat(101) } }, /^The mapping's fields\.genre has the value .*which cannot be read/],
    [{ popularity: { value: 101 } }, 'The mapping\'s fields.popularity has the value "101", which cannot be read.'],
    [{ created_at: { value: "2026-01-02" } }, /^The mapping's fields\.created_at .* cannot be used: ahead of now/],
  ])("is not read if the mapping has an impossible value: %j", async (fields, message) => {
    await expect(importContent(database, `${plainHeader}1,A,P,G,90,\n`, { mapping: mapped(fields) })).rejects.toThrow(
      message,
    );
    expect(await importedBeats(database)).toEqual([]);
  });

  test.each([
    ["title is empty", '1," ",P,G,90,', "the title (column title) is empty"],
    ["title is invisible", "1,\u200b,P,G,90,", 'the title (column title) is "\u200b", which stands for nothing'],
    ["title is a null word", "1,NA,P,G,90,", 'the title (column title) is "NA", which stands for nothing'],
    [
      "title is too long",
      `1,${"x".repeat(501)},P,G,90,`,
      "the title (column title) has 501 characters; 500 are the most",
    ],
    ["producer is empty", "1,T,,G,90,", "the producer (column producer) is empty"],
    ["tempo is empty", "1,T,P,G,,", "the tempo (column tempo) is empty"],
    ["tempo is not a number", "1,T,P,G,fast,", 'the tempo (column tempo) is "fast", which is not a number'],
    ["tempo is NaN", "1,T,P,G,NaN,", 'the tempo (column tempo) is "NaN", which is not a number'],
    ["tempo is 0", "1,T,P,G,0,", 'the tempo (column tempo) is "0"; it must be above 0 and below 1000'],
    ["tempo is negative", "1,T,P,G,-90,", 'the tempo (column tempo) is "-90"; it must be above 0 and below 1000'],
    ["tempo is too high", "1,T,P,G,1000,", 'the tempo (column tempo) is "1000"; it must be above 0 and below 1000'],
    [
      "id is too long",
      `${"x".repeat(201)},T,P,G,90,`,
      "the external_id (column external_id) has 201 characters; 200 are the most",
    ],
    ["row has too few columns", "1,T,P", "the row has 3 columns, the header has 6"],
    ["row has too many columns", "1,T,P,G,90,,x", "the row has 7 columns, the header has 6"],
    ["row has text after a closing quote", '1,"T"x,P,G,90,', "the row has text after the closing quote of column 2"],
  ])("is rejected if the %s, with line and text", async (_, row, reason) => {
    const text = `${plainHeader}0,before,P,G,90,\n${row}\n2,after,P,G,90,\n`;
    const outcome = await importContent(database, text, { mapping: { ...plainMapping, null_words: ["NA"] } });
    expect(outcome).toMatchObject({ created: 2, rejected: 1, stoppedBecause: null });
    expect(outcome.rejects).toEqual([{ line: 3, reason, row }]);
    expect((await importedBeats(database)).map(({ title }) => title)).toEqual(["before", "after"]);
  });

  test("with the price 0 is rejected, since the exclusive license would be free, too", async () => {
    const mapping = { ...plainMapping, prices: { column: "key", unit: "cents" } };
    const { rejects } = await importContent(database, `${plainHeader}1,T,P,G,90,0\n`, { mapping });
    expect(rejects[0]?.reason).toContain("the exclusive one would be free, too");
  });

  test("with a price from which no other prices can be derived is rejected", async () => {
    const mapping = { ...plainMapping, prices: { column: "key", unit: "cents" } };
    const { rejects } = await importContent(database, `${plainHeader}1,T,P,G,90,2000000000\n`, { mapping });
    expect(rejects[0]?.reason).toBe(
      "the price is 2000000000 cents, which is too much for the licenses derived from it",
    );
  });
});

describe("producers", () => {
  test("with the same name are one producer, in any spelling", async () => {
    const names = ["Björk  Band", "björk band", " BJÖRK BAND", "Bjo\u0308rk Band", "Björk\u200b Band"];
    await importContent(database, plainHeader + names.map((name, i) => `${i},T,${name},G,90,\n`).join(""));
    expect(await driver`select display_name, username, is_producer, email from users`).toEqual([
      { display_name: "Björk  Band", username: "bjork-band", is_producer: true, email: null },
    ]);
  });

  test("whose names differ but have the same slug have different usernames", async () => {
    const names = ["Beyonce", "Beyoncé", "BEYONCE!", "Юрий", "東京", "!!!"];
    await importContent(database, plainHeader + names.map((name, i) => `${i},T,${name},G,90,\n`).join(""));
    const users = await driver<{ username: string }[]>`select username from users order by id`;
    expect(new Set(users.map(({ username }) => username)).size).toBe(names.length);
    for (const { username } of users) expect(username).toMatch(/^(beyonce(-[0-9a-f]+)?|producer-[0-9a-f]+)$/);
  });

  test("never take over an account", async () => {
    await driver`insert into users (username, email, display_name, is_producer) values ('ana', 'ana@x.example', 'Ana', true)`;
    await importContent(database, `${plainHeader}1,T,Ana,G,90,\n`);
    expect(await driver`select email, beats_count from users join producer_counts on user_id = id order by id`).toEqual(
      [
        { email: "ana@x.example", beats_count: 0 },
        { email: null, beats_count: 1 },
      ],
    );
  });
});

test("genres with the same slug are one genre, which may exist already", async () => {
  await driver`insert into genres (name, slug) values ('Hip Hop', 'hip-hop'), ('R&B', 'rnb')`;
  await importContent(
    database,
    `${plainHeader}1,T,P,hip-hop,90,\n2,T,P,HIP HOP,90,\n3,T,P,r&b,90,\n4,T,P,Drum & Bass,90,\n`,
  );
  expect(await driver`select name, slug, beats_count from genres order by name`).toEqual([
    { name: "Drum & Bass", slug: "drum-and-bass", beats_count: 1 },
    { name: "Hip Hop", slug: "hip-hop", beats_count: 2 },
    { name: "R&B", slug: "rnb", beats_count: 1 },
  ]);
});

describe("an import that ends early", () => {
  const text =
    plainHeader +
    Array.from({ length: 40_000 }, (_, i) =>
      i % 97 === 0
        ? `${i % 1000},Repeat ${i},P${i % 50},G${i % 7},${90 + (i % 30)},\n`
        : `${i},Beat ${i},Producer ${i % 211},G${i % 7},${90 + (i % 30)},\n`,
    ).join("");
  // Large enough that batches are distributed to both lanes (write/catalogue-writer.ts).
  const batchSize = 1000;

  test("because it is stopped has written the rows that it has read, and the next import adds the rest", async () => {
    const referenceDatabase = openTestDatabase(await testDatabaseUrl());
    const uninterrupted = await importContent(referenceDatabase, text, { batchSize });

    const stop = new AbortController();
    const first = await importContent(database, text, {
      batchSize,
      signal: stop.signal,
      onProgress: ({ created }) => created > 2000 && stop.abort(),
    });
    expect(first.stoppedBecause).toMatch(/^stopped after line \d+$/);
    expect(first.created).toBeGreaterThan(2000);
    expect(first.created).toBeLessThan(uninterrupted.created);
    expect(await driver`select count(*) from beats`).toEqual([{ count: first.created }]);

    const second = await importContent(database, text, { batchSize });
    expect(first.created + second.created).toBe(uninterrupted.created);
    expect(second).toMatchObject({ updated: 0, stoppedBecause: null, rows: uninterrupted.rows });
    expect(await catalogueOf(database)).toEqual(await catalogueOf(referenceDatabase));
  });

  test("because it fails leaves correct counts of beats, and the next import adds the rest", async () => {
    const failing = importContent(database, text, {
      batchSize,
      onProgress: ({ created }) => {
        if (created > 2000) throw new Error("pulled the plug");
      },
    });
    await expect(failing).rejects.toThrow("pulled the plug");
    const [row] = await driver<{ count: number }[]>`select count(*) from beats`;
    expect(row?.count).toBeGreaterThan(2000);
    expect(
      await driver`
      select name from genres g where beats_count <> (select count(*) from beats where genre_id = g.id)`,
    ).toEqual([]);
    expect(await importContent(database, text, { batchSize })).toMatchObject({ updated: 0, stoppedBecause: null });
    const referenceDatabase = openTestDatabase(await testDatabaseUrl());
    await importContent(referenceDatabase, text, { batchSize });
    expect(await catalogueOf(database)).toEqual(await catalogueOf(referenceDatabase));
  });
});

test("two concurrent imports of one file create every beat once, while plays are counted", async () => {
  const text =
    plainHeader +
    Array.from(
      { length: 8000 },
      (_, i) => `${i},Beat ${i},Producer ${(i * 7) % 300},G${i % 5},${90 + (i % 30)},\n`,
    ).join("");
  const other = openTestDatabase(url);
  let isOver = false;
  const playing = (async () => {
    while (!isOver) await driver`update beats set play_count = play_count + 1 where external_id in ('7', '77', '777')`;
  })();
  const outcomes = await Promise.all([
    importContent(database, text, { batchSize: 1000 }),
    importContent(other, text, { batchSize: 1300 }),
  ]).finally(() => {
    isOver = true;
  });
  await playing;
  const [first, second] = outcomes;
  expect(first.created + second.created).toBe(8000);
  for (const { created, updated, unchanged, rejected } of outcomes) {
    expect({ updated, rejected }).toEqual({ updated: 0, rejected: 0 });
    expect(created + unchanged).toBe(8000);
  }
  expect(await driver`select count(*), count(distinct external_id) as ids from beats`).toEqual([
    { count: 8000, ids: 8000 },
  ]);
  expect(await driver`select count(*) from users`).toEqual([{ count: 300 }]);
  expect(await driver`select sum(beats_count)::int as sum from producer_counts`).toEqual([{ sum: 8000 }]);
});

describe("a batch is written", () => {
  const thousand =
    plainHeader + Array.from({ length: 1_000 }, (_, n) => `${n},Title ${n},Producer ${n % 50},Trap,90,C\n`).join("");
  /** The number of transactions that created beats. */
  const transactions = async () => (await driver`select distinct xmin::text from beats`).length;
  const hasReaders = () => isBeingRead(database.query);

  test("over two connections while the catalogue is not read", async () => {
    await expect.poll(hasReaders).toBe(false);
    await importContent(database, thousand);
    expect(await transactions()).toBe(2);
  });

  test("over one connection and in small transactions while the catalogue is read", async () => {
    let isOver = false;
    const reading = (async () => {
      while (!isOver) await database.reader.query("select", []);
    })();
    await expect.poll(hasReaders).toBe(true);
    await importContent(database, thousand).finally(() => {
      isOver = true;
    });
    await reading;
    expect(await transactions()).toBe(8);
  });
});

test("connections are returned in their original state", async () => {
  const settings = () => driver`
    select name, setting from pg_settings
    where name in ('synchronous_commit', 'enable_seqscan', 'work_mem', 'gin_pending_list_limit', 'jit')`;
  const before = await settings();
  await importContent(database, `${plainHeader}1,T,P,G,90,\n`);
  await Promise.all(Array.from({ length: 5 }, async () => expect(await settings()).toEqual(before)));
  expect(await driver`select count(*) from pg_class where relname = 'imported_before'`).toEqual([{ count: 0 }]);
});
