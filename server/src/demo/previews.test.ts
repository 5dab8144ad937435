import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Analysis, MediaTask } from "@beatmarket/audio/media-task.ts";
import type { runMediaTask } from "@beatmarket/audio/run-media-task.ts";
import { renderLoop } from "@beatmarket/audio/synthesizer/loop.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type BeatRow, insertBeats } from "../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../test/harness/database/database.ts";
import { mediaRoutes } from "../media/media.ts";
import { openTransfers } from "../media/transfers.ts";
import { DemoPreviews } from "./previews.ts";
import { demoSource } from "./seed.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const folder = await mkdtemp(join(tmpdir(), "beatmarket-previews-"));
afterAll(() => rm(folder, { recursive: true }));
const objects = new StoredObjects(db, new FolderStorage(join(folder, "objects")));
const scratch = new ScratchFolders(join(folder, "scratch"));
const running = new AbortController().signal;

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

/** The tasks of all processes, and a function that a task calls before it ends. */
const tasks: MediaTask["kind"][] = [];
let duringTask = async (_: MediaTask): Promise<void> => {};
beforeEach(() => {
  tasks.length = 0;
  duringTask = async () => {};
});
/** Writes small files and returns a fixed analysis, without reading the audio. */
const runTask = (async (task: MediaTask) => {
  tasks.push(task.kind);
  await duringTask(task);
  const names = task.kind === "preview" ? ["preview.mp3"] : ["waveform.json", "waveform-detail.json"];
  for (const name of names) await writeFile(join(task.outDir, name), `${name} in ${task.outDir}`);
  return analysis;
}) as unknown as typeof runMediaTask;
const loop = renderLoop({ id: 1, tempo: 250, keyCode: 3, genreName: "Pop" });
const loops = { find: async () => ({ body: loop, etag: '"loop"' }) };
/** The previews of one process of the service. */
const previewsOf = (parts: Partial<ConstructorParameters<typeof DemoPreviews>[0]> = {}) =>
  new DemoPreviews({ db, loops, objects, scratch, runTask, ...parts });

async function demoBeat(row: BeatRow = {}): Promise<number> {
  const [id = 0] = await insertBeats(database, [row]);
  await driver`update beats set source = ${demoSource}, external_id = ${String(id)} where id = ${id}`;
  return id;
}
const request = (previews: DemoPreviews, id: number) =>
  previews.find({ id, tempo: 128, keyCode: 3, genreName: "Trap" }, () => {});
const filesOf = (id: number) =>
  db.selectFrom("beat_files").select(["name", "sha256"]).where("beat_id", "=", id).orderBy("name").execute();
const hasPreview = async (id: number) => (await filesOf(id)).some(({ name }) => name === "preview");
const beatOf = (id: number) =>
  db
    .selectFrom("beats")
    .leftJoin("beat_productions", "beat_id", "beats.id")
    .select(["audio_url", "stage", "analysis", "bpm_source", "key_source", "version", "duration_seconds"])
    .where("beats.id", "=", id)
    .executeTakeFirstOrThrow();

test("a beat gets its files when it is played or its waveform is requested, and other beats get no files", async () => {
  const previews = previewsOf();
  const app = openRoutes(
    mediaRoutes({
      db,
      clock: new FakeClock(),
      concurrency: new ConcurrencyLimiter(),
      objects,
      standIn: previews,
      transfers: openTransfers(),
      findAccount: async () => null,
      onPlay: () => {},
    }),
  );
  const ids = [await demoBeat(), await demoBeat(), await demoBeat()];
  const [played = 0, probed = 0, seen = 0] = ids;
  const others = [await demoBeat(), ...(await insertBeats(database, [{ title: "Imported" }]))];
  await previews.make(running);
  expect(tasks).toEqual([]);
  for (const [method, file] of [
    ["GET", `${played}.wav`],
    ["HEAD", `${probed}.wav`],
    ["GET", `${seen}.json`],
    ["GET", `${others[1]}.wav`],
  ] as const)
    expect((await app.inject({ method, url: `/media/beats/${file}` })).statusCode).toBe(200);
  await previews.make(running);
  for (const id of ids) {
    const files = await filesOf(id);
    expect(files.map(({ name }) => name)).toEqual(["preview", "waveform", "waveform-detail"]);
    expect(await beatOf(id)).toMatchObject({
      audio_url: `/media/beats/${id}/preview-${files[0]?.sha256.slice(0, 12)}.mp3`,
      stage: "released",
      bpm_source: "producer",
      analysis: expect.objectContaining({ format: "wav", loudness_lufs: -14 }),
    });
  }
  for (const id of others) expect(await filesOf(id)).toEqual([]);
  expect(await db.selectFrom("events").select("type").execute()).toEqual([]);
  expect(await readdir(join(folder, "scratch"))).toEqual([]);
});

