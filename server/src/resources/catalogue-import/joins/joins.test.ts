import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { importContent } from "../../../../test/harness/imports.ts";

const database = await testDatabase();
const { driver } = database;

const join = { file: "artists.csv", column: "artist_id", key: "id" };
const fields = { external_id: "id", title: "title", producer: "artists.name", tempo: "tempo", genre: "artists.genre" };
const mapping = { source: "test", fields, joins: { artists: join } };
const artists = 'id,name,genre,plays\nx1,"Ana, B",Trap,5\nx2,Bo,House,6\n';

const tracks = (...keys: string[]): string =>
  ["id,title,artist_id,tempo", ...keys.map((key, n) => `${n + 1},Beat ${n + 1},"${key}",90`), ""].join("\n");

const importTracks = (
  content: string,
  joined: Record<string, string> = { "artists.csv": artists },
  mappingOfTest: object = mapping,
) => importContent(database, content, { mapping: mappingOfTest, joined });

const producers = async () =>
  (
    await driver`select u.display_name as name, g.name as genre from beats b
      join users u on u.id = b.user_id join genres g on g.id = b.genre_id order by b.external_id`
  ).map(({ name, genre }) => [name, genre]);

beforeEach(async () => {
  await driver`truncate beats, genres, users, producer_counts cascade`;
});

test("a row gets the columns of the row with its key in a second file", async () => {
  const outcome = await importTracks(tracks("x2", " x1 ", "x2"));
  expect(outcome).toMatchObject({ created: 3, rejected: 0, remarks: [] });
  expect(await producers()).toEqual([
    ["Bo", "House"],
    ["Ana, B", "Trap"],
    ["Bo", "House"],
  ]);
});

test("a row without a match is rejected with the key and the file", async () => {
  const { rejects, rejections, created } = await importTracks(tracks("x1", "x9", "", "x8"));
  expect(created).toBe(1);
  expect(rejects).toEqual([
    { line: 3, reason: 'artists.csv has no row with the id "x9" (column artist_id)', row: '2,Beat 2,"x9",90' },
    {
      line: 4,
      reason: "column artist_id is empty, so no row of artists.csv can be joined",
      row: '3,Beat 3,"",90',
    },
    { line: 5, reason: 'artists.csv has no row with the id "x8" (column artist_id)', row: '4,Beat 4,"x8",90' },
  ]);
  expect(rejections).toEqual([
    { kind: "artist_id: not in artists.csv", times: 2, firstLines: [3, 5] },
    { kind: "artist_id: empty", times: 1, firstLines: [4] },
  ]);
});

test("an empty cell in the joined row counts as an empty cell of the file", async () => {
  const { rejects } = await importTracks(tracks("x1"), { "artists.csv": "id,name,genre\nx1,,Trap\n" });
  expect(rejects.map(({ reason }) => reason)).toEqual(["the producer (column artists.name) is empty"]);
});

test("a list of keys joins the row of each key", async () => {
  const lists = { ...mapping, fields: { ...fields, producer: { column: "artists.name", lists: "join" } } };
  const content = tracks("['x1', 'x2']", "['x2']", "['x1', 'x9']");
  const { created, rejected } = await importTracks(content, undefined, lists);
  expect({ created, rejected }).toEqual({ created: 2, rejected: 1 });
  expect((await producers()).map(([name]) => name)).toEqual(["Ana, B, Bo", "Bo"]);
});

test("compressed JSON lines can be joined with JSON lines and TSV, by one mapping", async () => {
  const mappingOfTest = {
    source: "test",
    fields: { title: "title", producer: "artists.name", tempo: "tempo", genre: "styles.label" },
    joins: {
      artists: { ...join, file: "artists.jsonl" },
      styles: { file: "styles.tsv", column: "style", key: "code" },
    },
  };
  const content = [
    '{"title":"A","artist_id":7,"tempo":90,"style":"t"}',
    '{"title":"B","artist_id":8,"tempo":90}',
    "",
  ].join("\n");
  const joined = {
    "artists.jsonl": '{"id":7,"name":"Ana"}\n{"id":8,"name":"Bo"}\n',
    "styles.tsv": "code\tlabel\nt\tTrap\n",
  };
  const { rejects } = await importContent(database, gzipSync(content), {
    mapping: mappingOfTest,
    joined,
    name: "x.jsonl",
  });
  expect(await producers()).toEqual([["Ana", "Trap"]]);
  expect(rejects.map(({ reason }) => reason)).toEqual(["column style is empty, so no row of styles.tsv can be joined"]);
});

test("mistakes in the joined file are reported with the first line", async () => {
  const { remarks } = await importTracks(tracks("x1"), {
    "artists.csv": "id,name,genre\nx1,Ana,Trap\nx1,Other,Pop\nx2\n,Nobody,Pop\n",
  });
  expect(await producers()).toEqual([["Ana", "Trap"]]);
  expect(remarks).toEqual([
    "artists.csv repeats the key of an earlier row once; the first row counts.",
    "artists.csv has rows that cannot be joined, 2 in all; the first is in line 4: the row has 1 columns, the header has 3.",
  ]);
});

test("a second import changes nothing", async () => {
  const content = tracks("x1", "x2");
  await importTracks(content);
  expect(await importTracks(content)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
});

describe("a joined file is refused", () => {
  test.each([
    [{}, /artists\.csv cannot be read: there is no such file/],
    [{ "artists.csv": "" }, /artists\.csv is empty/],
    [{ "artists.csv": "id,nam,genre\n" }, /artists\.csv has no column name\. Did you mean nam\?/],
    [{ "artists.csv": "ident,name,genre\n" }, /artists\.csv has no column id/],
  ])("%j", async (joined, message) => {
    await expect(importTracks(tracks("x1"), joined as Record<string, string>)).rejects.toThrow(message);
  });
});

test("a joined file of 30,000 rows is joined by its key", async () => {
  const count = 30_000;
  const long = "x".repeat(60);
  const many = Array.from({ length: count }, (_, n) => `k${n},Producer ${n} ${long},Trap`).join("\n");
  const keys = ["k0", "k1", `k${count - 1}`];
  const { created } = await importTracks(tracks(...keys), { "artists.csv": `id,name,genre\n${many}\n` });
  expect(created).toBe(3);
  expect((await producers()).map(([name]) => name.split(" ")[1])).toEqual(["0", "1", `${count - 1}`]);
});
