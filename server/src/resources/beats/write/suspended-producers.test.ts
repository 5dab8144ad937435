import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { refundInFull } from "../../../../test/harness/database/order-files.ts";
import { publishingOf, type TestProducer } from "../../../../test/harness/publishing.ts";
import { suspendAccount, unsuspendAccount } from "../../users/standing.ts";
import { withdrawSource } from "./sources.ts";

const clock = new FakeClock(Date.UTC(2026, 4, 1, 9, 30));
const api = await testApi({ clock });
const { query: db, driver } = api.database;
const { producer, publish } = publishingOf(api, clock);
await insertBeats(api.database, [{ genre: "Trap" }]);

let count = 0;
let nora: TestProducer;
let beat = 0;
beforeEach(async () => {
  nora = await producer(`nora-${++count}@example.com`);
  beat = await publishBeat();
});

async function publishBeat(): Promise<number> {
  const { id } = await nora.create({ status: "published", title: `Ember ${count}` });
  await publish(id);
  return id;
}
const suspension = () => ({ reason: "Stolen beats.", author: "operator" as const, now: new Date(clock.nowMs()) });
const suspend = () => suspendAccount(db, { id: nora.userId }, suspension(), async () => {});
const unsuspend = () => unsuspendAccount(db, { id: nora.userId }, suspension());
const listBeats = async () =>
  (await api.get(`/v1/beats?producer=${nora.userId}`)).json().data.beats.map(({ id }: { id: number }) => id);
const statusOf = async () => (await api.get(`/v1/beats/${beat}`)).statusCode;
const buy = (fields: object = {}) =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}` },
    payload: { beat_id: beat, payment_method: "pm_card_visa", ...fields },
  });

describe("a suspended producer's beats", () => {
  it("are in no list and no search, are 404, and cannot be bought, until the suspension ends", async () => {
    await expect.poll(listBeats).toEqual([beat]);
    await suspend();
    await expect.poll(listBeats).toEqual([]);
    expect((await api.get(`/v1/search?q=Ember ${count}`)).json().data.beats).toEqual([]);
    expect(await statusOf()).toBe(404);
    expect((await buy()).statusCode).toBe(404);
    await unsuspend();
    await expect.poll(listBeats).toEqual([beat]);
    expect((await buy()).statusCode).toBe(201);
  });

  it("are withdrawn and published again in the change stream", async () => {
    const from = (await api.get("/v1/changes?limit=1")).json().data.next;
    await suspend();
    await unsuspend();
    const { changes } = (await api.get(`/v1/changes?after=${from}`)).json().data;
    const ofBeat = changes.filter(({ beat_id }: { beat_id: number }) => beat_id === beat);
    expect(ofBeat.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["withdrawn", "published"]),
    );
  });

  it("stay off sale after the suspension if their producer or the operator withdrew them", async () => {
    const second = await publishBeat();
    await nora.send("DELETE", `/beats/${second}`);
    await driver`update beats set source = 'shop', external_id = ${`shop-${beat}`} where id = ${beat}`;
    await suspend();
    await withdrawSource(db, "shop", { now: new Date(clock.nowMs()) });
    await unsuspend();
    await expect.poll(listBeats).toEqual([]);
  });

  it("are not put on sale by a publishing in progress, an import or a refund", async () => {
    await buy({ license_type: "exclusive" });
    const { id: inProgress } = await nora.create({ status: "published" });
    await suspend();
    await publish(inProgress);
    const [order] = await driver<{ id: number }[]>`select id from orders where beat_id = ${beat}`;
    await driver`update beats set exclusive_state = 'available', exclusive_order_id = null, is_listed = true where id = ${beat}`;
    await refundInFull(db, order?.id ?? 0);
    await driver`insert into beats (source, external_id, user_id, title, genre_id, tempo, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents, duration_seconds, key, key_code, created_at, updated_at)
      select 'feed', 'one', user_id, 'Imported', genre_id, 90, 1, 2, 3, 4, 60, '', 0, now(), now() from beats where id = ${beat}`;
    await expect.poll(listBeats).toEqual([]);
    await unsuspend();
    await expect.poll(listBeats).toHaveLength(3);
  });

  it("stay sold if their exclusive license was sold", async () => {
    await driver`update beats set exclusive_state = 'sold', exclusive_order_id = 1, is_listed = false where id = ${beat}`;
    await suspend();
    await expect.poll(statusOf).toBe(200);
    await unsuspend();
    await expect.poll(listBeats).toEqual([]);
    await expect.poll(statusOf).toBe(200);
  });
});
