import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import { type FilesOnDisk, type PublishFileParts, publishFile, readFieldTexts } from "./publish-file.ts";

const { query: db, driver } = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), "beatmarket-from-disk-"));
afterAll(() => rm(folder, { recursive: true }));
await driver`insert into genres (name, slug) values ('Trap', 'trap')`;
const { id: userId } = await findOrCreateAccount(db, { email: "ana@example.com" });
const fields = readFieldTexts({ title: "Dusk", genre: "Trap", price: "29.90" }, "draft");
const never = new AbortController().signal;

/** Runs while a file is analysed. */
let duringAnalysis: () => Promise<void> = async () => {};
const parts: PublishFileParts = {
  db,
  clock: new FakeClock(),
  publicUrl: "https://beats.example",
  allowsDuplicates: false,
  licenseBounds: null,
  objects: new StoredObjects(db, new FolderStorage(join(folder, "objects"))),
  scratch: new ScratchFolders(join(folder, "scratch")),
  run: (async (task: { outDir: string; kind: string }, { signal }: { signal: AbortSignal }) => {
    await duringAnalysis();
    signal.throwIfAborted();
    for (const name of ["waveform.json", "waveform-detail.json", "cover.jpg", "cover-small.webp"])
      await writeFile(join(task.outDir, name), name);
    return {
      format: "wav",
      sampleRate: 44_100,
      channels: 2,
      durationSeconds: 4,
      bpm: null,
      key: null,
      clippedSamples: 0,
      loudness: { integratedLufs: -9, truePeakDbtp: -1 },
      silence: { startSeconds: 0, endSeconds: 0 },
    };
  }) as unknown as PublishFileParts["run"],
};

beforeEach(async () => {
  duringAnalysis = async () => {};
  await driver`truncate beats, uploads cascade`;
});
async function fileOf(name: string, content: string): Promise<FilesOnDisk["audio"]> {
  const path = join(folder, name);
  await writeFile(path, content);
  return { path, filename: name, bytes: (await stat(path)).size };
}
const remaining = async () => ({
  beats: (await driver`select id from beats`).length,
  uploads: (await driver`select id from uploads`).length,
  scratch: (await readdir(join(folder, "scratch"))).length,
});

test("two concurrent commands with the same file create one beat", async () => {
  const audio = await fileOf("twice.wav", "twice");
  const results = await Promise.all(
    [1, 2].map(() => publishFile(parts, userId, { files: { audio }, fields }, { signal: never })),
  );
  expect(new Set(results.map(({ beatId }) => beatId)).size).toBe(1);
  expect(results.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  expect(await remaining()).toEqual({ beats: 1, uploads: 1, scratch: 0 });
});

test("audio, cover and stems become uploads that the beat uses, so none of them expires", async () => {
  const files = {
    audio: await fileOf("all.wav", "all"),
    cover: await fileOf("all.png", "picture"),
    stems: await fileOf("all.zip", "stems"),
  };
  const { beatId } = await publishFile(parts, userId, { files, fields }, { signal: never });
  const uploads = await driver`
    select kind, filename, status, received = bytes as complete, used_at is not null as used
    from uploads join beat_productions on uploads.id in (audio_upload_id, cover_upload_id, stems_upload_id)
    where beat_id = ${beatId} order by kind`;
  const complete = { status: "ready", complete: true, used: true };
  expect(uploads).toEqual([
    { kind: "audio", filename: "all.wav", ...complete },
    { kind: "cover", filename: "all.png", ...complete },
    { kind: "stems", filename: "all.zip", ...complete },
  ]);
});

test("a command that is stopped during the analysis leaves nothing, and the next one starts from the beginning", async () => {
  const audio = await fileOf("stopped.wav", "stopped");
  const stop = new AbortController();
  duringAnalysis = async () => stop.abort();
  await expect(publishFile(parts, userId, { files: { audio }, fields }, { signal: stop.signal })).rejects.toThrow();
  expect(await remaining()).toEqual({ beats: 0, uploads: 0, scratch: 0 });
  duringAnalysis = async () => {};
  const { isNew } = await publishFile(parts, userId, { files: { audio }, fields }, { signal: never });
  expect(isNew).toBe(true);
});

test("a file that changes while it is read is refused", async () => {
  const audio = await fileOf("growing.wav", "growing");
  duringAnalysis = () => appendFile(audio.path, " still");
  await expect(publishFile(parts, userId, { files: { audio }, fields }, { signal: never })).rejects.toMatchObject({
    status: 409,
    details: "The file changed while it was read; try again.",
  });
  expect(await remaining()).toMatchObject({ beats: 0, uploads: 0 });
});

test("a file above the size limit of uploads is refused before it is read", async () => {
  const audio = { path: "/nonexistent", filename: "large.wav", bytes: 500_000_001 };
  await expect(publishFile(parts, userId, { files: { audio }, fields }, { signal: never })).rejects.toMatchObject({
    status: 413,
  });
});

test("the signal ends the wait for a preview, and the preview job stays for a worker", async () => {
  const audio = await fileOf("waiting.wav", "waiting");
  const stop = new AbortController();
  const fieldsToPublish = readFieldTexts({ title: "Dusk", genre: "Trap", price: "29.90", bpm: "90" }, "published");
  const publishing = publishFile(
    parts,
    userId,
    { files: { audio }, fields: fieldsToPublish },
    { signal: stop.signal, onStep: (step) => step === "publishing" && setImmediate(() => stop.abort()) },
  );
  await expect(publishing).rejects.toThrow();
  expect(await driver`select stage from beat_productions`).toEqual([{ stage: "processing" }]);
  expect(await driver`select kind from media_jobs where subject = (select id::text from beats)`).toEqual([
    { kind: "preview" },
  ]);
});
