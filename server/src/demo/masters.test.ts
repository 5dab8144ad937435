import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderLoop } from "@beatmarket/audio/synthesizer/loop.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { objectKey } from "@beatmarket/storage/storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, expect, test } from "vitest";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../test/harness/database/database.ts";
import { attachRecording, storeBytes } from "../../test/harness/database/order-files.ts";
import { DemoMasters } from "./previews.ts";
import { demoSource } from "./seed.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-masters-"));
afterAll(() => rm(folder, { recursive: true }));
const database = await testDatabase();
const { query: db, driver } = database;
const objects = new StoredObjects(db, new FolderStorage(join(folder, "objects")));
const loops = { find: async (beat: Parameters<typeof renderLoop>[0]) => ({ body: renderLoop(beat), etag: '"x"' }) };
const masters = new DemoMasters({ db, loops, objects, scratch: new ScratchFolders(join(folder, "scratch")) });

test("the recording of a demo beat is its loop, the same each time; other beats have none", async () => {
  const [beat = 0, imported = 0] = await insertBeats(database, [{ title: "Midnight" }, { title: "Imported" }]);
  await driver`update beats set source = ${demoSource}, external_id = 'x' where id = ${beat}`;
  const recording = await masters.make(beat);
  expect(recording?.contentType).toBe("audio/wav");
  const stored = await readFile(join(folder, "objects", objectKey(recording?.sha256 ?? "")));
  expect(stored.toString("latin1", 0, 4)).toBe("RIFF");
  expect(stored.length).toBe(recording?.bytes);
  expect(await masters.make(beat)).toEqual(recording);
  expect(await masters.make(imported)).toBeNull();
  await attachRecording(db, beat, { master: await storeBytes(objects, "its producer's own") });
  expect(await masters.make(beat)).toBeNull();
});
