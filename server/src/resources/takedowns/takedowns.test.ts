import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import pino from "pino";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { publicUrl, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { attachRecording, insertRenditions, storeBytes } from "../../../test/harness/database/order-files.ts";
import { publishingOf, type TestProducer } from "../../../test/harness/publishing.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { watchCheckouts } from "../checkouts/checkout-watch.ts";
import { charge } from "../orders/checkout/charge.ts";
import { Sandbox } from "../orders/payments/sandbox/sandbox.ts";
import { selectOrdersWithPayment } from "../orders/queries.ts";
import { requestRefund } from "../orders/refunds/request-refund.ts";
import { settle } from "../orders/settle.ts";
import { suspendAccount, unsuspendAccount } from "../users/standing.ts";
import { answerTakedown, restoreBeat, takeDownBeat } from "./take-down.ts";

const html = "text/html";
const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-takedowns-"));
afterAll(() => rm(dataDir, { recursive: true }));
const clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
const api = await testApi({ clock, dataDir });
// Another instance with the same database.
const other = await testApi({ clock, dataDir, database: api.database });
const { driver, query: db } = api.database;
const objects = new StoredObjects(db, new FolderStorage(join(dataDir, "objects")));
const { producer, publish } = publishingOf(api, clock);
const parts = { db, clock, publicUrl };
const settlement = {
  ...parts,
  log: pino({ level: "silent" }),
  payments: [new Sandbox(db, clock)] as const,
  commissionBasisPoints: 0,
  seller: null,
  currency: "USD",
};
await insertBeats(api.database, [{ genre: "Trap" }]);

let count = 0;
let nora: TestProducer;
let beat = 0;
beforeEach(async () => {
  nora = await producer(`nora-${++count}@example.com`);
  const { id } = await nora.create({ status: "published", title: `Ember ${count}` });
  await publish(id);
  beat = id;
  // The recording has no bytes in this test. Without a recording, an order has only the certificate.
  await driver`delete from beat_files where beat_id = ${id} and name in ('master', 'stems')`;
  await driver`truncate outgoing_mails`;
});

const takeDown = (options: { withdrawFiles?: boolean } = {}) =>
  takeDownBeat(parts, {
    beatId: beat,
    reason: "A stolen sample",
    withdrawFiles: false,
    author: "operator",
    ...options,
  });
const restore = () => restoreBeat(parts, { beatId: beat, reason: "It is cleared.", author: "operator" });
const listBeats = async (on = api) =>
  (await on.get(`/v1/beats?producer=${nora.userId}`)).json().data.beats.map(({ id }: { id: number }) => id);
const post = (url: string, payload: object) =>
  api.request({ method: "POST", url: `/v1${url}`, headers: { authorization: `Bearer ${api.key}` }, payload });
const buy = (fields: object = {}) => post("/orders", { beat_id: beat, payment_method: "pm_card_visa", ...fields });
const page = (url: string, on = api) => on.get(url, { key: null, accept: html });
const mails = async () =>
  (await driver`select template, recipient from outgoing_mails order by template, recipient`).map((row) => ({
    ...row,
  }));
/** Returns the types of the beat's events except beat.created, in their order. */
const eventsOf = async () =>
  (
    await driver`select type from events where type like 'beat.%' and type <> 'beat.created'
      and ${String(beat)} in (payload::jsonb -> 'data' ->> 'beat_id', payload::jsonb -> 'data' ->> 'id') order by created_at, id`
  ).map(({ type }) => type);

describe("a beat that is taken down", () => {
  it("disappears from every list, search and page on every instance, and can be restored", async () => {
    const before = (await api.get("/v1/changes?limit=1000")).json().data.next;
    await expect.poll(() => listBeats()).toEqual([beat]);
    const pages = [`/beats/${beat}`, `/embed/beats/${beat}`];
    for (const on of [api, other]) for (const path of pages) expect((await page(path, on)).statusCode).toBe(200);
    const catalogue = async (on = api) => (await page(`/?q=Ember+${count}`, on)).body;
    for (const on of [api, other]) expect(await catalogue(on)).toContain(`href="/beats/${beat}"`);
    const sitemap = () => page("/sitemaps/beats-0.xml").then(({ body }) => body);
    expect(await sitemap()).toContain(`/beats/${beat}<`);

    await takeDown();
    for (const on of [api, other]) {
      await expect.poll(async () => (await page(`/beats/${beat}`, on)).statusCode).toBe(410);
      expect((await page(`/beats/${beat}`, on)).body).toContain("The operator of this marketplace took it down.");
      await expect.poll(async () => (await page(`/embed/beats/${beat}`, on)).statusCode).toBe(410);
      await expect.poll(() => catalogue(on)).not.toContain(`href="/beats/${beat}"`);
      await expect.poll(() => listBeats(on)).toEqual([]);
      expect((await on.get(`/v1/beats/${beat}`)).statusCode).toBe(404);
      expect((await on.get(`/v1/beats/${beat}/similar`)).statusCode).toBe(404);
      expect((await on.get(`/v1/search?q=Ember ${count}`)).json().data.beats).toEqual([]);
    }
    expect(await sitemap()).not.toContain(`/beats/${beat}<`);
    expect((await api.get(`/media/beats/${beat}/waveform.json`, { key: null })).statusCode).toBe(404);
    const { changes } = (await api.get(`/v1/changes?after=${before}`)).json().data;
    expect(changes.filter(({ beat_id }: { beat_id: number }) => beat_id === beat)).toEqual([
      expect.objectContaining({ type: "withdrawn", beat: null }),
    ]);

    await restore();
    await expect.poll(() => listBeats()).toEqual([beat]);
    await expect.poll(async () => (await page(`/beats/${beat}`)).statusCode).toBe(200);
    expect((await buy()).statusCode).toBe(201);
  });

  it("disappears from its producer's page and feed, oEmbed, favorites, playlists and the export", async () => {
    const [{ username = "" } = {}] = await driver`select username from users where id = ${nora.userId}`;
    const authorization = { authorization: `Bearer ${api.key}` };
    await api.request({ method: "PUT", url: `/v1/users/me/favorites/${beat}`, headers: authorization });
    const { playlist } = (await post("/playlists", { title: "Drives", visibility: "public", beat_ids: [beat] })).json()
      .data;
    const link = `/beats/${beat}"`;
    const pages = [`/producers/${username}`, `/producers/${username}/feed.atom`, `/playlists/${playlist.id}`];
    const oembed = `/oembed?url=${encodeURIComponent(`${publicUrl}/beats/${beat}`)}`;
    const idsAt = async (path: string, pick: (data: never) => { id: number }[], on = api) =>
      pick((await on.get(`/v1${path}`)).json().data as never).map(({ id }) => id);
    const favorites = (on = api) => idsAt("/users/me/favorites", ({ beats }: { beats: { id: number }[] }) => beats, on);
    const inPlaylist = (on = api) =>
      idsAt(`/playlists/${playlist.id}`, (data: { playlist: { beats: { id: number }[] } }) => data.playlist.beats, on);
    const exportedIds = async (): Promise<number[]> =>
      gunzipSync((await api.get("/v1/exports/beats.ndjson.gz")).rawPayload)
        .toString()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line).id);
    for (const on of [api, other]) {
      await expect.poll(() => listBeats(on)).toEqual([beat]);
      for (const path of pages) expect((await page(path, on)).body).toContain(link);
      expect((await page(oembed, on)).json()).toMatchObject({ title: expect.stringContaining(`Ember ${count}`) });
      expect([await favorites(on), await inPlaylist(on)]).toEqual([[beat], [beat]]);
    }
    expect(await exportedIds()).toContain(beat);

    await takeDown();
    for (const on of [api, other]) {
      for (const path of pages) {
        await expect.poll(async () => (await page(path, on)).body).not.toContain(link);
        expect((await page(path, on)).statusCode).toBe(200);
      }
      await expect.poll(async () => (await page(oembed, on)).statusCode).toBe(410);
      expect([await favorites(on), await inPlaylist(on)]).toEqual([[], []]);
    }
    expect(await exportedIds()).not.toContain(beat);

    await restore();
    await expect.poll(async () => (await page(pages[0] ?? "")).body).toContain(link);
    expect([await favorites(), await inPlaylist()]).toEqual([[beat], [beat]]);
  });

  it("cannot be bought by order, checkout or basket, and each shows the reason", async () => {
    const cookie = `basket=${beat}.basic.2990`;
    await takeDown();
    const reason = "was taken down by the operator of this marketplace. No license of it can be bought.";
    for (const refusal of [
      await buy(),
      await buy({ license_type: "exclusive" }),
      await post("/checkouts", { items: [{ beat_id: beat }] }),
    ]) {
      expect(refusal.statusCode).toBe(404);
      expect(refusal.json().error.details).toContain(reason);
    }
    const basket = await api.get("/basket", { key: null, accept: html, headers: { cookie } });
    expect(basket.body).toContain("The operator of this marketplace took this beat down.");
    expect(basket.body).not.toContain(`Ember ${count}`);
  });

  it("disappears from its own URL and from mirrors, even if it was sold", async () => {
    await buy({ license_type: "exclusive" });
    const after = (await api.get("/v1/changes?limit=1000")).json().data.next;
    const statusOfBeat = async () => (await api.get(`/v1/beats/${beat}`)).statusCode;
    await expect.poll(statusOfBeat).toBe(200);
    await takeDown();
    await expect.poll(statusOfBeat).toBe(404);
    await restore();
    await expect.poll(statusOfBeat).toBe(200);
    await expect.poll(() => listBeats()).toEqual([]);
    const { changes } = (await api.get(`/v1/changes?after=${after}`)).json().data;
    expect(changes.map(({ type }: { type: string }) => type)).toEqual(["withdrawn", "sold"]);
  });

  it("stays down after changes by its producer, an import or a refund", async () => {
    const [order] = [(await buy({ license_type: "exclusive" })).json().data.order];
    await takeDown();
    await requestRefund(settlement, order.id, { amountCents: null, origin: "operator" });
    const refusal = await nora.send("PATCH", `/beats/${beat}`, { status: "published" });
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toContain("was taken down by the operator");
    // An import puts beats on sale with such a statement.
    await driver`update beats set is_listed = true where id = ${beat}`;
    expect(await listBeats()).toEqual([]);
    expect((await nora.get(`/beats/${beat}`)).json().data.beat.status).toBe("withdrawn");
    await restore();
    await expect.poll(() => listBeats()).toEqual([beat]);
  });

  it("stays off sale after its restoration if its producer has withdrawn it", async () => {
    await takeDown();
    expect((await nora.send("DELETE", `/beats/${beat}`)).statusCode).toBeLessThan(300);
    await restore();
    expect(await listBeats()).toEqual([]);
    await takeDown();
    await restore();
    expect(await listBeats()).toEqual([]);
  });

  it("is on sale again only when both the takedown and the suspension of its producer have ended", async () => {
    const decision = () => ({ reason: "Stolen beats.", author: "operator" as const, now: new Date(clock.nowMs()) });
    const suspend = () => suspendAccount(db, { id: nora.userId }, decision(), async () => {});
    const unsuspend = () => unsuspendAccount(db, { id: nora.userId }, decision());
    await takeDown();
    await suspend();
    await unsuspend();
    expect(await listBeats()).toEqual([]);
    await suspend();
    await restore();
    expect(await listBeats()).toEqual([]);
    await unsuspend();
    await expect.poll(() => listBeats()).toEqual([beat]);
  });

  it("causes a mail to its producer, an audit entry, and events without the reason", async () => {
    await takeDown();
    expect(await mails()).toEqual([{ template: "taken-down", recipient: `nora-${count}@example.com` }]);
    const entries = () => driver`select action, subject from audit_entries where user_id = ${nora.userId}
      and action like 'beat.%' order by id`;
    expect(await entries()).toEqual([
      { action: "beat.taken_down", subject: `Beat ${beat} (Ember ${count}). Reason: A stolen sample.` },
    ]);
    expect((await eventsOf()).slice(-3).sort()).toEqual(["beat.taken_down", "beat.updated", "beat.withdrawn"]);
    for (const type of ["beat.withdrawn", "beat.taken_down"]) {
      const [event] = await driver`select payload, audience from events where type = ${type} order by id desc limit 1`;
      expect(event?.audience).toBeNull();
      expect(event?.payload).not.toContain("sample");
      expect(JSON.parse(event?.payload).data).toMatchObject({ beat_id: beat, producer_id: nora.userId });
    }
    clock.advance(1_000);
    await restore();
    expect((await mails()).map(({ template }) => template)).toEqual(["restored", "taken-down"]);
    expect((await entries()).map(({ action }) => action)).toEqual(["beat.taken_down", "beat.restored"]);
    expect((await eventsOf()).at(-1)).toBe("beat.updated");
  });

  it("causes no events if its producer had withdrawn it", async () => {
    await nora.send("DELETE", `/beats/${beat}`);
    const before = await eventsOf();
    await takeDown();
    expect(await eventsOf()).toEqual(before);
  });
});

