import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { claimJob, completeJob, type Job } from "@beatmarket/jobs/queue.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { JobPostponed } from "@beatmarket/jobs/worker.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { type PreviewJobParts, previewHandler } from "./preview-job.ts";
import { previewJob, publishAwaiting, requestPublication } from "./request-publishing.ts";

const { query: db } = await testDatabase();
const clock = new FakeClock();
const folder = await mkdtemp(join(tmpdir(), "beatmarket-preview-"));
afterAll(() => rm(folder, { recursive: true }));
const objects = new StoredObjects(db, new FolderStorage(join(folder, "objects")));
const scratch = new ScratchFolders(join(folder, "scratch"));

const { id: userId } = await db
  .insertInto("users")
  .values({ username: "nova", display_name: "Nova" })
  .returning("id")
  .executeTakeFirstOrThrow();
const { id: genreId } = await db
  .insertInto("genres")
  .values({ name: "House", slug: "house" })
  .returning("id")
  .executeTakeFirstOrThrow();

type Task = Parameters<NonNullable<PreviewJobParts["runTask"]>>[0];
let tasks: (Task & { content: string; tagContent: string | null })[] = [];
const parts: PreviewJobParts = {
  db,
  clock,
  publicUrl: "https://beats.example",
  allowsDuplicates: false,
  objects,
  scratch,
  runTask: async (task) => {
    const content = await readFile(task.input, "utf8");
    const tagContent = typeof task.tag === "string" ? null : await readFile(task.tag.file, "utf8");
    tasks.push({ ...task, content, tagContent });
    await writeFile(join(task.outDir, "preview.mp3"), `preview of ${content}`);
    return { durationSeconds: 90, sampleRate: 44_100, channels: 2, bytes: 1 };
  },
};
beforeEach(() => {
  tasks = [];
});

const analysis = {
  bpm: 128,
  bpm_confidence: 1,
  bpm_alternative: null,
  key: "C minor",
  key_confidence: 1,
  duration: 180,
};
let recordings = 0;
async function makeUpload(status: "analysing" | "ready" = "ready", kind = "audio"): Promise<string> {
  const id = `upl_${String(++recordings).padStart(22, "0")}`;
  const times = { created_at: clock.now(), expires_at: clock.now() };
  await db
    .insertInto("uploads")
    .values({
      id,
      user_id: userId,
      kind,
      filename: "drive.wav",
      bytes: 10,
      received: 10,
      status: "analysing",
      ...times,
    })
    .execute();
  if (status === "ready") await endAnalysis(id);
  return id;
}
async function endAnalysis(id: string): Promise<void> {
  for (const [name, content_type] of [
    ["original", "audio/wav"],
    ["waveform", "application/json"],
    ["waveform-detail", "application/json"],
  ] as const) {
    const path = join(folder, "file");
    await writeFile(path, `${name} of ${id}`);
    await db
      .insertInto("upload_files")
      .values({ upload_id: id, name, content_type, ...(await objects.store(path)) })
      .execute();
  }
  await db
    .updateTable("uploads")
    .set({ status: "ready", analysis: JSON.stringify(analysis) })
    .where("id", "=", id)
    .execute();
}

async function makeBeat(audio: string, previewTag = "default"): Promise<number> {
  const prices = {
    price_cents: 2990,
    premium_price_cents: 5990,
    unlimited_price_cents: 9990,
    exclusive_price_cents: 49990,
  };
  const { id } = await db
    .insertInto("beats")
    .values({ user_id: userId, genre_id: genreId, title: "Drive", tempo: 0, key_code: 24, is_listed: false, ...prices })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("beat_productions")
    .values({ beat_id: id, audio_upload_id: audio, preview_tag: previewTag })
    .execute();
  await requestPublication(db, { clock }, id);
  return id;
}

/** Claims the next job that is due; null if there is none. */
const claim = (): Promise<Job | null> =>
  claimJob(db, { kinds: [previewJob], lease: crypto.randomUUID(), now: clock.now() });
const jobOf = (beatId: number): Job => ({
  id: 0,
  kind: previewJob,
  subject: String(beatId),
  attempts: 1,
  revision: 1,
  lease: "",
});
const runJob = (beatId: number, overrides: Partial<PreviewJobParts> = {}, signal = new AbortController().signal) =>
  previewHandler({ ...parts, ...overrides }).run(jobOf(beatId), { signal });
const stateOf = async (beatId: number) => {
  const beat = await db
    .selectFrom("beats")
    .innerJoin("beat_productions", "beat_id", "beats.id")
    .select(["stage", "rejection", "is_listed", "audio_url", "tempo"])
    .where("beats.id", "=", beatId)
    .executeTakeFirstOrThrow();
  const files = await db
    .selectFrom("beat_files")
    .select("name")
    .where("beat_id", "=", beatId)
    .orderBy("name")
    .execute();
  const events = await db.selectFrom("events").select(["type", "payload"]).execute();
  const eventsOfBeat = events.filter(
    ({ type, payload }) => type.startsWith("beat.") && JSON.parse(payload).data.id === beatId,
  );
  return { ...beat, files: files.map(({ name }) => name), events: eventsOfBeat.map(({ type }) => type) };
};
const published = {
  stage: "released",
  rejection: null,
  is_listed: true,
  audio_url: expect.stringMatching(/^\/media\/beats\/\d+\/preview-[0-9a-f]{12}\.mp3$/),
  tempo: 128,
  files: ["master", "preview", "waveform", "waveform-detail"],
  events: ["beat.created"],
};

