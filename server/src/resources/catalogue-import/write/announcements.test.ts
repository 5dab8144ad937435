import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { openFileBytes } from "@beatmarket/tabular-files/file-bytes.ts";
import { rejectsFile, repairsFile } from "@beatmarket/tabular-files/report-file.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { beatReference } from "../../beats/present.ts";
import { findSingleBeats } from "../../beats/queries.ts";
import { importCatalogue } from "../import-catalogue.ts";
import { readMapping } from "../mapping.ts";

const publicUrl = "https://api.example.com";
const database = await testDatabase();
const { driver, query: db } = database;
const clock = new FakeClock(Date.UTC(2026, 4, 1, 9, 30));
const folder = await mkdtemp(join(tmpdir(), "announcements-"));
afterAll(() => rm(folder, { recursive: true }));
const mapping = readMapping(
  JSON.stringify({
    source: "test",
    prices: { base_cents: 2999, per_popularity_point_cents: 0 },
    fields: Object.fromEntries(
      ["external_id", "title", "producer", "genre", "tempo", "popularity", "tags"].map((field) => [field, field]),
    ),
  }),
  "test",
);

beforeEach(() => driver`truncate events, beats restart identity cascade`);

interface Row {
  id: number;
  title?: string;
  producer?: string;
  tempo?: number;
  popularity?: number;
  tags?: string;
}

async function importRows(rows: readonly Row[], options: { events?: { publicUrl: string }; batchSize?: number } = {}) {
  const path = join(folder, "beats.csv");
  const lines = rows.map(
    ({ id, title = "Midnight", producer = "Nightowl", tempo = 120, popularity = 0, tags = "" }) =>
      `${id},${title},${producer},House,${tempo},${popularity},${tags}`,
  );
  await writeFile(path, ["external_id,title,producer,genre,tempo,popularity,tags", ...lines].join("\n"));
  const file = await openFileBytes(path);
  const { created, updated, unchanged, rejected } = await importCatalogue(database, {
    file,
    mapping,
    openJoined: openFileBytes,
    rejects: rejectsFile(path, undefined),
    repairs: repairsFile(path, undefined),
    clock,
    ...options,
  });
  await file.close();
  return { created, updated, unchanged, rejected };
}

const events = { publicUrl };
const emittedPayloads = async () =>
  (await db.selectFrom("events").select(["payload", "audience"]).orderBy("id").execute()).map(
    ({ payload, audience }) => {
      expect(audience).toBeNull();
      return JSON.parse(payload);
    },
  );
const beats = async () => {
  const ids = await driver<{ id: number }[]>`select id from beats`;
  return findSingleBeats(
    db,
    ids.map(({ id }) => id),
  );
};

test("an import sends no events unless they are requested", async () => {
  expect(await importRows([{ id: 1 }, { id: 2 }])).toMatchObject({ created: 2 });
  expect(await emittedPayloads()).toEqual([]);
});

test("each created beat has one event, with the data of the API", async () => {
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, producer: `Producer ${id % 40}` }));
  expect(await importRows([...rows, { id: 3, title: "Again" }], { events, batchSize: 64 })).toMatchObject({
    created: 500,
    unchanged: 1,
  });
  const shown = await beats();
  const payloads = await emittedPayloads();
  expect(payloads).toHaveLength(500);
  expect(new Set(payloads.map(({ data }) => data.id)).size).toBe(500);
  for (const { type, created, data } of payloads) {
    expect(type).toBe("beat.created");
    expect(created).toBe(clock.nowMs() / 1000);
    const beat = shown.get(data.id);
    expect(data).toEqual(beat && beatReference(beat, { publicUrl }));
  }
});

test("a beat has an event with the names of its changed fields if its response changes", async () => {
  await importRows([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }], { events });
  await driver`delete from events`;
  expect(
    await importRows(
      [{ id: 1, title: "Noon", tempo: 121 }, { id: 2, tags: "warm;slow" }, { id: 3 }, { id: 4, popularity: 50 }],
      { events },
    ),
  ).toMatchObject({ updated: 3, unchanged: 1 });
  const shown = await beats();
  const payloads = await emittedPayloads();
  // The API does not show a beat's popularity.
  expect(payloads.map(({ type, data }) => [type, data.changed])).toEqual(
    expect.arrayContaining([
      ["beat.updated", ["title", "bpm"]],
      ["beat.updated", ["tags"]],
    ]),
  );
  expect(payloads).toHaveLength(2);
  for (const { data } of payloads) {
    const beat = shown.get(data.id);
    expect(data).toMatchObject(beat === undefined ? {} : beatReference(beat, { publicUrl }));
    for (const name of data.changed) expect(data).toHaveProperty(name);
  }
});

test("a beat is not written if its event cannot be written", async () => {
  await driver`alter table events rename to events_away`;
  await expect(importRows([{ id: 1 }], { events })).rejects.toThrow("events");
  await driver`alter table events_away rename to events`;
  expect(await driver`select id from beats`).toEqual([]);
  expect(await importRows([{ id: 1 }], { events })).toMatchObject({ created: 1 });
  expect(await emittedPayloads()).toHaveLength(1);
});