it("a takedown is rejected with 404 for an unknown beat, 400 without a reason, and 409 for a draft or a second takedown", async () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      ({ status }: { status: number }) => status,
    );
  const draft = await nora.create({ title: "A draft" });
  const takedown = { withdrawFiles: false, author: "operator" as const, reason: "Stolen." };
  expect(await refusal(takeDownBeat(parts, { ...takedown, beatId: 999_999 }))).toBe(404);
  expect(await refusal(takeDownBeat(parts, { ...takedown, beatId: beat, reason: " " }))).toBe(400);
  expect(await refusal(takeDownBeat(parts, { ...takedown, beatId: draft.id }))).toBe(409);
  expect(await refusal(restore())).toBe(409);
  await takeDown();
  expect(await refusal(takeDown())).toBe(409);
});

describe("the files of buyers", () => {
  const files = async (order: number) => (await api.get(`/v1/orders/${order}/files`)).json().data;
  const buyFiles = async (): Promise<number> => {
    const storeFile = (what: string) => storeBytes(objects, `${what} of ${count}`);
    const [master, mp3, wav] = [await storeFile("master"), await storeFile("mp3"), await storeFile("wav")];
    await attachRecording(db, beat, { master });
    await insertRenditions(db, master, { mp3, wav });
    const { id } = (await buy()).json().data.order;
    return id;
  };

  it("stay available by default, without a mail", async () => {
    const order = await buyFiles();
    const before = await files(order);
    await driver`truncate outgoing_mails`;
    await takeDown();
    expect((await files(order)).files.map(({ kind }: { kind: string }) => kind)).toEqual(
      before.files.map(({ kind }: { kind: string }) => kind),
    );
    expect((await mails()).map(({ template }) => template)).toEqual(["taken-down"]);
  });

  it("are withdrawn on request, except the certificates, with a mail to each buyer, and are restored later", async () => {
    const order = await buyFiles();
    const refunded = (await buy()).json().data.order.id;
    await requestRefund(settlement, refunded, { amountCents: null, origin: "operator" });
    const kinds = async () => (await files(order)).files.map(({ kind }: { kind: string }) => kind);
    const [{ url }] = (await files(order)).files;
    const follow = () => api.get(new URL(url).pathname + new URL(url).search, { key: null });
    expect((await follow()).statusCode).toBe(200);
    await driver`truncate outgoing_mails`;
    await takeDown({ withdrawFiles: true });
    const answer = await follow();
    expect([answer.statusCode, answer.json().error.details]).toEqual([
      410,
      expect.stringContaining("withdrew its files"),
    ]);
    expect(await kinds()).toEqual(["license"]);
    expect((await files(order)).license.status).toBe("valid");
    expect((await mails()).map(({ template }) => template)).toEqual(["files-withdrawn", "taken-down"]);
    await restore();
    expect(await kinds()).toEqual(["mp3", "license"]);
    expect((await mails()).map(({ template }) => template)).toContain("files-restored");
  });
});

