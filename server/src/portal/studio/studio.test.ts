import { systemClock } from "@beatmarket/foundation/clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { publicUrl } from "../../../test/harness/api.ts";
import { placeTestOrder } from "../../../test/harness/database/place-order.ts";
import { insertUpload } from "../../../test/harness/database/uploads.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { metadata } from "../../../test/harness/uploads.ts";
import { PlayCounter } from "../../resources/beats/write/plays.ts";

let portal: TestPortal;
let ada: SignedInVisitor;
let eve: SignedInVisitor;
beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com");
  eve = await portal.signUp("eve@example.com");
  await portal.database.query.insertInto("genres").values({ name: "House", slug: "house" }).execute();
});

const upload = (fields: Partial<Parameters<typeof insertUpload>[1]> = {}) =>
  insertUpload(portal.database, { userId: ada.userId, ...fields });
const retriable = async (): Promise<string> => {
  const id = await upload({ status: "rejected", rejection: "It could not be analysed." });
  await portal.database.query.updateTable("uploads").set({ is_retriable: true }).where("id", "=", id).execute();
  return id;
};

interface Shown {
  beat: { id: number; status: string };
  edit_version: number;
}
/** The plays and sales of a beat on one day. */
interface Reach {
  plays: number;
  sales: number;
}
async function createDraft(visitor = ada, fields: object = {}): Promise<Shown> {
  const audio = await upload({ userId: visitor.userId });
  const body = { title: "Drive", genre: "House", audio, price: 29.9, ...fields };
  const response = await visitor.send("POST", "/studio/beats", body);
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}

const change = (visitor: SignedInVisitor, beatId: number, body: object, ifMatch?: number) =>
  visitor.send("PATCH", `/studio/beats/${beatId}`, body, ifMatch === undefined ? {} : { "if-match": `"v${ifMatch}-"` });

test("uploads, options and beats of the studio are 401 without a session", async () => {
  const stranger = portal.visitor();
  for (const path of [
    "/studio/options",
    "/studio/uploads",
    "/studio/beats",
    "/studio/beats/1",
    "/studio/beats/1/reach",
  ])
    expect((await stranger.get(path)).statusCode).toBe(401);
  expect((await stranger.send("POST", "/studio/beats", {})).statusCode).toBe(401);
  expect((await stranger.send("DELETE", "/studio/beats/1")).statusCode).toBe(401);
});

test("GET /studio/options has the genres, the currency, and the rules for prices", async () => {
  expect((await ada.get("/studio/options")).json()).toMatchObject({
    genres: [{ name: "House" }],
    currency: "USD",
    price_rule: { premium_percent: 200, unlimited_percent: 500, exclusive_percent: 2000, ending_cents: 99 },
  });
});

describe("uploads", () => {
  test("are listed until a beat uses them, without uploads of other accounts", async () => {
    const uploadId = await upload();
    const used = await upload();
    const foreignUpload = await upload({ userId: eve.userId });
    await createDraft(ada, { audio: used });
    const { uploads } = (await ada.get("/studio/uploads")).json();
    const ids = uploads.map(({ id }: { id: string }) => id);
    expect(ids).toContain(uploadId);
    expect(ids).not.toContain(used);
    expect(ids).not.toContain(foreignUpload);
  });

  test("have the fields of the API, and say whether another attempt may help", async () => {
    const id = await retriable();
    expect((await ada.get(`/studio/uploads/${id}`)).json().upload).toMatchObject({
      id,
      status: "rejected",
      rejection: "It could not be analysed.",
      is_retriable: true,
    });
  });

  test("are analysed again after a failure that the file did not cause; otherwise 409", async () => {
    const again = await ada.send("POST", `/studio/uploads/${await retriable()}/retry`);
    expect(again.json().upload).toMatchObject({ status: "analysing", rejection: null });
    const bad = await upload({ status: "rejected" });
    expect((await ada.send("POST", `/studio/uploads/${bad}/retry`)).statusCode).toBe(409);
  });

  test("are 404 for another account, also by the tus protocol", async () => {
    const uploadId = await upload();
    expect((await eve.get(`/studio/uploads/${uploadId}`)).statusCode).toBe(404);
    expect((await eve.send("POST", `/studio/uploads/${uploadId}/retry`)).statusCode).toBe(404);
    expect((await eve.send("DELETE", `/uploads/${uploadId}`)).statusCode).toBe(404);
    expect((await ada.get(`/studio/uploads/${uploadId}`)).statusCode).toBe(200);
  });

  test("begin with a session, and only their first and last request count towards the limit of changes", async () => {
    const nell = await portal.signUp("nell@example.com");
    const tus = (method: "POST" | "PATCH" | "DELETE", path: string, headers: Record<string, string> = {}) =>
      portal.api.request({
        method,
        url: `/portal/api${path}`,
        headers: { origin: publicUrl, cookie: nell.cookie(), "tus-resumable": "1.0.0", ...headers },
      });
    const creation = await tus("POST", "/uploads", {
      "upload-length": "1000",
      "upload-metadata": metadata("audio", "drive.wav"),
    });
    expect(creation.statusCode, creation.body).toBe(201);
    const path = new URL(creation.headers.location as string).pathname.replace("/portal/api", "");
    const part = { "upload-offset": "5", "content-type": "application/offset+octet-stream" };
    for (let count = 0; count < 130; count++) expect((await tus("PATCH", path, part)).statusCode).toBe(409);
    expect((await tus("DELETE", path)).statusCode).toBe(204);
  });
});