test("a beat whose upload is ready gets its preview and is on sale, with its event", async () => {
  const audio = await makeUpload();
  const beatId = await makeBeat(audio);
  expect(await claim()).toMatchObject({ subject: String(beatId) });
  await runJob(beatId);
  expect(await stateOf(beatId)).toEqual(published);
  expect(tasks).toEqual([expect.objectContaining({ content: `original of ${audio}`, tag: "default" })]);
  const { sha256 } = await db
    .selectFrom("beat_files")
    .select("sha256")
    .where("beat_id", "=", beatId)
    .where("name", "=", "preview")
    .executeTakeFirstOrThrow();
  const stored = await Array.fromAsync(await objects.open(sha256));
  expect(Buffer.concat(stored).toString()).toBe(`preview of original of ${audio}`);
  expect(await readdir(join(folder, "scratch"))).toEqual([]);
});

test("a beat whose upload is still being analysed waits, and its job is queued when the analysis ends", async () => {
  await db.deleteFrom("media_jobs").execute();
  const audio = await makeUpload("analysing");
  const beatId = await makeBeat(audio);
  expect(await claim()).toBeNull();
  await runJob(beatId);
  expect(await stateOf(beatId)).toMatchObject({ stage: "processing", is_listed: false });
  await endAnalysis(audio);
  await publishAwaiting(db, audio, clock.now());
  const job = await claim();
  expect(job).toMatchObject({ subject: String(beatId) });
  await runJob(beatId);
  expect(await stateOf(beatId)).toEqual(published);
  if (job !== null) await completeJob(db, job);
});

test("a beat whose upload was rejected is a draft again, with the reason", async () => {
  const audio = await makeUpload("analysing");
  const beatId = await makeBeat(audio);
  await db
    .updateTable("uploads")
    .set({ status: "rejected", rejection: "The file is silent." })
    .where("id", "=", audio)
    .execute();
  await runJob(beatId);
  expect(await stateOf(beatId)).toMatchObject({ stage: "draft", is_listed: false, events: [] });
  expect((await stateOf(beatId)).rejection).toContain("The file is silent.");
});

test("a beat whose job gives up is a draft again, with the first reason", async () => {
  const beatId = await makeBeat(await makeUpload());
  await previewHandler(parts).giveUp(jobOf(beatId), "It took too long.");
  expect(await stateOf(beatId)).toMatchObject({ stage: "draft", rejection: "It took too long.", events: [] });
  await previewHandler(parts).giveUp(jobOf(beatId), "Again.");
  expect(await stateOf(beatId)).toMatchObject({ stage: "draft", rejection: "It took too long." });
});

test("a preview is rendered with the tag that the producer uploaded", async () => {
  const tag = await makeUpload();
  await runJob(await makeBeat(await makeUpload(), tag));
  expect(tasks).toEqual([expect.objectContaining({ tagContent: `original of ${tag}` })]);
});

test("if the audio is replaced while the preview is rendered, the new audio is published", async () => {
  const next = await makeUpload();
  const beatId = await makeBeat(await makeUpload());
  await runJob(beatId, {
    runTask: async (task, options) => {
      if (tasks.length === 0)
        await db.updateTable("beat_productions").set({ audio_upload_id: next }).where("beat_id", "=", beatId).execute();
      return parts.runTask?.(task, options) as never;
    },
  });
  expect(await stateOf(beatId)).toEqual(published);
  expect(tasks.map(({ content }) => content).at(-1)).toBe(`original of ${next}`);
});

test("the job of a beat whose exclusive license is held is postponed to the end of the hold, and then publishes it", async () => {
  const beatId = await makeBeat(await makeUpload());
  const until = new Date(clock.nowMs() + 600_000);
  const heldColumns = { exclusive_state: "held" as const, exclusive_order_id: 1, exclusive_held_until: until };
  await db.updateTable("beats").set(heldColumns).where("id", "=", beatId).execute();
  const refusal = await runJob(beatId).catch((error) => error);
  expect(refusal).toBeInstanceOf(JobPostponed);
  expect(refusal.until).toEqual(until);
  clock.advance(600_000);
  await runJob(beatId);
  expect(await stateOf(beatId)).toEqual(published);
});

describe("after a kill", () => {
  const killed = new Error("killed");
  const rejectAsKilled = () => Promise.reject(killed);
  const stopped = new AbortController();
  stopped.abort(killed);

  test.each<[step: string, failing: Partial<PreviewJobParts>, signal?: AbortSignal]>([
    ["before the recording is fetched", { objects: { open: rejectAsKilled, store: rejectAsKilled } }],
    ["before the preview is made", { runTask: rejectAsKilled }],
    [
      "before the preview is stored",
      { objects: { open: (...parameters) => objects.open(...parameters), store: rejectAsKilled } },
    ],
    [
      "after the preview is stored",
      {
        objects: {
          open: (...parameters) => objects.open(...parameters),
          store: async (file) => {
            await objects.store(file);
            throw killed;
          },
        },
      },
    ],
    ["as the worker stops", {}, stopped.signal],
  ])("%s, the beat is not on sale, and the next attempt publishes it", async (_, failing, signal) => {
    const beatId = await makeBeat(await makeUpload());
    await expect(runJob(beatId, failing, signal)).rejects.toThrow();
    expect(await stateOf(beatId)).toMatchObject({ stage: "processing", is_listed: false, files: [], events: [] });
    expect(await readdir(join(folder, "scratch"))).toEqual([]);
    await runJob(beatId);
    expect(await stateOf(beatId)).toEqual(published);
  });

  test("the next attempt of a job that had published its beat changes nothing", async () => {
    const beatId = await makeBeat(await makeUpload());
    await runJob(beatId);
    const before = await stateOf(beatId);
    await runJob(beatId);
    expect(await stateOf(beatId)).toEqual(before);
    expect(tasks).toHaveLength(1);
  });
});