describe("a pending payment", () => {
  const orderOf = (id: number) => selectOrdersWithPayment(db).where("id", "=", id).executeTakeFirstOrThrow();

  it("fails its order and is refunded in full if it succeeds after the takedown", async () => {
    const { id } = (await buy({ payment_method: "pm_card_authenticationRequired" })).json().data.order;
    await takeDown();
    const { payment_reference: reference } = await orderOf(id);
    await settle(settlement, id, { status: "succeeded", reference: reference ?? "pi_1" });
    const order = await orderOf(id);
    expect(order).toMatchObject({ status: "failed", failure_reason: expect.stringContaining("took the beat down") });
    expect(await driver`select amount_cents from refunds where order_id = ${id}`).toEqual([
      { amount_cents: order.amount_cents },
    ]);
  });

  it("charges nothing if it has not started", async () => {
    const { id } = (await buy({ payment_method: "pm_card_authenticationRequired" })).json().data.order;
    await driver`update orders set payment_reference = null where id = ${id}`;
    await takeDown();
    await charge(settlement, await orderOf(id), "later");
    expect(await orderOf(id)).toMatchObject({
      status: "failed",
      payment_reference: null,
      failure_reason: expect.stringContaining("Nothing was charged."),
    });
  });

  it("of a checkout is cancelled, and charges nothing", async () => {
    const { checkout } = (await post("/checkouts", { items: [{ beat_id: beat }] })).json().data;
    await takeDown();
    await watchCheckouts(settlement, new CatalogueVersion());
    const [row] = await driver`select status, failure_reason from checkouts where id = ${checkout.id}`;
    expect(row).toEqual({ status: "cancelled", failure_reason: expect.stringContaining("Nothing was charged.") });
  });
});

