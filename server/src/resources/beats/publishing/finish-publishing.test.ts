import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { publicUrl, testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { analysisOfTests, insertUpload, settleUpload } from "../../../../test/harness/database/uploads.ts";
import { publishingOf, type TestProducer } from "../../../../test/harness/publishing.ts";
import { rejectPublication } from "./finish-publishing.ts";
import { findPublication, publishAwaiting } from "./request-publishing.ts";

const clock = new FakeClock();
const api = await testApi({ clock });
const { query: db } = api.database;
const { producer, readyPublication, publish } = publishingOf(api, clock);
let nora: TestProducer;

beforeAll(async () => {
  await insertBeats(api.database, [{ genre: "Trap" }]);
  nora = await producer("nora@example.com");
});

const upload = (fields: object = {}) =>
  insertUpload(api.database, { userId: nora.userId, createdAt: new Date(clock.nowMs()), ...fields });
const beatOf = async (id: number) => (await nora.get(`/beats/${id}`)).json().data.beat;
const jobsOf = (id: number) =>
  db.selectFrom("media_jobs").select(["kind", "user_id"]).where("subject", "=", String(id)).execute();
const eventsOf = async (id: number) =>
  (await db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute())
    .map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }))
    .filter(({ type, data }) => type.startsWith("beat.") && data.id === id);

