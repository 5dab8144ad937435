import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { MediaTaskError } from "@beatmarket/audio/media-task.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import type { Job } from "@beatmarket/jobs/queue.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { PartDrafts } from "@beatmarket/resumable-uploads/drafts.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import { filesOfUpload, findUpload, retryUpload, sweepUploads, useUpload } from "../queries.ts";
import { newUploadId, type UploadKind } from "../upload.ts";
import type { RunMediaTask } from "./findings.ts";
import { type UploadJobParts, uploadJobs } from "./upload-jobs.ts";

const database = await testDatabase();
const db = database.query;
const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-upload-jobs-"));
afterAll(() => rm(dataDir, { recursive: true }));
const drafts = new PartDrafts(dataDir);
const scratch = join(dataDir, "scratch");
const objects = new StoredObjects(db, new FolderStorage(join(dataDir, "objects")));
const { id: userId } = await findOrCreateAccount(db, { email: "producer@example.com" });
const now = new Date("2026-11-22T12:00:00Z");
const later = new Date(now.getTime() + 86_400_000);
const { signal } = new AbortController();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
await mkdir(drafts.folder, { recursive: true });

/** The tests use these findings in place of a child process's findings. */
const findings = {
  format: "flac",
  sampleRate: 48_000,
  channels: 2,
  durationSeconds: 104.6,
  bpm: { value: 140, confidence: 0.9345, alternative: 70 },
  key: null,
  loudness: { integratedLufs: -9.437, truePeakDbtp: Number.NEGATIVE_INFINITY },
  clippedSamples: 3,
  silence: { startSeconds: 0, endSeconds: 1.204 },
};
let run = (async (task: { outDir: string }) => {
  await writeFile(join(task.outDir, "waveform.json"), "[1]");
  await writeFile(join(task.outDir, "waveform-detail.json"), "[1,2]");
  await writeFile(join(task.outDir, "cover.jpg"), "a picture");
  await writeFile(join(task.outDir, "cover-small.webp"), "a small picture");
  return findings;
}) as unknown as RunMediaTask;
const succeedingRun = run;
beforeEach(() => {
  run = succeedingRun;
});

const jobs = (fields: Partial<UploadJobParts> = {}) =>
  uploadJobs({
    db,
    clock: systemClock,
    objects,
    scratch: new ScratchFolders(scratch),
    run: ((task: never, options: never) => run(task, options)) as RunMediaTask,
    onEnd: async () => {},
    ...fields,
  });
const jobOf = (subject: string) => ({ subject }) as Job;
const handlerOf = (kind: string, fields: Partial<UploadJobParts> = {}) => {
  const handler = jobs(fields)[kind];
  if (handler === undefined) throw new Error(`No handler for ${kind}.`);
  return handler;
};

/** Inserts an upload whose bytes have all arrived. */
async function insertArrivedUpload(kind: UploadKind, text: string, status = "analysing"): Promise<string> {
  const id = newUploadId();
  const bytes = text.length;
  const fields = { kind, bytes, received: bytes, filename: "a.flac", created_at: now, expires_at: later };
  await db
    .insertInto("uploads")
    .values({ id, user_id: userId, status, ...fields })
    .execute();
  const half = Math.ceil(bytes / 2);
  for (const [first_byte, part] of [
    [0, text.slice(0, half)],
    [half, text.slice(half)],
  ] as const) {
    const path = join(drafts.folder, id);
    await writeFile(path, part);
    const stored = await objects.store(path);
    await rm(path);
    await db
      .insertInto("upload_parts")
      .values({ upload_id: id, first_byte, ...stored })
      .execute();
  }
  return id;
}
/** Returns the events of all uploads, oldest first. */
const uploadEvents = async () => {
  const rows = await db.selectFrom("events").select(["type", "payload", "audience"]).orderBy("id").execute();
  return rows
    .filter(({ type }) => type.startsWith("upload."))
    .map(({ payload, ...fields }) => ({ ...fields, data: JSON.parse(payload).data }));
};
const uploadWith = (fields: object) => expect.objectContaining(fields);
const partsOf = (id: string) => db.selectFrom("upload_parts").select("sha256").where("upload_id", "=", id).execute();
const upload = (id: string) => findUpload(db, userId, id, now);

