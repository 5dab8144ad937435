import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import {
  attachRecording,
  insertLicense,
  insertRenditions,
  refundInFull,
  storeBytes,
} from "../../../test/harness/database/order-files.ts";
import { placeTestOrder, type TestOrder } from "../../../test/harness/database/place-order.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-library-"));
afterAll(() => rm(dataDir, { recursive: true }));

let portal: TestPortal;
let ada: SignedInVisitor;
let beat = 0;
beforeAll(async () => {
  portal = await testPortal({ dataDir });
  ada = await portal.signUp("ada@example.com");
  [beat = 0] = await insertBeats(portal.database, [{ title: "Midnight", producer: "Nightowl" }]);
});

const record = async () => {
  const storeContent = (what: string) => storeBytes(storage(), `${what} of Midnight`);
  const master = await storeContent("master");
  await attachRecording(portal.database.query, beat, { master });
  await insertRenditions(portal.database.query, master, {
    mp3: await storeContent("mp3"),
    wav: await storeContent("wav"),
  });
};

const storage = () => new StoredObjects(portal.database.query, new FolderStorage(join(dataDir, "objects")));

/** Places an order with a certificate that was made without the PDF printer. */
const buy = async (fields: Partial<TestOrder> = {}): Promise<number> => {
  const { id } = await placeTestOrder(portal.database, { userId: ada.userId, beatId: beat, ...fields });
  await insertLicense(portal.database.query, id, await storeBytes(storage(), `certificate of ${id}`));
  return id;
};

test("orders, files and receipts are 401 without a session", async () => {
  for (const path of ["/library/orders", "/library/orders/1/files", "/library/orders/1/receipt"])
    expect((await portal.visitor().get(path)).statusCode).toBe(401);
});

test("the ZIP of an order has a link that needs no session", async () => {
  const id = await buy();
  const { archive } = (await ada.get(`/library/orders/${id}/files`)).json();
  expect(archive.filename).toBe("Nightowl - Midnight (basic).zip");
  const { pathname, search } = new URL(archive.url);
  const response = await portal.api.request({ method: "GET", url: pathname + search });
  expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "application/zip"]);
});

test("orders are listed newest first, ten on a page, with the times of downloads", async () => {
  const buyer = await portal.signUp("buyer@example.com");
  const ids: number[] = [];
  for (let count = 0; count < 11; count++)
    ids.push((await placeTestOrder(portal.database, { userId: buyer.userId, beatId: beat })).id);
  await portal.database.query
    .insertInto("order_downloads")
    .values({ order_id: ids[10] ?? 0, kind: "mp3", downloaded_at: new Date("2026-11-22T12:00:00Z") })
    .execute();
  const [first, last] = [
    (await buyer.get("/library/orders")).json(),
    (await buyer.get("/library/orders?page=2")).json(),
  ];
  expect([...first.orders, ...last.orders].map(({ id }: { id: number }) => id)).toEqual(ids.toReversed());
  expect(first).toMatchObject({ page: 1, last_page: 2, total: 11 });
  expect(first.orders[0].downloads).toEqual([{ kind: "mp3", downloaded_at: "2026-11-22T12:00:00Z" }]);
  expect(first.orders[1].downloads).toEqual([]);
});

test("the files of an order have links that work without a session, and include the license", async () => {
  await record();
  const id = await buy();
  const { files, license } = (await ada.get(`/library/orders/${id}/files`)).json();
  expect(files.map(({ kind }: { kind: string }) => kind)).toEqual(["mp3", "license"]);
  expect(license).toMatchObject({ type: "basic", status: "valid" });
  const { pathname, search } = new URL(files[0].url);
  const sent = await portal.api.request({ method: "GET", url: pathname + search });
  expect([sent.statusCode, sent.body]).toEqual([200, "mp3 of Midnight"]);
  const { orders } = (await ada.get("/library/orders")).json();
  expect(orders[0].downloads).toMatchObject([{ kind: "mp3" }]);
});

test("a refunded order has no files, and is shown as refunded", async () => {
  const id = await buy();
  await refundInFull(portal.database.query, id);
  const { files, license } = (await ada.get(`/library/orders/${id}/files`)).json();
  expect([files, license.status]).toEqual([[], "refunded"]);
  expect((await ada.get("/library/orders")).json().orders[0]).toMatchObject({ id, is_refunded: true });
});

test("files are 404 for another account, and 409 for an order that is not completed", async () => {
  const id = await buy();
  const eve = await portal.signUp("eve@example.com");
  expect((await eve.get(`/library/orders/${id}/files`)).statusCode).toBe(404);
  expect((await eve.get("/library/orders")).json().orders).toEqual([]);
  const failed = await buy({ paymentMethod: "pm_card_visa_chargeDeclined" });
  expect((await ada.get(`/library/orders/${failed}/files`)).statusCode).toBe(409);
});

test("a completed order has a receipt with beat, license, buyer and payment; 404 for others, 409 for a failed order", async () => {
  const id = await buy();
  const receipt = (await ada.get(`/library/orders/${id}/receipt`)).json();
  expect(receipt).toMatchObject({
    order: { id, beat: { title: "Midnight", producer_name: "Nightowl" }, license_type: "basic", currency: "USD" },
    buyer: { email: "ada@example.com" },
    payment: { provider: "sandbox" },
  });
  expect((await ada.get("/library/orders")).json().orders[0].cover_image).toContain(`/media/beats/${beat}.svg`);
  const eve = await portal.signUp();
  expect((await eve.get(`/library/orders/${id}/receipt`)).statusCode).toBe(404);
  const failed = await buy({ paymentMethod: "pm_card_visa_chargeDeclined" });
  expect((await ada.get(`/library/orders/${failed}/receipt`)).statusCode).toBe(409);
});
