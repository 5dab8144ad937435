import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { startS3Server } from "@beatmarket/storage/testing/s3-server.ts";
import pino from "pino";
import { afterAll, describe, expect, it, test, vi } from "vitest";
import { testApi } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../test/harness/database/database.ts";
import {
  attachRecording,
  insertLicense,
  insertRenditions,
  refundInFull,
  sha256Of,
  storeBytes,
} from "../../test/harness/database/order-files.ts";
import { readConfig } from "../config.ts";

const s3 = await startS3Server();
afterAll(() => s3.close());
for (const [name, value] of Object.entries(s3.credentials)) vi.stubEnv(name, value);
const storage = await openStorage(readConfig({ STORAGE_URL: s3.storageUrl() }).storage);
const database = await testDatabase();
const { query: db, driver } = database;
const api = await testApi({ database, storage });

test("with a bucket, a link redirects to the bucket for a minute, and the bucket supports file name and ranges", async () => {
  const [beat = 0] = await insertBeats(database, [{ title: "Świt", producer: "밤하늘", priceCents: 2990 }]);
  const objects = new StoredObjects(db, storage);
  const master = await storeBytes(objects, "the master");
  const mp3 = await storeBytes(objects, "what is heard");
  await attachRecording(db, beat, { master });
  await insertRenditions(db, master, { mp3, wav: master });
  const placed = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}` },
    payload: { beat_id: beat, payment_method: "pm_card_visa" },
  });
  const { id: order } = placed.json().data.order;
  await insertLicense(db, order, await storeBytes(objects, "a certificate"));
  const { files } = (await api.get(`/v1/orders/${order}/files`)).json().data;
  const url = files[0].url.replace("https://localhost:8443", "");

  const head = await api.request({ method: "HEAD", url });
  expect([head.statusCode, head.headers["content-length"]]).toEqual([200, String(mp3.bytes)]);
  expect(await driver`select * from order_downloads`).toEqual([]);
  const response = await api.request({ method: "GET", url });
  expect([response.statusCode, response.headers["cache-control"], response.body]).toEqual([
    302,
    "private, no-store",
    "",
  ]);
  const location = String(response.headers.location);
  expect(new URL(location).origin).toBe(s3.endpoint);
  expect(Number(new URL(location).searchParams.get("X-Amz-Expires"))).toBeLessThanOrEqual(60);

  const completeResponse = await fetch(location);
  expect(sha256Of(Buffer.from(await completeResponse.arrayBuffer()))).toBe(files[0].sha256);
  expect(completeResponse.headers.get("content-disposition")).toContain(encodeURIComponent("밤하늘 - Świt "));
  expect(completeResponse.headers.get("content-type")).toBe("audio/mpeg");
  const part = await fetch(location, { headers: { range: "bytes=8-" } });
  expect([part.status, await part.text()]).toEqual([206, "heard"]);
  expect(await driver`select kind from order_downloads`).toEqual([{ kind: "mp3" }]);
});

/** A storage that stalls before the last byte of an object. */
class StallingStorage extends FolderStorage {
  readonly onOpen = vi.fn();

  override async get(sha256: string, range?: { first: number; last: number }): Promise<Readable> {
    const content = Buffer.concat(await (await super.get(sha256, range)).toArray());
    this.onOpen();
    return Readable.from(
      (async function* () {
        yield content.subarray(0, -1);
        await new Promise(() => {});
      })(),
    );
  }
}

describe("a running download", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-order-files-"));
  afterAll(() => rm(folder, { recursive: true }));
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const stalling = new StallingStorage(folder);
  const stallingApi = await testApi({ database, storage: stalling, logger });

  const begin = async (name: string, signal: AbortSignal) => {
    const [beat = 0] = await insertBeats(database, [{ title: name }]);
    const objects = new StoredObjects(db, stalling);
    const master = await storeBytes(objects, `master of ${name}`);
    await attachRecording(db, beat, { master });
    await insertRenditions(db, master, { mp3: await storeBytes(objects, `mp3 of ${name}`), wav: master });
    const placed = await stallingApi.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${stallingApi.key}` },
      payload: { beat_id: beat, payment_method: "pm_card_visa" },
    });
    const { id } = placed.json().data.order;
    await insertLicense(db, id, await storeBytes(objects, `certificate of ${id}`));
    const { files } = (await stallingApi.get(`/v1/orders/${id}/files`)).json().data;
    stalling.onOpen.mockClear();
    const url = files[0].url.replace("https://localhost:8443", "");
    const end = stallingApi.request({ method: "GET", url, signal }).then(
      () => "sent",
      () => "broken off",
    );
    await expect.poll(() => stalling.onOpen.mock.calls.length).toBe(1);
    return { id, ended: end };
  };

  it("ends when any instance refunds the order in full, but not after a partial refund", async () => {
    const { id, ended } = await begin("refunded", new AbortController().signal);
    const continued = await begin("kept", AbortSignal.timeout(60_000));
    await driver`update orders set refunded_cents = 1, refunded_at = now() where id = ${continued.id}`;
    await refundInFull(db, id);
    expect(await ended).toBe("broken off");
    expect(await Promise.race([continued.ended, Promise.resolve("under way")])).toBe("under way");
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it("is not reported as damage of the storage if the client disconnects", async () => {
    const leave = new AbortController();
    const { ended } = await begin("left", leave.signal);
    leave.abort();
    expect(await ended).toBe("broken off");
    await expect.poll(() => lines.some(({ msg }) => msg === "a download was interrupted")).toBe(true);
    expect(lines.filter(({ msg }) => msg.includes("damaged"))).toEqual([]);
  });
});