describe("publishing", () => {
  it("waits for every upload, and its job is queued when the last analysis ends", async () => {
    const audio = await upload({ status: "analysing" });
    const cover = await upload({ kind: "cover", status: "analysing" });
    const { id } = await nora.create({ audio, cover, status: "published" });
    expect([await findPublication(db, id), await jobsOf(id)]).toEqual([{ state: "waiting" }, []]);
    await settleUpload(db, { id: audio });
    await publishAwaiting(db, audio, clock.now());
    expect(await jobsOf(id)).toEqual([]);
    await settleUpload(db, { id: cover, kind: "cover" });
    await publishAwaiting(db, cover, clock.now());
    expect(await jobsOf(id)).toEqual([{ kind: "preview", user_id: nora.userId }]);
    expect(await publish(id)).toEqual({ outcome: "published" });
  });

  it("puts the beat on sale with its files, and emits only beat.created", async () => {
    const media = { cover: await upload({ kind: "cover" }), stems: await upload({ kind: "stems" }) };
    const { id } = await nora.create({ ...media, status: "published" });
    clock.advance(3_600_000);
    expect(await publish(id)).toEqual({ outcome: "published" });
    const files = await db.selectFrom("beat_files").select("name").where("beat_id", "=", id).orderBy("name").execute();
    expect(files.map(({ name }) => name)).toEqual([
      "cover",
      "master",
      "preview",
      "stems",
      "waveform",
      "waveform-detail",
    ]);
    const beat = await beatOf(id);
    expect(beat).toMatchObject({
      status: "published",
      bpm: 93,
      duration: 184,
      created_at: clock.now().toISOString().replace(/\.\d+/, ""),
      audio_url: expect.stringMatching(`^https://localhost:8443/media/beats/${id}/preview-[0-9a-f]{12}\\.mp3$`),
    });
    const [created, ...more] = await eventsOf(id);
    expect([created?.type, more]).toEqual(["beat.created", []]);
    expect(beat).toMatchObject(created?.data);
    expect(await jobsOf(id)).toHaveLength(1);
  });

  it("happens once, however often its job ends", async () => {
    const { id } = await nora.create({ status: "published" });
    const publication = await readyPublication(id);
    const outcomes = await Promise.all([publish(id, publication), publish(id, publication), publish(id, publication)]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["published", "superseded", "superseded"]);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it("is superseded by new files, a return to a draft or a deletion; other edits are published", async () => {
    const { id } = await nora.create({ status: "published" });
    const publication = await readyPublication(id);
    await nora.send("PATCH", `/beats/${id}`, { audio: await upload(), title: "Dawn" });
    expect(await publish(id, publication)).toEqual({ outcome: "superseded" });
    await nora.send("PATCH", `/beats/${id}`, { title: "Noon", bpm: 120 });
    const later = await readyPublication(id);
    expect(later.audio.id).not.toBe(publication.audio.id);
    expect((await nora.send("PATCH", `/beats/${id}`, { status: "draft" })).json().data.beat.status).toBe("draft");
    expect(await publish(id, later)).toEqual({ outcome: "superseded" });
    await nora.send("PATCH", `/beats/${id}`, { status: "published" });
    expect(await publish(id)).toEqual({ outcome: "published" });
    expect(await beatOf(id)).toMatchObject({ title: "Noon", bpm: 120, bpm_source: "producer" });
    const { id: other } = await nora.create({ status: "published" });
    const withdrawn = await readyPublication(other);
    await nora.send("DELETE", `/beats/${other}`);
    expect(await publish(other, withdrawn)).toEqual({ outcome: "superseded" });
    expect(await findPublication(db, other)).toEqual({ state: "idle" });
  });

  it("ends in a draft with the reason if an upload is rejected, and starts again with another upload", async () => {
    const audio = await upload({ status: "analysing" });
    const { id } = await nora.create({ audio, status: "published" });
    await settleUpload(db, { id: audio, status: "rejected", rejection: "It is silent." });
    await publishAwaiting(db, audio, clock.now());
    expect(await jobsOf(id)).toHaveLength(1);
    const publication = await findPublication(db, id);
    if (publication.state !== "rejected") throw new Error(publication.state);
    await rejectPublication({ db, clock, publicUrl }, id, publication.source, publication.reason);
    const rejection = "The audio was rejected: It is silent.";
    expect(await beatOf(id)).toMatchObject({ status: "draft", rejection });
    const [event, ...more] = await db
      .selectFrom("events")
      .select(["payload", "audience"])
      .where("type", "=", "beat.publishing_failed")
      .execute();
    expect(more).toEqual([]);
    expect(event?.audience).toEqual([nora.userId]);
    expect(JSON.parse(event?.payload ?? "{}").data).toEqual({
      beat_id: id,
      title: (await beatOf(id)).title,
      producer_id: nora.userId,
      is_on_sale: false,
      reason: rejection,
    });
    const body = { audio: await upload(), status: "published" };
    expect((await nora.send("PATCH", `/beats/${id}`, body)).json().data.beat).toMatchObject({
      status: "processing",
      rejection: null,
    });
    expect(await publish(id)).toEqual({ outcome: "published" });
  });

  it("uses the analysed tempo in the octave of the beat's genre, and the producer's tempo unchanged", async () => {
    const audio = await upload({ analysis: { ...analysisOfTests, bpm: 70 } });
    const { id } = await nora.create({ audio, genre: "Trap", status: "published" });
    await publish(id);
    expect(await beatOf(id)).toMatchObject({ bpm: 140, bpm_source: "analysis", analysis: { bpm: 70 } });
    await nora.send("PATCH", `/beats/${id}`, { bpm: 70 });
    expect(await beatOf(id)).toMatchObject({ bpm: 70, bpm_source: "producer" });
  });

  it("ends in a draft that asks for the tempo if the analysis has none", async () => {
    const audio = await upload({ status: "analysing" });
    const { id } = await nora.create({ audio, status: "published" });
    await settleUpload(db, { id: audio, analysis: { ...analysisOfTests, bpm: null, key: null } });
    expect(await publish(id)).toMatchObject({ outcome: "rejected" });
    expect(await beatOf(id)).toMatchObject({ status: "draft", rejection: expect.stringMatching(/^Give the bpm: /) });
    await nora.send("PATCH", `/beats/${id}`, { bpm: 77, status: "published" });
    await publish(id);
    expect(await beatOf(id)).toMatchObject({
      status: "published",
      bpm: 77,
      key: "",
      key_source: null,
      rejection: null,
    });
  });

  it("succeeds for only one of two accounts that publish the same recording concurrently", async () => {
    const otto = await producer("otto@example.com");
    const beats = await Promise.all(
      [nora, otto].map(async (each) => {
        const audio = await insertUpload(api.database, {
          userId: each.userId,
          content: "the same",
          createdAt: clock.now(),
        });
        return (await each.create({ audio, status: "published" })).id;
      }),
    );
    const outcomes = await Promise.all(beats.map((id) => publish(id)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["published", "rejected"]);
  });

  it("uses the preview tag that the producer chose", async () => {
    const tag = await upload();
    const tagOf = async (preview_tag?: string) =>
      (await readyPublication((await nora.create({ status: "published", ...(preview_tag && { preview_tag }) })).id))
        .tag;
    expect([await tagOf(), await tagOf("none")]).toEqual(["default", "none"]);
    expect(await tagOf(tag)).toMatchObject({ file: { name: "original" } });
  });
});
