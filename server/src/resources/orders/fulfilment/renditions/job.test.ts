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

/** Returns the renditions of the master, either for a lossless or for a lossy master. */
const storedRenditions = (isLossy = false) => findRenditions(db, { sha256: master.sha256, isLossy });
const handler = (parts: Partial<RenditionJobParts> = {}) =>
  renditionHandler({ db, objects, scratch: new ScratchFolders(join(folder, "scratch")), ...parts });
const run = (parts: Partial<RenditionJobParts> = {}, signal = new AbortController().signal) =>
  handler(parts).run({ subject: master.sha256 } as Job, { signal });
/** Inserts an order of the master in the format of releases that did not distinguish lossy masters. */
async function insertOrder(): Promise<void> {
  const [buyer] =
    await driver`insert into users (username, display_name) values (${`buyer${masters}`}, 'B') returning id`;
  await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
                        payment_method, payment_provider, payment_key, created_at, master_sha256)
    select ${buyer?.id ?? 0}, ${beat}, 'x', user_id, 'x', 'basic', 1, 'USD', 'pm', 'sandbox', 'k', now(), ${master.sha256}
    from beats where id = ${beat}`;
}
const untilNotices = async (count: number) => {
  while (notices.length < count) await new Promise(setImmediate);
  return notices;
};

test("the job makes and stores both renditions, notifies buyers, and uses a clean WAV unchanged", async () => {
  await run();
  const files = Object.fromEntries((await storedRenditions()).map(({ kind, ...file }) => [kind, file]));
  expect(files.wav).toEqual({ ...master, contentType: "audio/wav" });
  expect(files.mp3?.contentType).toBe("audio/mpeg");
  expect(await objects.head(files.mp3?.sha256 ?? "")).toEqual({ bytes: files.mp3?.bytes });
  expect(await untilNotices(1)).toEqual([{ masterSha256: master.sha256, failure: null }]);
});

test("the job makes only an MP3 of a lossy master, and a WAV too for earlier orders that included it", async () => {
  const bytes = await mp3(heard(1 + masters / 100));
  master = await storeBytes(objects, bytes);
  await attachRecording(db, beat, { master, contentType: "audio/mpeg" });
  await run();
  expect(await storedRenditions()).toEqual([]);
  expect(await storedRenditions(true)).toEqual([{ kind: "mp3", ...master, contentType: "audio/mpeg" }]);
  await insertOrder();
  await run();
  expect((await storedRenditions()).map(({ kind }) => kind).sort()).toEqual(["mp3", "wav"]);
  expect(await storedRenditions(true)).toEqual([{ kind: "mp3", ...master, contentType: "audio/mpeg" }]);
  await driver`delete from orders`;
});

test("a second run makes no rendition again", async () => {
  await run();
  await run({ runTask: () => Promise.reject(new Error("made again")) });
  expect(await untilNotices(2)).toMatchObject([{ failure: null }, { failure: null }]);
});

test("waiting requests get the reason of a failure, without internal details", async () => {
  const explained = new MediaTaskError("The file took too long to read.", { isFinal: false });
  await expect(run({ runTask: () => Promise.reject(explained) })).rejects.toBe(explained);
  await expect(run({ runTask: () => Promise.reject(new Error("/srv/secret")) })).rejects.toThrow();
  const unavailable = new StorageUnavailable(new Error("ECONNREFUSED 10.0.0.7"));
  const unreadable = { ...objects, open: () => Promise.reject(unavailable), store: objects.store };
  await expect(run({ objects: unreadable })).rejects.toBe(unavailable);
  await handler().giveUp({ subject: master.sha256 } as Job, "It could not be processed.");
  expect((await untilNotices(4)).map(({ failure }) => failure)).toEqual([
    "The file took too long to read.",
    "something went wrong on our side.",
    "something went wrong on our side.",
    "It could not be processed.",
  ]);
  expect(await storedRenditions()).toEqual([]);
});

test("a stopped attempt sends no notices and stores no renditions", async () => {
  const stopping = new AbortController();
  const runTask = async ({ outDir }: { outDir: string }) => {
    await writeFile(join(outDir, "master.mp3"), "half");
    stopping.abort(new Error("The worker stops."));
    throw stopping.signal.reason;
  };
  await expect(run({ runTask: runTask as never }, stopping.signal)).rejects.toThrow("stops");
  expect(await storedRenditions()).toEqual([]);
  expect(notices).toEqual([]);
});

test("a buyer's job runs before uploads, even if the job was queued at publication", async () => {
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

test("masters of beats that changed in the last 24 hours are queued once, if they have neither renditions nor a job", async () => {
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

test("renditions are deleted when no beat and no order has their master", async () => {
  const count = async () => {
    await deleteUnusedRenditions(db);
    return (await storedRenditions()).length;
  };
  await insertRenditions(db, master, { mp3: master, wav: master });
  expect(await count()).toBe(2);
  await insertOrder();
  await driver`delete from beat_files where beat_id = ${beat}`;
  expect(await count()).toBe(2);
  await driver`update orders set master_sha256 = null`;
  expect(await count()).toBe(0);
});
