import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { publicUrl, testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { analysisOfTests, insertUpload, settleUpload } from "../../../../test/harness/database/uploads.ts";
import { publishingOf, type TestProducer } from "../../../../test/harness/publishing.ts";
import { rejectPublication } from "./finish-publishing.ts";
import { findPublication } from "./request-publishing.ts";

const clock = new FakeClock(Date.UTC(2026, 4, 1, 9, 30));
const folder = mkdtempSync(join(tmpdir(), "beatmarket-change-beat-"));
afterAll(() => rm(folder, { recursive: true }));
// The beats of this file are rows without files. Some are bought, so every object of the storage seems to exist.
const storage = new FolderStorage(folder);
vi.spyOn(storage, "head").mockResolvedValue({ bytes: 1_000 });
const api = await testApi({ clock, storage });
const { query: db } = api.database;
const { producer, publish } = publishingOf(api, clock);
let nora: TestProducer;
let buyer: TestProducer;

beforeAll(async () => {
  await insertBeats(api.database, [{ genre: "Trap" }, { genre: "House" }]);
  nora = await producer("nora@example.com");
  buyer = await producer("buyer@example.com");
});

const draft = (fields: object = {}) => nora.create(fields);
const publishBeat = async (fields: object = {}) => {
  const { id } = await nora.create({ status: "published", ...fields });
  await publish(id);
  return id;
};
const patch = (id: number, fields: object, headers: Record<string, string> = {}) =>
  nora.send("PATCH", `/beats/${id}`, fields, headers);
const beatOf = async (id: number) => (await nora.get(`/beats/${id}`)).json().data.beat;
const upload = (fields: object = {}) =>
  insertUpload(api.database, { userId: nora.userId, createdAt: new Date(clock.nowMs()), ...fields });
/** A change of each field except `license_settings`, `free_download`, `publish_at` and `status`. */
const fieldChanges = async (): Promise<object[]> => [
  { title: "Another" },
  { genre: "House" },
  { description: "Another." },
  { tags: ["another"] },
  { price: 5 },
  { license_prices: { premium: 5 } },
  { bpm: 99 },
  { key: "3A" },
  { audio: await upload() },
  { cover: await upload({ kind: "cover" }) },
  { stems: await upload({ kind: "stems" }) },
  { preview_tag: "none" },
];
const eventsOf = async (id: number) =>
  (await db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute())
    .map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }))
    .filter(({ type, data }) => type.startsWith("beat.") && data.id === id);
const buy = (id: number, license_type = "basic") =>
  buyer.send("POST", "/orders", { beat_id: id, payment_method: "pm_card_visa", license_type });
const hold = (id: number, until: number) =>
  db
    .updateTable("beats")
    .set({ exclusive_state: "held", exclusive_order_id: 7, exclusive_held_until: new Date(until) })
    .where("id", "=", id)
    .execute();

