import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { canonicalTags } from "./beat.ts";

test.each([
  [["Trap", "trap", "TRAP"], ["Trap"]],
  [["caf\u00e9", "cafe\u0301", "Cafe"], ["café"]],
  [["Lo-Fi", "lofi", "lo fi"], ["Lo-Fi"]],
  [["  dark   night ", "", " "], ["dark night"]],
  [
    ["C", "C#", "C++", "c#", "C♯", "C＃"],
    ["C", "C#", "C++"],
  ],
  [
    ["ビート", "ヒート"],
    ["ビート", "ヒート"],
  ],
  [["!!!", "!!!"], ["!!!"]],
  [["\u200b", "\u00a0\u2060", "x"], ["x"]],
])("the tags %j are stored as %j", (texts, tags) => {
  expect(canonicalTags(texts)).toEqual(tags);
});

test("migration 0041 splits tags that contain commas, and changes the tags of no other beat", async () => {
  const database = await testDatabase();
  const { driver } = database;
  await insertBeats(database, [
    { tags: ["dark, Warm", "warm", ",", "808"] },
    { tags: ["Lo-Fi", "lofi"] },
    { tags: [] },
  ]);
  const path = new URL("../../../../database/migrations/0041_tags_without_commas.sql", import.meta.url);
  await driver.unsafe(await readFile(path, "utf8"));
  expect((await driver`select tags from beats order by id`).map(({ tags }) => tags)).toEqual([
    ["dark", "Warm", "808"],
    ["Lo-Fi", "lofi"],
    [],
  ]);
});
