import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import { beforeEach, expect, test } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import type { ImportedBeat, OptionalField } from "../beat.ts";
import { BeatUpsert, findImported } from "./upsert.ts";

const database = await testDatabase();
const { driver, query: db } = database;
const fields: OptionalField[] = ["genre", "key", "audio_url", "description", "tags", "play_count", "created_at"];
const now = new Date("2026-11-20T12:00:00Z");
let common: ImportedBeat;

beforeEach(async () => {
  await driver`truncate beats, genres, users, producer_counts cascade`;
  await insertBeats(database, [{ producer: "Ana", genre: "Trap" }]);
  const [row] = await driver<{ user_id: number; genre_id: number }[]>`select user_id, genre_id from beats`;
  if (row === undefined) throw new Error("The beat is missing.");
  common = {
    source: "test",
    external_id: "0",
    user_id: row.user_id,
    producer_name: "Ana",
    genre_id: row.genre_id,
    key: "C",
    key_code: parseKey("C").keyCode,
    title: "T",
    tempo: 90.5,
    duration_seconds: 0,
    popularity: 0,
    play_count: 0,
    download_count: 0,
    price_cents: 1,
    premium_price_cents: 2,
    unlimited_price_cents: 3,
    exclusive_price_cents: 4,
    audio_url: null,
    cover_image: null,
    description: "",
    tags: [],
    created_at: null,
  } as object as ImportedBeat;
});

const texts = [
  'a "quote"',
  "a \\ backslash",
  "a \\n backslash and a letter",
  "a line\nbreak, a\ttab and \u0001 more",
  "{braces},(commas)",
  "null",
  "NULL",
  " spaces ",
  "Ünï 東京 🔥",
];

test("texts are stored unchanged, with any characters", async () => {
  const beats = texts.map((text, place) => ({
    ...common,
    external_id: `${text}${place}`,
    title: text,
    description: text,
    tags: [text, "tag", text],
    ...(place % 2 === 0 && { audio_url: text, created_at: new Date(Date.UTC(2020, 0, place + 1)) }),
  }));
  const upsert = new BeatUpsert(fields, now);
  await upsert.insert(db, beats);
  const stored = await driver`
    select external_id, title, description, tags, audio_url, created_at from beats where source = 'test' order by id`;
  expect(stored).toEqual(
    beats.map(({ external_id, title, description, tags, audio_url, created_at }) => ({
      external_id,
      title,
      description,
      tags,
      audio_url,
      created_at: created_at ?? now,
    })),
  );
  const { newBeats, existingBeats } = await findImported(db, beats);
  expect(newBeats).toEqual([]);
  expect(await upsert.changed(db, existingBeats)).toEqual([]);
});

test("only beats that differ are updated, and a lower play count is no difference", async () => {
  const beats = Array.from({ length: 1000 }, (_, n) => ({
    ...common,
    external_id: String(n),
    tags: ["a"],
    play_count: 5,
  }));
  const upsert = new BeatUpsert(fields, now);
  await upsert.insert(db, beats);
  const again = beats.map((beat, n) => ({ ...beat, ...(n % 100 === 7 && { tags: ["a", "b"] }), play_count: n % 5 }));
  const changed = await upsert.changed(db, (await findImported(db, again)).existingBeats);
  expect(changed.map(({ beat }) => beat.external_id).sort()).toEqual(
    [7, 107, 207, 307, 407, 507, 607, 707, 807, 907].map(String).sort(),
  );
  await upsert.update(db, changed);
  expect(await driver`select count(*)::integer, min(play_count) from beats where tags = '{a,b}'`).toEqual([
    { count: 10, min: 5 },
  ]);
  expect(await driver`select count(*)::integer from beats where source = 'test'`).toEqual([{ count: 1000 }]);
});
