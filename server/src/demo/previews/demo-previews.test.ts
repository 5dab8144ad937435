import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Analysis } from "@beatmarket/audio/media-task.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { enqueue, queueState } from "../../resources/jobs/queries.ts";
import { ScratchFolders } from "../../resources/jobs/scratch-folders.ts";
import { demoSource } from "../seed.ts";
import { startDemoPreviews } from "./demo-previews.ts";
import { PreviewProcess } from "./preview-process.ts";

const database = await testDatabase();
const { query: db } = database;
const folder = await mkdtemp(join(tmpdir(), "beatmarket-demo-"));
const objects = new StoredObjects(db, new FolderStorage(join(folder, "objects")));
afterAll(() => rm(folder, { recursive: true }));

const { id: userId } = await db
  .insertInto("users")
  .values({ username: "nova", display_name: "Nova", is_producer: true })
  .returning("id")
  .executeTakeFirstOrThrow();
const { id: genreId } = await db
  .insertInto("genres")
  .values({ name: "House", slug: "house" })
  .returning("id")
  .executeTakeFirstOrThrow();
const makeBeat = async (traits: { source: string; play_count: number; audio_url?: string }): Promise<number> => {
  const prices = { price_cents: 1, premium_price_cents: 1, unlimited_price_cents: 1, exclusive_price_cents: 1 };
  const beat = {
    user_id: userId,
    genre_id: genreId,
    title: "Drive",
    tempo: 250,
    key: "C minor",
    key_code: 21,
    ...prices,
  };
  const { id } = await db
    .insertInto("beats")
    .values({ ...beat, ...traits, external_id: crypto.randomUUID() })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

type Make = PreviewProcess["make"];
const start = (make: Make, options: { startDelayMs?: number } = {}) =>
  startDemoPreviews({
    database,
    objects,
    scratch: new ScratchFolders(join(folder, "scratch")),
    clock: systemClock,
    log: pino({ level: "silent" }),
    previews: { make, close: () => {} },
    startDelayMs: 0,
    yieldMs: 1,
    ...options,
  });

const analysis: Analysis = {
  format: "wav",
  sampleRate: 44_100,
  channels: 2,
  durationSeconds: 8,
  bpm: null,
  key: null,
  loudness: { integratedLufs: -14, truePeakDbtp: -1 },
  clippedSamples: 0,
  silence: { startSeconds: 0, endSeconds: 0 },
};
/** Writes files of few bytes, other ones for each beat. */
const make: Make = async ({ id }, into) => {
  for (const name of ["preview.mp3", "waveform.json", "waveform-detail.json"])
    await writeFile(join(into, name), `${name} of ${id}`);
  return analysis;
};
const filesOf = (id: number) =>
  db.selectFrom("beat_files").select(["name", "sha256"]).where("beat_id", "=", id).orderBy("name").execute();
const withPreview = async () =>
  (await db.selectFrom("beat_files").select("beat_id").where("name", "=", "preview").execute()).map(
    (its) => its.beat_id,
  );

test("the demo's beats get a preview, waveforms and an analysis, the most popular first; others get none", async () => {
  const imported = await makeBeat({ source: "somebody's catalogue", play_count: 9 });
  const own = await makeBeat({ source: demoSource, play_count: 9, audio_url: "https://elsewhere.example/own.mp3" });
  const [rare, popular] = [
    await makeBeat({ source: demoSource, play_count: 1 }),
    await makeBeat({ source: demoSource, play_count: 2 }),
  ];
  const order: number[] = [];
  const stop = start((beat, ...rest) => {
    order.push(beat.id);
    return make(beat, ...rest);
  });
  await until(async () => (await withPreview()).length === 2);
  await stop();
  expect(order).toEqual([popular, rare]);
  for (const id of order) {
    const files = await filesOf(id);
    expect(files.map(({ name }) => name)).toEqual(["preview", "waveform", "waveform-detail"]);
    const beat = await db
      .selectFrom("beats")
      .innerJoin("beat_productions", "beat_id", "beats.id")
      .select(["audio_url", "stage", "analysis", "bpm_source", "key_source", "published_at", "beats.created_at"])
      .where("beats.id", "=", id)
      .executeTakeFirstOrThrow();
    expect(beat).toMatchObject({
      audio_url: `/media/beats/${id}/preview-${files[0]?.sha256.slice(0, 12)}.mp3`,
      stage: "released",
      bpm_source: "producer",
      key_source: "producer",
      analysis: expect.objectContaining({ format: "wav", loudness_lufs: -14 }),
    });
    expect(beat.published_at).toEqual(beat.created_at);
  }
  for (const id of [imported, own]) expect(await filesOf(id)).toEqual([]);
  expect(await db.selectFrom("events").select("type").execute()).toEqual([]);
  expect(await readdir(join(folder, "scratch"))).toEqual([]);
});

test("it waits while a producer's job is due", async () => {
  const id = await makeBeat({ source: demoSource, play_count: 1 });
  await enqueue(db, { kind: "analyse", subject: "upl_1", userId, now: new Date(0) });
  const dueJobs: number[] = [];
  const stop = start(async (...its) => {
    dueJobs.push((await queueState(db, new Date())).waiting);
    return make(...its);
  });
  const isAtWork = sql<{ held: boolean }>`select exists (select from pg_locks where locktype = 'advisory') as held`;
  await until(async () => (await isAtWork.execute(db)).rows[0]?.held === true);
  await db.deleteFrom("media_jobs").execute();
  await until(async () => (await withPreview()).includes(id));
  await stop();
  expect(dueJobs).toEqual([0]);
});

test("it stops at once, keeps what is made, and the next start goes on", async () => {
  const [first, second] = [
    await makeBeat({ source: demoSource, play_count: 5 }),
    await makeBeat({ source: demoSource, play_count: 4 }),
  ];
  const begun = Promise.withResolvers<void>();
  const stop = start((beat, into, signal) => {
    if (beat.id === first) return make(beat, into, signal);
    begun.resolve();
    return once(signal, "abort").then(() => Promise.reject(signal.reason));
  });
  await begun.promise;
  await stop();
  expect(await withPreview()).toContain(first);
  expect(await withPreview()).not.toContain(second);
  const again = start(make);
  await until(async () => (await withPreview()).includes(second));
  await again();
  const never = start(() => Promise.reject(new Error("too early")), { startDelayMs: 3_600_000 });
  await never();
});

test("the process makes an MP3, two waveforms and an analysis of a loop, and ends when it is told to", async () => {
  const previews = new PreviewProcess();
  onTestFinished(() => previews.close());
  const into = await mkdtemp(join(folder, "made-"));
  const beat = { id: 7, tempo: 250, keyCode: 3, genreName: "Pop" };
  const found = await previews.make(beat, into, new AbortController().signal);
  expect(found).toMatchObject({ format: "wav", sampleRate: 44_100, channels: 2 });
  const mp3 = await readFile(join(into, "preview.mp3"));
  expect([mp3[0], (mp3[1] ?? 0) & 0xe0]).toEqual([0xff, 0xe0]);
  for (const name of ["waveform.json", "waveform-detail.json"])
    expect(JSON.parse(await readFile(join(into, name), "utf8"))).toMatchObject({ version: 2 });
  const stopped = new AbortController();
  const making = previews.make(beat, into, stopped.signal);
  stopped.abort(new Error("The server stops."));
  await expect(making).rejects.toThrow();
});