describe("beats", () => {
  test("are created as drafts, shown with their files, and listed by status", async () => {
    const cover = await upload({ kind: "cover" });
    const { beat } = await createDraft(ada, { title: "With a cover", cover });
    const shown = (await ada.get(`/studio/beats/${beat.id}`)).json();
    expect(shown).toMatchObject({
      beat: { title: "With a cover", status: "draft", bpm_source: "analysis", key_source: "analysis", rejection: null },
      edit_version: 1,
      uploads: { audio: { kind: "audio", status: "ready" }, cover: { id: cover }, stems: null, preview_tag: null },
    });
    const drafts = (await ada.get("/studio/beats?status=draft")).json();
    expect(drafts.beats[0]).toMatchObject({ id: beat.id });
    expect(drafts.counts.draft).toBe(drafts.beats.length);
    expect((await ada.get("/studio/beats?status=published")).json().beats).toEqual([]);
  });

  test("are changed if If-Match has their present version; otherwise 412", async () => {
    const { beat, edit_version } = await createDraft();
    const changed = await change(ada, beat.id, { title: "Drive II" }, edit_version);
    expect(changed.json()).toMatchObject({ beat: { title: "Drive II" }, edit_version: edit_version + 1 });
    const late = await change(ada, beat.id, { title: "Drive III" }, edit_version);
    expect(late.statusCode).toBe(412);
    expect(late.json().error.details).toContain("has changed since");
    expect((await ada.get(`/studio/beats/${beat.id}`)).json().beat.title).toBe("Drive II");
  });

  test("are created, changed and deleted once for each Idempotency-Key, even if a retry has an outdated If-Match", async () => {
    const key = (name: string) => ({ "idempotency-key": `studio-${name}` });
    const body = { title: "Once", genre: "House", audio: await upload(), price: 29.9 };
    const create = () => ada.send("POST", "/studio/beats", body, key("create"));
    const { beat, edit_version } = (await create()).json();
    expect((await create()).json().beat.id).toBe(beat.id);

    const match = { "if-match": `"v${edit_version}-"` };
    const rename = (title: string) =>
      ada.send("PATCH", `/studio/beats/${beat.id}`, { title }, { ...match, ...key("rename") });
    const first = await rename("Twice");
    const second = await rename("Twice");
    expect([second.statusCode, second.json()]).toEqual([200, first.json()]);
    expect((await rename("Thrice")).statusCode).toBe(409);

    const remove = () => ada.send("DELETE", `/studio/beats/${beat.id}`, undefined, key("delete"));
    expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 204]);
    expect((await ada.send("DELETE", `/studio/beats/${beat.id}`, undefined, key("other"))).statusCode).toBe(404);
  });

  test("have the plays and sales of each of the last 30 days; 404 for another account", async () => {
    const { beat } = await createDraft();
    const { query: db } = portal.database;
    await db.updateTable("beats").set({ is_listed: true, tempo: 120 }).where("id", "=", beat.id).execute();
    const reach = async () => (await ada.get(`/studio/beats/${beat.id}/reach`)).json().days;
    const before = await reach();
    expect(before).toHaveLength(30);
    expect(before.filter(({ plays, sales }: Reach) => plays + sales > 0)).toEqual([]);

    const plays = new PlayCounter(db, systemClock);
    for (const address of ["192.0.2.1", "192.0.2.2"]) plays.add(beat.id, address);
    await plays.flush();
    await placeTestOrder(portal.database, { userId: eve.userId, beatId: beat.id });
    expect((await reach()).filter(({ plays: heard, sales }: Reach) => heard + sales > 0)).toEqual([
      { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), plays: 2, sales: 1 },
    ]);
    expect((await eve.get(`/studio/beats/${beat.id}/reach`)).statusCode).toBe(404);
  });

  test("are processed after publication, and can be deleted before they are on sale; 412 with another version", async () => {
    const { beat, edit_version } = await createDraft();
    const published = await change(ada, beat.id, { status: "published" }, edit_version);
    expect(published.json().beat.status).toBe("processing");
    const stale = await ada.send("DELETE", `/studio/beats/${beat.id}`, undefined, { "if-match": '"v99-"' });
    expect(stale.statusCode).toBe(412);
    expect((await ada.send("DELETE", `/studio/beats/${beat.id}`)).statusCode).toBe(204);
    expect((await ada.get(`/studio/beats/${beat.id}`)).statusCode).toBe(404);
  });

  test.each([
    [{ title: "" }, "title"],
    [{ genre: "Polka" }, "genre"],
    [{ price: -1 }, "price"],
    [{ license_prices: { premium: 0.001 } }, "license_prices.premium"],
    [{ key: "Q major" }, "key"],
  ])("400 names the field of %j", async (fields, name) => {
    const audio = await upload();
    const body = { title: "Drive", genre: "House", audio, price: 29.9, ...fields };
    const response = await ada.send("POST", "/studio/beats", body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toMatch(new RegExp(`^The ${name} field `));
  });

  test("are 404 for another account, even on sale, and another account cannot use the account's uploads", async () => {
    const { beat } = await createDraft();
    const listed = await createDraft();
    await portal.database.query
      .updateTable("beats")
      .set({ is_listed: true, tempo: 120 })
      .where("id", "=", listed.beat.id)
      .execute();
    for (const { id } of [beat, listed.beat]) {
      expect((await eve.get(`/studio/beats/${id}`)).statusCode).toBe(404);
      expect((await change(eve, id, { title: "Mine" })).statusCode).toBe(404);
      expect((await eve.send("DELETE", `/studio/beats/${id}`)).statusCode).toBe(404);
    }
    const body = { title: "Drive", genre: "House", audio: await upload(), price: 29.9 };
    expect((await eve.send("POST", "/studio/beats", body)).statusCode).toBe(400);
    expect((await eve.get("/studio/beats")).json().beats).toEqual([]);
  });
});