describe("PATCH /beats/{id}", () => {
  it("changes the named fields of a draft, and sends no event", async () => {
    const { id } = await draft({ description: "Old", tags: ["a"] });
    const response = await patch(id, { title: "Dawn", genre: "House", tags: ["b", "c"], description: null, bpm: 100 });
    expect(response.statusCode).toBe(200);
    expect(response.headers.etag).toMatch(/^"v2-/);
    const changed = { title: "Dawn", genre: { name: "House" }, tags: ["b", "c"], description: "", bpm: 100 };
    expect(response.json().data.beat).toMatchObject({
      ...changed,
      bpm_source: "producer",
      price: 29.9,
      status: "draft",
    });
    expect(await beatOf(id)).toEqual(response.json().data.beat);
    expect(await eventsOf(id)).toEqual([]);
  });

  it("changes a beat on sale for everyone, and beat.updated names the changed fields", async () => {
    const id = await publishBeat();
    await patch(id, { title: "Dawn", price: 35, bpm: 92.5 });
    expect((await buyer.get(`/beats/${id}`)).json().data.beat).toMatchObject({ title: "Dawn", price: 35, bpm: 93 });
    const [created, updated, ...more] = await eventsOf(id);
    expect([created?.type, updated?.type, more]).toEqual(["beat.created", "beat.updated", []]);
    const { changed, ...beat } = updated?.data ?? {};
    expect(changed).toEqual(["title", "price", "licenses"]);
    const { updated_at, ...shown } = (await buyer.get(`/beats/${id}`)).json().data.beat;
    expect(beat).toEqual({ ...shown, available: true });
  });

  it("changes nothing and sends no event when every value is the same", async () => {
    const id = await publishBeat({ tags: ["a"] });
    const { etag } = (await nora.get(`/beats/${id}`)).headers;
    const response = await patch(id, { title: "Dusk", price: 29.9, tags: ["a"], genre: "Trap", status: "published" });
    expect(response.headers.etag).toBe(etag);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it("changes only the named prices, unless null derives the other prices again", async () => {
    const { id } = await draft();
    const pricesAfter = async (fields: object) =>
      (await patch(id, fields)).json().data.beat.licenses.map(({ price }: { price: number }) => price);
    expect(await pricesAfter({ price: 50 })).toEqual([50, 59.99, 149.99, 598.99]);
    expect(await pricesAfter({ license_prices: { premium: 80 } })).toEqual([50, 80, 149.99, 598.99]);
    expect(await pricesAfter({ license_prices: null })).toEqual([50, 100.99, 250.99, 1000.99]);
  });

  it.each([
    [{ license_prices: { exclusive: 0 } }, "license_prices.exclusive field is 0"],
    [{ license_prices: { unlimited: 0, exclusive: 5 } }, "license_prices.unlimited field is 0"],
    [{ price: 0, license_prices: null }, "The price field is 0"],
  ])("answers 400 for an unlimited or exclusive license that would be free: %j", async (fields, details) => {
    const { id } = await draft();
    const response = await patch(id, fields);
    expect([response.statusCode, response.json().error.details]).toEqual([400, expect.stringContaining(details)]);
    expect((await patch(id, { price: 0 })).statusCode).toBe(200);
  });

  it("a free exclusive license of an earlier release is refused on publishing, and does not prevent other edits", async () => {
    const { id } = await draft();
    await db.updateTable("beats").set({ exclusive_price_cents: 0 }).where("id", "=", id).execute();
    expect((await patch(id, { title: "Still a draft" })).statusCode).toBe(200);
    const refusal = await patch(id, { status: "published" });
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([
      400,
      "The license_prices.exclusive field is 0, and an exclusive license is never free; name a price of 0.01 or more.",
    ]);
    expect((await patch(id, { status: "published", license_prices: { exclusive: 500 } })).statusCode).toBe(200);
  });

  it("replaces a null tempo and key with the analysed ones, in drafts and in beats on sale", async () => {
    for (const id of [(await draft({ bpm: 140, key: "8B" })).id, await publishBeat({ bpm: 140, key: "8B" })]) {
      expect(await beatOf(id)).toMatchObject({ bpm: 140, key: "C major", bpm_source: "producer" });
      expect((await patch(id, { bpm: null, key: null })).json().data.beat).toMatchObject({
        bpm: 93,
        bpm_source: "analysis",
        key: "A minor",
        key_source: "analysis",
      });
    }
  });

  it("answers 400 when a beat on sale would have no tempo", async () => {
    const id = await publishBeat({ bpm: 90, audio: await upload({ analysis: { ...analysisOfTests, bpm: null } }) });
    expect((await patch(id, { bpm: null })).json().error.details).toContain("The bpm field cannot be cleared");
  });

  it("answers 412 when the beat changed after the state that If-Match names, and 200 otherwise", async () => {
    const id = await publishBeat();
    const first = (await nora.get(`/beats/${id}`, { "accept-encoding": "br" })).headers.etag as string;
    const plays = db.updateTable("beats").set({ play_count: 9 }).where("id", "=", id);
    await plays.execute();
    const second = (await patch(id, { title: "Dawn" }, { "if-match": `"other", W/${first}` })).headers.etag as string;
    expect((await patch(id, { title: "Noon" }, { "if-match": first })).statusCode).toBe(412);
    expect((await nora.send("DELETE", `/beats/${id}`, undefined, { "if-match": first })).statusCode).toBe(412);
    expect(await beatOf(id)).toMatchObject({ title: "Dawn", status: "published" });
    for (const tag of [second, "*"]) expect((await patch(id, {}, { "if-match": tag })).statusCode).toBe(200);
  });

  it("a repeated change or withdrawal with the same Idempotency-Key gets the first response, not 412", async () => {
    const id = await publishBeat();
    const { etag } = (await nora.get(`/beats/${id}`)).headers;
    const twice = async (method: "PATCH" | "DELETE", body: object | undefined, ifMatch: string, key: string) => {
      const headers = { "if-match": ifMatch, "idempotency-key": key };
      const [first, second] = [
        await nora.send(method, `/beats/${id}`, body, headers),
        await nora.send(method, `/beats/${id}`, body, headers),
      ];
      expect([first.statusCode, second.statusCode, second.headers["idempotent-replayed"]]).toEqual([200, 200, "true"]);
      expect([second.body, second.headers.etag]).toEqual([first.body, first.headers.etag]);
      return String(first.headers.etag);
    };
    const changedEtag = await twice("PATCH", { title: "Dawn" }, String(etag), "dawn");
    const other = { "if-match": changedEtag, "idempotency-key": "dawn" };
    expect((await patch(id, { title: "Dawn" }, other)).statusCode).toBe(409);
    await twice("DELETE", undefined, changedEtag, "away");
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(["beat.created", "beat.updated", "beat.updated"]);
  });

  it("a repeated change whose response was not stored is 200 with the state after the first attempt", async () => {
    const id = await publishBeat();
    const { etag } = (await nora.get(`/beats/${id}`)).headers;
    const headers = { "if-match": String(etag), "idempotency-key": "lost-response" };
    const first = await patch(id, { title: "Dusk" }, headers);
    await db
      .updateTable("idempotency_keys")
      .set({ answer: null, leased_until: new Date(clock.nowMs()) })
      .where("key", "=", "lost-response")
      .execute();
    const second = await patch(id, { title: "Dusk" }, headers);
    expect([second.statusCode, second.body, second.headers.etag]).toEqual([200, first.body, first.headers.etag]);
    await patch(id, { title: "Noon" });
    expect((await patch(id, { title: "Dusk" }, { "if-match": String(etag) })).statusCode).toBe(412);
  });

  it("one of two changes that name the same state succeeds, the other is 412", async () => {
    const { id } = await draft();
    const { etag } = (await nora.get(`/beats/${id}`)).headers;
    const changes = ["Dawn", "Noon"].map((title) => patch(id, { title }, { "if-match": String(etag) }));
    expect((await Promise.all(changes)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
  });

  it("answers 403 for another producer's beat, and 404 if the caller cannot see the beat", async () => {
    const id = await publishBeat();
    const { id: hidden } = await draft();
    for (const method of ["PATCH", "DELETE"] as const) {
      const body = method === "PATCH" ? { title: "Mine" } : undefined;
      const refusal = await buyer.send(method, `/beats/${id}`, body);
      expect([refusal.statusCode, refusal.json().error.details]).toEqual([
        403,
        `Beat ${id} belongs to another producer.`,
      ]);
      expect((await buyer.send(method, `/beats/${hidden}`, body)).statusCode).toBe(404);
      expect((await buyer.send(method, "/beats/999999", body)).statusCode).toBe(404);
    }
  });

  it("answers 409 with the end of the hold to a change or withdrawal while the exclusive license is held", async () => {
    const id = await publishBeat();
    const until = clock.nowMs() + 60_000;
    await hold(id, until);
    const before = await beatOf(id);
    for (const fields of await fieldChanges()) {
      const refusal = await patch(id, fields);
      expect([fields, refusal.statusCode]).toEqual([fields, 409]);
      expect(refusal.json().error.details).toContain(`at the latest at ${timestamp(new Date(until))}.`);
    }
    expect((await nora.send("DELETE", `/beats/${id}`)).statusCode).toBe(409);
    // A value that is already set does not count as a change.
    expect((await patch(id, { price: 29.9 })).statusCode).toBe(200);
    expect(await beatOf(id)).toEqual(before);
    clock.advance(60_000);
    expect((await patch(id, { price: 5 })).statusCode).toBe(200);
  });

  it("answers 409 for changes and a withdrawal after the exclusive license was sold", async () => {
    const id = await publishBeat();
    expect((await buy(id, "exclusive")).json().data.order.status).toBe("completed");
    expect(await beatOf(id)).toMatchObject({ status: "published" });
    const before = await beatOf(id);
    for (const fields of await fieldChanges()) {
      const refusal = await patch(id, fields);
      expect([fields, refusal.statusCode]).toEqual([fields, 409]);
      expect(refusal.json().error.details).toContain("unless that order is refunded in full");
    }
    expect((await nora.send("DELETE", `/beats/${id}`)).statusCode).toBe(409);
    expect((await patch(id, { status: "published" })).statusCode).toBe(200);
    expect(await beatOf(id)).toEqual(before);
    expect((await beatOf(id)).licenses[0].available).toBe(false);
  });

  it("a concurrent order pays either the old price or the new one", async () => {
    for (let round = 0; round < 3; round++) {
      const id = await publishBeat();
      const [orderResponse, patched] = await Promise.all([
        buy(id, "exclusive"),
        patch(id, { license_prices: { exclusive: 1000 } }),
      ]);
      const { order } = orderResponse.json().data;
      expect([patched.statusCode, order.amount]).toEqual(patched.statusCode === 200 ? [200, 1000] : [409, 598.99]);
    }
  });

  it("releases a replaced upload when no other beat uses it any more", async () => {
    const [audio, other] = [await upload(), await upload()];
    const { id } = await draft({ audio });
    const { id: twin } = await draft({ audio });
    const expiryOf = async () =>
      (await db
        .selectFrom("uploads")
        .select(["used_at", "expires_at"])
        .where("id", "=", audio)
        .executeTakeFirst()) as object;
    await patch(id, { audio: other });
    expect(await expiryOf()).toMatchObject({ used_at: expect.any(Date) });
    await nora.send("DELETE", `/beats/${twin}`);
    expect(await expiryOf()).toEqual({ used_at: null, expires_at: new Date(clock.nowMs() + 86_400_000) });
  });
});

describe("new files of a beat on sale", () => {
  it("are processed while the old ones stay, and then replace them", async () => {
    const id = await publishBeat({ bpm: 140 });
    const before = await beatOf(id);
    const audio = await upload({ analysis: { ...analysisOfTests, bpm: 70, key: "C major", duration: 60 } });
    const response = await patch(id, { audio, cover: await upload({ kind: "cover" }) });
    expect(response.json().data.beat).toMatchObject({
      status: "published",
      audio_url: before.audio_url,
      duration: 184,
    });
    await publish(id);
    const after = await beatOf(id);
    expect(after).toMatchObject({
      bpm: 140,
      bpm_source: "producer",
      key: "C major",
      duration: 60,
      status: "published",
    });
    expect(after.cover_image).toMatch(
      new RegExp(`^https://localhost:8443/media/beats/${id}/cover-[0-9a-f]{12}\\.jpg$`),
    );
    expect(after.created_at).toBe(before.created_at);
    const updated = (await eventsOf(id)).at(-1);
    expect([updated?.type, updated?.data.changed]).toEqual([
      "beat.updated",
      ["duration", "key", "audio_url", "cover_image", "waveform_url", "analysis"],
    ]);
  });

  it("leave the beat unchanged if they are rejected, show the producer the reason, and can be replaced by other files", async () => {
    const id = await publishBeat();
    const before = await beatOf(id);
    const audio = await upload({ status: "rejected" });
    await db.updateTable("uploads").set({ status: "analysing", rejection: null }).where("id", "=", audio).execute();
    await patch(id, { audio });
    await settleUpload(db, { id: audio, status: "rejected" });
    const publication = await findPublication(db, id);
    if (publication.state !== "rejected") throw new Error(publication.state);
    await rejectPublication({ db, clock, publicUrl }, id, publication.source, publication.reason);
    const reason = "The audio was rejected: It is silent.";
    expect(await beatOf(id)).toMatchObject({ status: "published", audio_url: before.audio_url, rejection: reason });
    await patch(id, { audio: await upload() });
    expect(await publish(id)).toEqual({ outcome: "published" });
    expect(await beatOf(id)).toMatchObject({ rejection: null });
  });

  it("wait while a buyer pays for the exclusive license, and are rejected after it was sold", async () => {
    const id = await publishBeat();
    await patch(id, { audio: await upload() });
    const until = clock.nowMs() + 60_000;
    await hold(id, until);
    expect(await publish(id)).toEqual({ outcome: "held", until: new Date(until) });
    await db
      .updateTable("beats")
      .set({ exclusive_state: "sold", exclusive_held_until: null, is_listed: false })
      .where("id", "=", id)
      .execute();
    const before = await beatOf(id);
    expect(await publish(id)).toMatchObject({ outcome: "rejected" });
    expect(await beatOf(id)).toMatchObject({
      audio_url: before.audio_url,
      rejection: expect.stringContaining("was sold"),
    });
  });
});

describe("beat.updated", () => {
  /** The public fields of a beat, without the time of its last change. */
  const publicFields = async (id: number) => {
    const { updated_at, ...beat } = (await buyer.get(`/beats/${id}`)).json().data.beat;
    return { ...beat, available: beat.licenses[0].available };
  };
  const differingFields = (before: object, after: object) =>
    Object.keys(after).filter((name) => !isDeepStrictEqual(before[name as never], after[name as never]));
  const lastEvent = async (id: number) => {
    const { changed, ...data } = (await eventsOf(id)).at(-1)?.data ?? {};
    return { changed, data };
  };

  it("has the public fields, and names the fields that differ, for 24 combinations of changes", async () => {
    const id = await publishBeat();
    const fields = [
      { title: ["One", "Two"] },
      { genre: ["House", "Trap"] },
      { description: ["One.", "Two."] },
      { tags: [["one"], ["two"]] },
      { price: [5, 7] },
      { license_prices: [{ premium: 50 }, { exclusive: 900 }] },
      { bpm: [99, 140] },
      { key: ["3A", "5B"] },
    ];
    for (let n = 0; n < 24; n++) {
      const chosenFields = fields.filter((_, index) => (n < 8 ? index === n : (n * 37 + 11) & (1 << index)));
      const change = Object.fromEntries(
        chosenFields.flatMap((field) => Object.entries(field).map(([name, values]) => [name, values[n % 2]])),
      );
      const before = await publicFields(id);
      const events = (await eventsOf(id)).length;
      await patch(id, change);
      const after = await publicFields(id);
      const isChanged = differingFields(before, after).length > 0;
      expect(await eventsOf(id)).toHaveLength(events + (isChanged ? 1 : 0));
      if (isChanged) expect(await lastEvent(id)).toEqual({ changed: differingFields(before, after), data: after });
    }
  });

  it("names new files and their analysis", async () => {
    const id = await publishBeat();
    const before = await publicFields(id);
    await patch(id, { audio: await upload({ analysis: { ...analysisOfTests, duration: 222 } }) });
    await publish(id);
    const after = await publicFields(id);
    const { changed, data } = await lastEvent(id);
    expect(data).toEqual(after);
    expect(changed).toEqual(differingFields(before, after));
    expect(changed).toEqual(expect.arrayContaining(["duration", "audio_url", "analysis"]));
  });

  it("names `licenses` and `available` for a beat that is withdrawn or put back, and the other fields of the same call", async () => {
    const [id = 0] = await insertBeats(api.database, [{ tempo: 140, key: "A minor" }]);
    await db.updateTable("beats").set({ user_id: nora.userId }).where("id", "=", id).execute();
    await patch(id, { title: "Dawn" });
    await nora.send("DELETE", `/beats/${id}`);
    expect(await lastEvent(id)).toMatchObject({ changed: ["licenses", "available"], data: { available: false } });
    await patch(id, { status: "published", title: "Noon" });
    expect(await lastEvent(id)).toEqual({ changed: ["title", "licenses", "available"], data: await publicFields(id) });
  });
});

describe("DELETE /beats/{id}", () => {
  it("takes a beat off sale, and PATCH puts it back; orders stay", async () => {
    const id = await publishBeat();
    const { order } = (await buy(id)).json().data;
    const withdrawn = await nora.send("DELETE", `/beats/${id}`);
    expect([withdrawn.statusCode, withdrawn.json().data.beat.status]).toEqual([200, "withdrawn"]);
    expect((await buyer.get(`/beats/${id}`)).statusCode).toBe(404);
    expect((await buyer.get(`/orders/${order.id}`)).json().data.order).toEqual(order);
    const again = await nora.send("DELETE", `/beats/${id}`);
    expect(again.headers.etag).toBe(withdrawn.headers.etag);
    expect((await patch(id, { status: "published" })).json().data.beat.status).toBe("processing");
    await publish(id);
    expect((await buyer.get(`/beats/${id}`)).json().data.beat.licenses[0].available).toBe(true);
    expect((await eventsOf(id)).map(({ type, data }) => [type, data.changed])).toEqual([
      ["beat.created", undefined],
      ["beat.updated", ["licenses", "available"]],
      ["beat.updated", ["licenses", "available"]],
    ]);
    expect((await patch(id, { status: "draft" })).statusCode).toBe(409);
  });

  it("deletes a beat that was never on sale", async () => {
    const { id } = await draft();
    expect((await nora.send("DELETE", `/beats/${id}`)).json().data.beat).toMatchObject({ id, status: "withdrawn" });
    expect((await nora.get(`/beats/${id}`)).statusCode).toBe(404);
    expect((await nora.send("DELETE", `/beats/${id}`)).statusCode).toBe(404);
    expect(await eventsOf(id)).toEqual([]);
  });
});

describe("an imported beat of a producer with an account", () => {
  it("is changed, withdrawn and put back by its producer; the imported values count as the producer's", async () => {
    const [id = 0] = await insertBeats(api.database, [{ tempo: 140, key: "A minor" }]);
    await db.updateTable("beats").set({ user_id: nora.userId }).where("id", "=", id).execute();
    const imported = { bpm: 140, bpm_source: "producer", key_source: "producer", analysis: null };
    expect(await beatOf(id)).toMatchObject({ status: "published", ...imported });
    expect((await patch(id, { title: "Dawn" })).json().data.beat).toMatchObject(imported);
    await nora.send("DELETE", `/beats/${id}`);
    expect((await patch(id, { status: "published" })).json().data.beat.status).toBe("published");
    expect((await patch(id, { cover: await upload({ kind: "cover" }) })).json().error.details).toContain("audio field");
  });

  it("has no source for a key that the import lacked, before its first change and after it", async () => {
    const [id = 0] = await insertBeats(api.database, [{ tempo: 140, key: "" }]);
    await db.updateTable("beats").set({ user_id: nora.userId }).where("id", "=", id).execute();
    expect(await beatOf(id)).toMatchObject({ key_source: null });
    expect((await patch(id, { title: "Dusk" })).json().data.beat).toMatchObject({ key_source: null });
  });
});
