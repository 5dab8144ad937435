import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MediaTaskError } from "@beatmarket/audio/media-task.ts";
import { mp3, wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat as heard } from "@beatmarket/audio/testing/signals.ts";
import { claimJob, type Job } from "@beatmarket/jobs/queue.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StorageUnavailable } from "@beatmarket/storage/storage.ts";
import { type StoredFile, StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { insertBeats } from "../../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../../test/harness/database/database.ts";
import { attachRecording, insertRenditions, storeBytes } from "../../../../../test/harness/database/order-files.ts";
import { enqueueRenditions, priorities, renditionsJob } from "../../../jobs/media-jobs.ts";
import { type RenditionJobParts, renditionHandler } from "./job.ts";
import { deleteUnusedRenditions, findRenditions, queueLostRenditions, renditionsChannel } from "./renditions.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-renditions-"));
afterAll(() => rm(folder, { recursive: true }));
const database = await testDatabase();
const { query: db, driver } = database;
const objects = new StoredObjects(db, new FolderStorage(join(folder, "objects")));
const notices: { masterSha256: string; failure: string | null }[] = [];
const unfollow = await database.listener.subscribe(renditionsChannel, {
  onNotification: (payload) => notices.push(JSON.parse(payload)),
  onListening: () => {},
});
afterAll(() => unfollow());

let beat = 0;
let master: StoredFile;
let masters = 0;
beforeEach(async () => {
  [beat = 0] = await insertBeats(database, [{ title: "Midnight", producer: "Nightowl" }]);
  master = await storeBytes(objects, wav(heard(0.1 + ++masters / 100)));
  await attachRecording(db, beat, { master });
  await driver`truncate media_jobs`;
  notices.length = 0;
});

/** The renditions of the master: as a lossless one, like beats of this file have it, or as a lossy one. */
const made = (isLossy = false) => findRenditions(db, { sha256: master.sha256, isLossy });
const handler = (parts: Partial<RenditionJobParts> = {}) =>
  renditionHandler({ db, objects, scratch: new ScratchFolders(join(folder, "scratch")), ...parts });
const run = (parts: Partial<RenditionJobParts> = {}, signal = new AbortController().signal) =>
  handler(parts).run({ subject: master.sha256 } as Job, { signal });