test("the process that reads uploads makes an MP3, two waveforms and an analysis of a loop", async () => {
  const id = await demoBeat();
  const previews = new DemoPreviews({ db, loops, objects, scratch });
  await request(previews, id);
  await previews.make(running);
  const files = new Map((await filesOf(id)).map(({ name, sha256 }) => [name, sha256]));
  const bytesOf = async (name: string) => {
    const chunks = [];
    for await (const chunk of await objects.open(files.get(name) ?? "")) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const mp3 = await bytesOf("preview");
  expect([mp3[0], (mp3[1] ?? 0) & 0xe0]).toEqual([0xff, 0xe0]);
  for (const name of ["waveform", "waveform-detail"])
    expect(JSON.parse((await bytesOf(name)).toString())).toMatchObject({ version: 2 });
  expect(await beatOf(id)).toMatchObject({
    duration_seconds: 8,
    analysis: expect.objectContaining({ format: "wav", sample_rate: 44_100, channels: 2 }),
  });
});

test("a beat gets its files once, whatever the number of processes and requests", async () => {
  const id = await demoBeat();
  const [one, another] = [previewsOf(), previewsOf()];
  await Promise.all([one, one, another].map((previews) => request(previews, id)));
  duringTask = () => another.make(running);
  await one.make(running);
  await another.make(running);
  await request(one, id);
  await one.make(running);
  expect(tasks).toEqual(["analyse", "preview"]);
  expect(await hasPreview(id)).toBe(true);
});

test("the number of waiting beats is limited; a further beat, or a beat whose loop is refused, needs a later request", async () => {
  const ids = [];
  for (let beat = 0; beat < 49; beat++) ids.push(await demoBeat());
  const [last = 0, refused = 0] = [ids.at(-1), await demoBeat()];
  const previews = previewsOf();
  const find = () => Promise.reject(new Error("Too many requests."));
  await expect(request(previewsOf({ loops: { find } }), refused)).rejects.toThrow("Too many");
  for (const id of ids) await request(previews, id);
  await previews.make(running);
  expect(tasks.filter((kind) => kind === "preview")).toHaveLength(48);
  expect([await hasPreview(last), await hasPreview(refused)]).toEqual([false, false]);
  await request(previews, last);
  await previews.make(running);
  expect(await hasPreview(last)).toBe(true);
});

test("a stop is immediate, and finished files are kept", async () => {
  const [first, second] = [await demoBeat(), await demoBeat()];
  const stopping = new AbortController();
  const previews = previewsOf();
  for (const id of [first, second]) await request(previews, id);
  duringTask = async () => {
    if (tasks.length < 3) return;
    stopping.abort();
    throw new Error("Reading the file was stopped.");
  };
  await previews.make(stopping.signal);
  expect([await hasPreview(first), await hasPreview(second)]).toEqual([true, false]);
  expect(tasks).toHaveLength(3);
});

test("a beat whose files cannot be made does not prevent the files of other beats", async () => {
  const [failing, other] = [await demoBeat(), await demoBeat()];
  const previews = previewsOf();
  for (const id of [failing, other]) await request(previews, id);
  duringTask = async () => {
    if (tasks.length === 1) throw new Error("The disk is full.");
  };
  await expect(previews.make(running)).rejects.toThrow("The disk is full.");
  await previews.make(running);
  expect([await hasPreview(failing), await hasPreview(other)]).toEqual([false, true]);
});

test("an edited beat keeps the values of its producer; a beat with a recording, or not for sale, gets no files", async () => {
  const [edited, replaced, withdrawn, held] = [await demoBeat(), await demoBeat(), await demoBeat(), await demoBeat()];
  await driver`insert into beat_productions (beat_id, stage, version, key_source) values
    (${edited}, 'released', 3, 'analysis'), (${replaced}, 'processing', 2, null)`;
  await driver`update beats set is_listed = false where id = ${withdrawn}`;
  await driver`update beats set exclusive_state = 'held', exclusive_order_id = 1, exclusive_held_until = now() where id = ${held}`;
  const previews = previewsOf();
  for (const id of [edited, replaced, withdrawn, held]) await request(previews, id);
  await previews.make(running);
  expect(tasks).toEqual(["analyse", "preview"]);
  expect(await hasPreview(edited)).toBe(true);
  expect(await beatOf(edited)).toMatchObject({ version: 3, key_source: "analysis", analysis: { format: "wav" } });
});

test("a beat that leaves the lists while its files are made keeps its loop", async () => {
  const id = await demoBeat();
  const previews = previewsOf();
  await request(previews, id);
  duringTask = async () => void (await driver`update beats set is_listed = false where id = ${id}`);
  await previews.make(running);
  expect([(await beatOf(id)).audio_url, await hasPreview(id)]).toEqual([null, false]);
});
