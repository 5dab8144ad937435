import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { attachRecording, storeBytes } from "../../../../test/harness/database/order-files.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-lost-files-"));
const root = join(folder, "storage");
const storage = new FolderStorage(root);
await storage.writeIdentity("ours");
storage.bindTo("ours");
const api = await testApi({ storage });
const db = api.database.query;
const objects = new StoredObjects(db, storage);
let [beat, plain]: number[] = [];
beforeAll(async () => {
  [beat, plain] = await insertBeats(api.database, [{}, {}]);
});
afterAll(() => rm(folder, { recursive: true }));

const buy = (beatId: number | undefined, license_type = "basic", key?: string) =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: {
      authorization: `Bearer ${api.key}`,
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
    },
    payload: JSON.stringify({ beat_id: beatId, license_type, payment_method: "pm_card_visa" }),
  });
const counts = async () => {
  const [row] = await api.database.driver<{ orders: number; payments: number }[]>`
    select (select count(*)::int from orders) as orders, (select count(*)::int from sandbox_payments) as payments`;
  return row;
};

test("orders are refused while the storage is unavailable, and the same request buys afterwards", async () => {
  const [master, stems] = [await storeBytes(objects, "master"), await storeBytes(objects, "stems")];
  await attachRecording(db, beat ?? 0, { master, stems });
  const before = await counts();
  await rename(root, `${root}-disk`);
  await mkdir(root);
  for (const type of ["basic", "exclusive"]) {
    const refusal = await buy(beat, type, `key-${type}`);
    expect([refusal.statusCode, refusal.headers["retry-after"]]).toEqual([503, "5"]);
    expect(refusal.json().error.details).toMatch(/storage .* is out of reach/);
  }
  expect(await counts()).toEqual(before);
  expect((await api.request({ url: "/readyz" })).json()).toEqual({ status: "storage away" });
  await rm(root, { recursive: true });
  await rename(`${root}-disk`, root);
  const purchase = await buy(beat, "basic", "key-basic");
  expect([purchase.statusCode, purchase.json().data.order.status]).toEqual([201, "completed"]);
});

test("a license is not sold if the storage has lost one of its files; other licenses and beats are sold", async () => {
  const { payments } = (await counts()) ?? {};
  const stems = await storeBytes(objects, "stems");
  await storage.delete(stems.sha256);
  // The premium license has no stems.
  expect((await buy(beat, "premium")).json().data.order.status).toBe("completed");
  for (const type of ["unlimited", "exclusive"]) {
    const { statusCode, body } = await buy(beat, type);
    expect(statusCode).toBe(201);
    expect(JSON.parse(body).data.order).toMatchObject({
      status: "failed",
      failure_reason: "The files of this beat are not available at the moment. Nothing was charged.",
    });
  }
  // There is no event, because the responses have reported the failure.
  expect(await api.database.driver`select id from events where type = 'order.failed'`).toEqual([]);
  await storage.delete((await storeBytes(objects, "master")).sha256);
  expect((await buy(beat)).json().data.order.status).toBe("failed");
  expect((await counts())?.payments).toBe((payments ?? 0) + 1);
  expect((await buy(plain)).json().data.order.status).toBe("completed");
  await storeBytes(objects, "master");
  await storeBytes(objects, "stems");
  // The failed orders have released their hold of the exclusive license.
  expect((await buy(beat, "exclusive")).json().data.order.status).toBe("completed");
});