/** Inserts an order of the master in the form before lossy masters were distinguished. */
async function insertOrder(): Promise<void> {
  const [buyer] =
    await driver`insert into users (username, display_name) values (${`buyer${masters}`}, 'B') returning id`;
  await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                        payment_method, payment_provider, payment_key, created_at, master_sha256)
    select ${buyer?.id ?? 0}, ${beat}, 'x', user_id, 'x', 'basic', 1, 'USD', 'pm', 'sandbox', 'k', now(), ${master.sha256}
    from beats where id = ${beat}`;
}
const noticed = async (count: number) => {
  while (notices.length < count) await new Promise(setImmediate);
  return notices;
};

test("both renditions are made in the sandbox and stored, and buyers are notified; a clean WAV is used unchanged", async () => {
  await run();
  const files = Object.fromEntries((await made()).map(({ kind, ...file }) => [kind, file]));
  expect(files.wav).toEqual({ ...master, contentType: "audio/wav" });
  expect(files.mp3?.contentType).toBe("audio/mpeg");
  expect(await objects.head(files.mp3?.sha256 ?? "")).toEqual({ bytes: files.mp3?.bytes });
  expect(await noticed(1)).toEqual([{ masterSha256: master.sha256, failure: null }]);
});

test("of a lossy master only an MP3 is made, plus what an earlier order was promised", async () => {
  const bytes = await mp3(heard(1 + masters / 100));
  master = await storeBytes(objects, bytes);
  await attachRecording(db, beat, { master, contentType: "audio/mpeg" });
  await run();
  expect(await made()).toEqual([]);
  expect(await made(true)).toEqual([{ kind: "mp3", ...master, contentType: "audio/mpeg" }]);
  await insertOrder();
  await run();
  expect((await made()).map(({ kind }) => kind).sort()).toEqual(["mp3", "wav"]);
  expect(await made(true)).toEqual([{ kind: "mp3", ...master, contentType: "audio/mpeg" }]);
  await driver`delete from orders`;
});

test("a second run makes nothing anew", async () => {
  await run();
  await run({ runTask: () => Promise.reject(new Error("made again")) });
  expect(await noticed(2)).toMatchObject([{ failure: null }, { failure: null }]);
});

test("waiting requests learn why an attempt failed, and nothing internal", async () => {
  const explained = new MediaTaskError("The file took too long to read.", { isFinal: false });
  await expect(run({ runTask: () => Promise.reject(explained) })).rejects.toBe(explained);
  await expect(run({ runTask: () => Promise.reject(new Error("/srv/secret")) })).rejects.toThrow();
  const away = new StorageUnavailable(new Error("ECONNREFUSED 10.0.0.7"));
  const unreadable = { ...objects, open: () => Promise.reject(away), store: objects.store };
  await expect(run({ objects: unreadable })).rejects.toBe(away);
  await handler().giveUp({ subject: master.sha256 } as Job, "It could not be processed.");
  expect((await noticed(4)).map(({ failure }) => failure)).toEqual([
    "The file took too long to read.",
    "something went wrong on our side.",
    "something went wrong on our side.",
    "It could not be processed.",
  ]);
  expect(await made()).toEqual([]);
});

test("an attempt that is stopped notifies nobody, and leaves nothing", async () => {
  const stopping = new AbortController();
  const runTask = async ({ outDir }: { outDir: string }) => {
    await writeFile(join(outDir, "master.mp3"), "half");
    stopping.abort(new Error("The worker stops."));
    throw stopping.signal.reason;
  };
  await expect(run({ runTask: runTask as never }, stopping.signal)).rejects.toThrow("stops");
  expect(await made()).toEqual([]);
  expect(notices).toEqual([]);
});

test("a buyer's job runs before uploads, and a job that waits since the beat was published is moved forward", async () => {
  const now = new Date();
  const ask = (masterSha256: string, priority: number) =>
    enqueueRenditions(db, { masterSha256, userId: 1, priority, now });
  await ask("published", priorities.afterPublishing);
  await ask("wanted", priorities.afterPublishing);
  await driver`insert into media_jobs (kind, subject, run_at) values ('analyse', 'upload', ${now})`;
  await ask("wanted", priorities.buyerWaits);
  const order: string[] = [];
  for (const lease of ["a", "b", "c"])
    order.push((await claimJob(db, { kinds: [renditionsJob, "analyse"], lease, now }))?.subject ?? "");
  expect(order).toEqual(["wanted", "upload", "published"]);
});

test("masters published or sold in the last day that have neither renditions nor a job are queued, once", async () => {
  const now = new Date();
  const queued = () => driver`select subject from media_jobs where kind = ${renditionsJob}`;
  await driver`update beats set updated_at = ${new Date(now.getTime() - 86_400_001)}`;
  expect(await queueLostRenditions(db, now)).toBe(0);
  await driver`update beats set updated_at = ${now} where id = ${beat}`;
  expect([await queueLostRenditions(db, now), await queueLostRenditions(db, now)]).toEqual([1, 0]);
  expect(await queued()).toEqual([{ subject: master.sha256 }]);
  await driver`truncate media_jobs`;
  await insertRenditions(db, master, { mp3: master, wav: master });
  expect(await queueLostRenditions(db, now)).toBe(0);
});

test("renditions are kept as long as a beat or an order has their master", async () => {
  const count = async () => {
    await deleteUnusedRenditions(db);
    return (await made()).length;
  };
  await insertRenditions(db, master, { mp3: master, wav: master });
  expect(await count()).toBe(2);
  await insertOrder();
  await driver`delete from beat_files where beat_id = ${beat}`;
  expect(await count()).toBe(2);
  await driver`update orders set master_sha256 = null`;
  expect(await count()).toBe(0);
});
