import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, expect, test } from "vitest";
import { testApi } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { storeBytes } from "../../test/harness/database/order-files.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-covers-"));
afterAll(() => rm(dataDir, { recursive: true }));
const api = await testApi({ dataDir });
const { query: db } = api.database;
const objects = new StoredObjects(db, new FolderStorage(join(dataDir, "objects")));
const [beat = 0] = await insertBeats(api.database, [{ title: "Drive" }]);
const get = (file: string, headers: Record<string, string> = {}) =>
  api.get(`/media/beats/${file}`, { key: null, headers });

test("a drawn cover is sent compressed if the client accepts it, and a range counts uncompressed bytes", async () => {
  const plain = await get(`${beat}.svg`);
  const small = await get(`${beat}.svg`, { "accept-encoding": "gzip" });
  expect(small.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  expect(gunzipSync(small.rawPayload).toString()).toBe(plain.body);
  const part = await get(`${beat}.svg`, { "accept-encoding": "gzip", range: "bytes=0-3" });
  expect([part.statusCode, part.body, part.headers.etag]).toEqual([206, "<svg", plain.headers.etag]);
});

test("the address of a small cover has the hash of the cover; without a small one, it serves the cover", async () => {
  const add = async (name: string, content: string, content_type: string) => {
    const { sha256, bytes } = await storeBytes(objects, content);
    await db.insertInto("beat_files").values({ beat_id: beat, name, sha256, bytes, content_type }).execute();
    return sha256.slice(0, 12);
  };
  const open = async (file: string) => {
    const { statusCode, headers, body } = await get(`${beat}/${file}`);
    return statusCode === 200 ? [headers["content-type"], body] : statusCode;
  };
  const hash = await add("cover", "a cover", "image/jpeg");
  expect(await open(`cover-small-${hash}.webp`)).toEqual(["image/jpeg", "a cover"]);
  const ownHash = await add("cover-small", "small", "image/webp");
  expect(await open(`cover-small-${hash}.webp`)).toEqual(["image/webp", "small"]);
  expect(await open(`cover-${hash}.jpg`)).toEqual(["image/jpeg", "a cover"]);
  expect(await open(`cover-small-${ownHash}.webp`)).toBe(404);
});