describe("a checkout that is paid after the takedown", () => {
  it("buys no licenses, and is refunded completely, including other beats", async () => {
    const [sound = 0] = await insertBeats(api.database, [{ title: "Sound", priceCents: 1990 }]);
    const { checkout } = (await post("/checkouts", { items: [{ beat_id: beat }, { beat_id: sound }] })).json().data;
    await takeDown();
    await api.request({
      method: "POST",
      url: new URL(checkout.url).pathname,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "card=pm_card_visa",
    });
    const paid = (await api.get(`/v1/checkouts/${checkout.id}`)).json().data.checkout;
    expect(paid.status).toBe("cancelled");
    expect(paid.orders).toHaveLength(2);
    for (const order of paid.orders)
      expect(order).toMatchObject({
        status: "failed",
        refunded_amount: order.amount,
        failure_reason: expect.stringContaining("The payment is refunded."),
      });
    const [refunds] = await driver`select sum(amount_cents)::int as cents from refunds
      where order_id = any (${paid.orders.map(({ id }: { id: number }) => id)}::bigint[])`;
    expect(refunds?.cents).toBe(Math.round(checkout.amount * 100));
    const [ledger] = await driver`select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries`;
    expect(ledger?.cents).toBe(0);
  });
});

describe("the producer's answer", () => {
  it("is mailed to all operators, and can be given once, by the producer, after a takedown", async () => {
    await driver`update users set operator = true where id = ${api.userId}`;
    const answer = (text = "It is mine.", userId = nora.userId) =>
      answerTakedown(parts, { beatId: beat, userId, text });
    await expect(answer()).rejects.toMatchObject({ status: 409 });
    await takeDown();
    await expect(answer("It is mine.", api.userId)).rejects.toMatchObject({ status: 404 });
    await expect(answer(" ")).rejects.toMatchObject({ status: 400 });
    await answer();
    await expect(answer("Again.")).rejects.toMatchObject({ status: 409 });
    expect((await mails()).map(({ template }) => template)).toContain("takedown-answered");
    await driver`update users set operator = false where id = ${api.userId}`;
  });
});