describe("the analysis of an upload", () => {
  test("calls `onEnd` once in the same transaction, for ready and rejected uploads", async () => {
    const endedUploads: string[] = [];
    const onEnd = async (transaction: Queryable, id: string) => {
      const { status } = await transaction
        .selectFrom("uploads")
        .select("status")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      endedUploads.push(status);
    };
    const ready = await insertArrivedUpload("audio", "heard");
    await handlerOf("analyse", { onEnd }).run(jobOf(ready), { signal });
    const handler = handlerOf("analyse", { onEnd });
    const uploadId = await insertArrivedUpload("audio", "given up");
    await handler.giveUp(jobOf(uploadId), "It was interrupted three times.");
    await handler.giveUp(jobOf(uploadId), "It was interrupted three times.");
    expect(endedUploads).toEqual(["ready", "rejected"]);
    expect(await uploadEvents()).toEqual([
      { type: "upload.ready", audience: [userId], data: uploadWith({ id: ready, status: "ready" }) },
      {
        type: "upload.rejected",
        audience: [userId],
        data: uploadWith({ id: uploadId, status: "rejected", rejection: "It was interrupted three times." }),
      },
    ]);
    const failing = await insertArrivedUpload("audio", "no reply");
    const failingHandler = handlerOf("analyse", { onEnd: () => Promise.reject(new Error("no reply")) });
    await expect(failingHandler.run(jobOf(failing), { signal })).rejects.toThrow("no reply");
    expect(await upload(failing)).toMatchObject({ status: "analysing" });
    expect(await uploadEvents()).toHaveLength(2);
  });

  test("stores the findings, the original and two waveforms of audio, and deletes the received parts", async () => {
    const id = await insertArrivedUpload("audio", "some audio");
    await handlerOf("analyse").run(jobOf(id), { signal });
    expect(await upload(id)).toMatchObject({
      status: "ready",
      rejection: null,
      sha256: sha256("some audio"),
      analysis: {
        bpm: 140,
        bpm_confidence: 0.93,
        bpm_alternative: 70,
        key: null,
        key_confidence: null,
        key_alternative: null,
        duration: 105,
        format: "flac",
        sample_rate: 48_000,
        channels: 2,
        loudness_lufs: -9.44,
        true_peak_dbtp: null,
        clipped_samples: 3,
        silence_start: 0,
        silence_end: 1.2,
      },
    });
    expect(await filesOfUpload(db, id)).toEqual([
      { name: "original", sha256: sha256("some audio"), bytes: 10, content_type: "audio/flac" },
      { name: "waveform", sha256: sha256("[1]"), bytes: 3, content_type: "application/json" },
      { name: "waveform-detail", sha256: sha256("[1,2]"), bytes: 5, content_type: "application/json" },
    ]);
    expect(await objects.head(sha256("some audio"))).toEqual({ bytes: 10 });
    expect(await partsOf(id)).toEqual([]);
    expect(await readdir(scratch)).toEqual([]);
  });

  test("stores the files of covers and stems, without findings", async () => {
    const cover = await insertArrivedUpload("cover", "a png");
    await handlerOf("cover").run(jobOf(cover), { signal });
    expect((await filesOfUpload(db, cover)).map(({ name, content_type }) => [name, content_type])).toEqual([
      ["cover", "image/jpeg"],
      ["cover-small", "image/webp"],
      ["original", "application/octet-stream"],
    ]);
    const stems = await insertArrivedUpload("stems", "a zip");
    await handlerOf("stems").run(jobOf(stems), { signal });
    expect(await upload(stems)).toMatchObject({ status: "ready", analysis: null, sha256: sha256("a zip") });
  });

  test("rejects an unusable file immediately with the reason, deletes its bytes, and allows no retry", async () => {
    const id = await insertArrivedUpload("audio", "a text");
    run = () => Promise.reject(new MediaTaskError("This is no audio.", { isFinal: true }));
    await handlerOf("analyse").run(jobOf(id), { signal });
    expect(await upload(id)).toMatchObject({ status: "rejected", rejection: "This is no audio.", sha256: null });
    expect(await partsOf(id)).toEqual([]);
    await expect(retryUpload(db, userId, id, now)).rejects.toMatchObject({
      status: 409,
      details: "The file itself was rejected: This is no audio. Upload another one.",
    });
  });

  test("fails after a fault of the service, keeps the bytes, and allows a retry", async () => {
    const id = await insertArrivedUpload("audio", "slow audio");
    run = () => Promise.reject(new MediaTaskError("The file took too long to read.", { isFinal: false }));
    await expect(handlerOf("analyse").run(jobOf(id), { signal })).rejects.toThrow("too long");
    expect(await upload(id)).toMatchObject({ status: "analysing" });
    await handlerOf("analyse").giveUp(jobOf(id), "The file took too long to read.");
    expect(await upload(id)).toMatchObject({ status: "rejected", is_retriable: true });
    await sweepUploads(db, drafts, now);
    expect(await retryUpload(db, userId, id, now)).toMatchObject({ status: "analysing", rejection: null });
    expect(await db.selectFrom("media_jobs").select("kind").where("subject", "=", id).execute()).toHaveLength(1);
    run = succeedingRun;
    await handlerOf("analyse").run(jobOf(id), { signal });
    expect(await retryUpload(db, userId, id, now)).toMatchObject({ status: "ready" });
    await expect(retryUpload(db, userId + 1, id, now)).rejects.toMatchObject({ status: 404 });
    for (const invalidId of ["latest", "a\0b"])
      await expect(retryUpload(db, userId, invalidId, now)).rejects.toMatchObject({ status: 400 });
  });

  test("can be repeated after a crash at any stored object", async () => {
    for (const stored of [0, 1, 2]) {
      const id = await insertArrivedUpload("audio", `audio ${stored}`);
      let count = 0;
      const crashingObjects = {
        open: (sha256: string) => objects.open(sha256),
        store: (path: string) => (count++ < stored ? objects.store(path) : Promise.reject(new Error("killed"))),
      };
      await expect(handlerOf("analyse", { objects: crashingObjects }).run(jobOf(id), { signal })).rejects.toThrow(
        "killed",
      );
      expect(await upload(id)).toMatchObject({ status: "analysing" });
      await handlerOf("analyse").run(jobOf(id), { signal });
      expect(await filesOfUpload(db, id)).toHaveLength(3);
    }
  });

  test("stores nothing for an upload that was deleted, and rejects an upload whose bytes were lost", async () => {
    await handlerOf("analyse").run(jobOf(newUploadId()), { signal });
    const id = await insertArrivedUpload("audio", "deleted");
    run = (async (task: { outDir: string }) => {
      await db.deleteFrom("uploads").where("id", "=", id).execute();
      return succeedingRun(task as never, { signal });
    }) as unknown as RunMediaTask;
    await handlerOf("analyse").run(jobOf(id), { signal });
    expect(await filesOfUpload(db, id)).toEqual([]);
    const uploadId = await insertArrivedUpload("stems", "lost");
    const [part] = await partsOf(uploadId);
    await new FolderStorage(join(dataDir, "objects")).delete(part?.sha256 ?? "");
    await handlerOf("stems").run(jobOf(uploadId), { signal });
    expect(await upload(uploadId)).toMatchObject({
      status: "rejected",
      rejection: expect.stringContaining("lost on our side"),
    });
  });
});

