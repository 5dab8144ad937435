import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { objectKey } from "@beatmarket/storage/storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, expect, test } from "vitest";
import { fileKinds } from "../../src/resources/orders/fulfilment/fulfilment.ts";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { attachRecording, insertLicense, insertRenditions, storeBytes } from "../harness/database/order-files.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-downloads-"));
afterAll(() => rm(dataDir, { recursive: true }));
const api = await testApi({ dataDir });
const { query: db, driver } = api.database;
const secret = "the bytes that are paid for";

test("no address but the signed link returns bytes of a master, rendition, archive or certificate", async () => {
  const [beat = 0] = await insertBeats(api.database, [{ title: "Midnight", producer: "Nightowl" }]);
  const objects = new StoredObjects(db, new FolderStorage(join(dataDir, "objects")));
  const [master, mp3, wav, stems, pdf] = await Promise.all(
    ["master", "mp3", "wav", "stems", "pdf"].map((name) => storeBytes(objects, `${name}: ${secret}`)),
  );
  if (!master || !mp3 || !wav || !stems || !pdf) throw new Error("not stored");
  await attachRecording(db, beat, { master, stems });
  await insertRenditions(db, master, { mp3, wav });
  const placed = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}` },
    payload: { beat_id: beat, payment_method: "pm_card_visa", license_type: "unlimited" },
  });
  const { id: order } = placed.json().data.order;
  await insertLicense(db, order, pdf);
  const { files } = (await api.get(`/v1/orders/${order}/files`)).json().data;
  expect(files.map(({ kind }: { kind: string }) => kind)).toEqual([...fileKinds]);
  const query = new URL(files[0].url).search;

  const names = ["master", "original", "stems", "mp3", "wav", "license", "rendition", "audio", "preview"];
  const hashes = [master, mp3, wav, stems, pdf].map(({ sha256 }) => sha256);
  const guesses = [
    ...hashes.flatMap((sha256) => [
      ...names.flatMap((name) =>
        ["mp3", "wav", "zip", "pdf"].map((type) => `/media/beats/${beat}/${name}-${sha256.slice(0, 12)}.${type}`),
      ),
      `/objects/${objectKey(sha256)}`,
      `/downloads/${sha256}`,
      `/downloads/${order}/${sha256}${query}`,
      `/media/${sha256}`,
    ]),
    ...[...names, "..", "%2e%2e", "mp3%00", "MP3", "mp3/", "__proto__", "constructor"].flatMap((kind) => [
      `/downloads/${order}/${kind}`,
      `/downloads/${order}/${kind}?expires=9999999999&signature=`,
      `/downloads/${order}/${kind}?expires=9999999999&signature=${"A".repeat(43)}`,
      `/media/uploads/${order}/${kind}`,
      ...(kind === "mp3" ? [] : [`/downloads/${order}/${kind}${query}`]),
    ]),
    ...[order - 1, order + 1, -1, "0x1", `${order}.0`, `0${order}`, "9".repeat(30)].map(
      (id) => `/downloads/${id}/mp3${query}`,
    ),
    `/downloads/${order}/mp3${query.replace("signature=", "signature=&signature=")}`,
    `/downloads/${order}/mp3${query}&expires=9999999999`.replace(/expires=\d+/, "expires=9999999999"),
    `/v1/downloads/${order}/mp3${query}`,
  ];
  for (const url of guesses)
    for (const headers of [{}, { authorization: `Bearer ${api.key}` }]) {
      const { statusCode, body } = await api.request({ method: "GET", url, headers });
      expect([url, statusCode >= 300, body.includes(secret)]).toEqual([url, true, false]);
    }
  expect(await driver`select * from order_downloads`).toEqual([]);
});
