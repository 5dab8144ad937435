import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, expect, test } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { attachRecording, storeBytes } from "../../../../test/harness/database/order-files.ts";
import { offeredFiles } from "./offered-licenses.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-offers-"));
afterAll(() => rm(folder, { recursive: true }));
const database = await testDatabase();
const { query: db } = database;
const objects = new StoredObjects(db, new FolderStorage(folder));
const [beat = 0] = await insertBeats(database, [{ title: "Midnight", producer: "Nightowl" }]);
const filesOf = (beatId: number, { generatedSource = null }: { generatedSource?: string | null } = {}) =>
  offeredFiles(db, beatId, generatedSource);

test("without a recording, every license includes only its certificate", async () => {
  expect(await filesOf(beat)).toMatchObject({ basic: ["license"], exclusive: ["license"] });
});

test.each(["audio/wav", "audio/aiff", "audio/flac"])("a recording of %s offers a WAV", async (contentType) => {
  await attachRecording(db, beat, { master: await storeBytes(objects, contentType), contentType });
  expect(await filesOf(beat)).toEqual({
    basic: ["mp3", "license"],
    premium: ["mp3", "wav", "license"],
    unlimited: ["mp3", "wav", "license"],
    exclusive: ["mp3", "wav", "license"],
  });
});

test.each(["audio/mpeg", "audio/ogg", "audio/mp4"])(
  "a recording of %s, which is lossy, offers no WAV",
  async (contentType) => {
    const stems = await storeBytes(objects, "stems");
    await attachRecording(db, beat, { master: await storeBytes(objects, contentType), contentType, stems });
    expect(await filesOf(beat)).toEqual({
      basic: ["mp3", "license"],
      premium: ["mp3", "license"],
      unlimited: ["mp3", "stems", "license"],
      exclusive: ["mp3", "stems", "license"],
    });
  },
);

test("a demo beat without a recording offers a WAV", async () => {
  const [demoBeat = 0] = await insertBeats(database, [{ title: "Made", producer: "Nightowl" }]);
  await db.updateTable("beats").set({ source: "demo", external_id: "1" }).where("id", "=", demoBeat).execute();
  expect((await filesOf(demoBeat, { generatedSource: "demo" })).premium).toEqual(["mp3", "wav", "license"]);
  expect((await filesOf(demoBeat)).premium).toEqual(["license"]);
});