test("the sweep deletes the draft of a crashed server, but not a draft that is being written", async () => {
  const [abandoned, written] = await Promise.all([drafts.begin(), drafts.begin()]);
  const old = new Date(now.getTime() - 7_200_000);
  await utimes(abandoned.path, old, old);
  await utimes(written.path, now, now);
  await sweepUploads(db, drafts, now);
  expect(await readdir(drafts.folder)).toEqual([basename(written.path)]);
  await Promise.all([abandoned.remove(), written.remove()]);
});

describe("an expired upload", () => {
  test("is deleted with its bytes while it is received, analysed or ready, unless a beat uses it", async () => {
    const ids = [];
    for (const status of ["receiving", "analysing", "ready"])
      ids.push(await insertArrivedUpload("audio", status, status));
    const usedUpload = await insertArrivedUpload("audio", "used", "ready");
    await useUpload(db, { id: usedUpload, userId, kind: "audio", field: "audio", now });
    await sweepUploads(db, drafts, new Date(later.getTime() - 1));
    expect(await db.selectFrom("uploads").select("id").where("id", "in", ids).execute()).toHaveLength(3);
    await sweepUploads(db, drafts, later);
    expect(
      await db
        .selectFrom("uploads")
        .select("id")
        .where("id", "in", [...ids, usedUpload])
        .execute(),
    ).toEqual([{ id: usedUpload }]);
    for (const id of ids) expect(await partsOf(id)).toEqual([]);
    expect(await findUpload(db, userId, usedUpload, later)).toMatchObject({ used_at: now });
  });
});

describe("a beat can use", () => {
  const use = (id: string, fields: { userId?: number; kind?: UploadKind; now?: Date } = {}) =>
    useUpload(db, { id, userId, kind: "audio", field: "audio", now, ...fields });

  test("an upload in analysis, or a ready upload", async () => {
    for (const status of ["analysing", "ready"]) {
      const id = await insertArrivedUpload("audio", status, status);
      expect(await use(id)).toMatchObject({ id, status, used_at: now });
      expect(await use(id, { now: later })).toMatchObject({ used_at: now });
    }
  });

  test.each([
    ["of another account", "ready", { userId: userId + 1 }, "that you do not have"],
    ["of another kind", "ready", { kind: "stems" as const }, "of kind audio; one of kind stems is needed"],
    ["that is not complete", "receiving", {}, "that is not complete: 3 of 3 bytes have arrived"],
    ["that has expired", "ready", { now: later }, "that you do not have"],
  ])("no upload %s; the error 400 names the field", async (_, status, fields, details) => {
    const id = await insertArrivedUpload("audio", "abc", status);
    await expect(use(id, fields)).rejects.toMatchObject({ status: 400, details: expect.stringContaining(details) });
    await expect(use(id, fields)).rejects.toMatchObject({ details: expect.stringContaining("The audio field") });
  });

  test("no rejected or unknown upload", async () => {
    const id = await insertArrivedUpload("audio", "abc");
    await handlerOf("analyse").giveUp(jobOf(id), "It is broken.");
    await expect(use(id)).rejects.toMatchObject({ details: expect.stringContaining("rejected: It is broken.") });
    await expect(use("../../etc")).rejects.toMatchObject({ status: 400 });
  });
});
