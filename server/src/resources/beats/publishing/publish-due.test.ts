import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/harness/api.ts";
import { settleUpload } from "../../../../test/harness/database/uploads.ts";
import { publishingOf, type TestProducer } from "../../../../test/harness/publishing.ts";
import { rejectPublication } from "./finish-publishing.ts";
import { publishDue } from "./publish-due.ts";

const clock = new FakeClock();
let api: TestApi;
let nora: TestProducer;
let publishing: ReturnType<typeof publishingOf>;
let seenMails = 0;

beforeAll(async () => {
  api = await testApi({ clock });
  publishing = publishingOf(api, clock);
  await api.database.query.insertInto("genres").values({ name: "Trap", slug: "trap" }).execute();
  nora = await publishing.producer("nora@example.com");
});
const context = () => ({ ...publishing.context, licenseBounds: null });
const inHours = (hours: number) =>
  new Date(Math.floor(clock.nowMs() / 1_000) * 1_000 + hours * 3_600_000).toISOString();
const withoutMilliseconds = (iso: string) => iso.replace(".000Z", "Z");
const beatOf = async (id: number) => (await nora.get(`/beats/${id}`)).json().data.beat;
const change = (id: number, body: object) => nora.send("PATCH", `/beats/${id}`, body);
const newMails = async () => {
  const rows = await api.database.query
    .selectFrom("outgoing_mails")
    .select(["recipient", "facts"])
    .where("template", "=", "not-published")
    .orderBy("created_at")
    .execute();
  const added = rows.slice(seenMails);
  seenMails = rows.length;
  return added;
};
beforeEach(async () => void (await newMails()));

test("a draft is published at its time, and not before, however many instances check", async () => {
  const publishAt = inHours(1);
  const { id, publish_at, status } = await nora.create({ publish_at: publishAt });
  expect({ publish_at, status }).toEqual({ publish_at: withoutMilliseconds(publishAt), status: "draft" });
  clock.advance(3_590_000);
  await publishDue(context());
  expect(await beatOf(id)).toMatchObject({ status: "draft", publish_at: withoutMilliseconds(publishAt) });
  clock.advance(20_000);
  await Promise.all([publishDue(context()), publishDue(context()), publishDue(context())]);
  expect(await beatOf(id)).toMatchObject({ status: "processing", publish_at: withoutMilliseconds(publishAt) });
  await publishing.publish(id);
  expect(await beatOf(id)).toMatchObject({ status: "published", publish_at: null, rejection: null });
  expect(await newMails()).toEqual([]);
});

test("publish_at can be changed; null and publishing now cancel it", async () => {
  const { id } = await nora.create({ publish_at: inHours(1) });
  await change(id, { publish_at: inHours(3) });
  clock.advance(2 * 3_600_000);
  await publishDue(context());
  expect(await beatOf(id)).toMatchObject({ status: "draft", publish_at: expect.any(String) });
  await change(id, { publish_at: null });
  clock.advance(2 * 3_600_000);
  await publishDue(context());
  expect(await beatOf(id)).toMatchObject({ status: "draft", publish_at: null });
  await change(id, { publish_at: inHours(1) });
  await change(id, { status: "published" });
  expect(await beatOf(id)).toMatchObject({ status: "processing", publish_at: null });
});

test("a time in another zone is stored in UTC", async () => {
  const utc = inHours(5);
  const local = new Date(Date.parse(utc) + 5.5 * 3_600_000).toISOString().replace(".000Z", "+05:30");
  expect(await nora.create({ publish_at: local })).toMatchObject({ publish_at: withoutMilliseconds(utc) });
});

test.each([
  ["past", () => ({ publish_at: inHours(-1) }), "in the future"],
  ["years ahead", () => ({ publish_at: inHours(24 * 800) }), "within two years"],
  ["together with publishing now", () => ({ publish_at: inHours(1), status: "published" }), "now, or then"],
  ["not a time", () => ({ publish_at: "tomorrow" }), "publish_at"],
])("a publish_at that is %s is refused", async (_, fields, details) => {
  const { id } = await nora.create();
  const refusal = await change(id, fields());
  expect([refusal.statusCode, refusal.json().error.details]).toEqual([400, expect.stringContaining(details)]);
  expect(await beatOf(id)).toMatchObject({ publish_at: null, status: "draft" });
});

test("a beat on sale accepts no publish_at; a withdrawn beat does, and DELETE cancels it", async () => {
  const { id } = await nora.create({ status: "published" });
  expect((await change(id, { publish_at: inHours(1) })).statusCode).toBe(409);
  await publishing.publish(id);
  expect((await change(id, { publish_at: inHours(1) })).statusCode).toBe(409);
  await nora.send("DELETE", `/beats/${id}`);
  expect((await change(id, { publish_at: inHours(1) })).statusCode).toBe(200);
  await nora.send("DELETE", `/beats/${id}`);
  clock.advance(2 * 3_600_000);
  await publishDue(context());
  expect(await beatOf(id)).toMatchObject({ status: "withdrawn", publish_at: null });
});

const noTempoReason = "the analysis found no tempo";

test("a beat that is incomplete at its time stays a draft with the reason, with one event and one mail", async () => {
  const { id } = await nora.create({ publish_at: inHours(1) });
  await api.database.driver`
    update uploads set analysis = jsonb_set(analysis, '{bpm}', 'null')
    where id = (select audio_upload_id from beat_productions where beat_id = ${id})`;
  clock.advance(3_600_000);
  await publishDue(context());
  await publishDue(context());
  expect(await beatOf(id)).toMatchObject({
    status: "draft",
    publish_at: null,
    rejection: expect.stringContaining(noTempoReason),
  });
  expect(await newMails()).toEqual([
    {
      recipient: "nora@example.com",
      facts: expect.objectContaining({ title: "Dusk", reason: expect.stringContaining(noTempoReason) }),
    },
  ]);
  const events = await api.database.driver`
    select id from events where type = 'beat.publishing_failed'
      and payload::jsonb -> 'data' ->> 'beat_id' = ${String(id)}`;
  expect(events).toHaveLength(1);
});

test("the producer gets a mail if a file is rejected after the time of publishing", async () => {
  const { id } = await nora.create({ publish_at: inHours(1) });
  clock.advance(3_600_000);
  await publishDue(context());
  const source = await api.database.query
    .selectFrom("beat_productions")
    .select(["stage", "audio_upload_id", "cover_upload_id", "stems_upload_id", "preview_tag"])
    .where("beat_id", "=", id)
    .executeTakeFirstOrThrow();
  await settleUpload(api.database.query, {
    id: source.audio_upload_id ?? "",
    kind: "audio",
    status: "rejected",
  });
  await rejectPublication(context(), id, source, "The audio was rejected: It is silent.");
  expect(await beatOf(id)).toMatchObject({
    status: "draft",
    publish_at: null,
    rejection: expect.stringContaining("silent"),
  });
  expect(await newMails()).toHaveLength(1);
});

test("no beat of a suspended account is published", async () => {
  const eve = await publishing.producer("eve@example.com");
  const { id } = await eve.create({ publish_at: inHours(1) });
  const suspended = { suspended_at: new Date(), suspension_reason: "Stolen beats" };
  await api.database.query.updateTable("users").set(suspended).where("id", "=", eve.userId).execute();
  clock.advance(3_600_000);
  await publishDue(context());
  const { stage, publish_at } = await api.database.query
    .selectFrom("beat_productions")
    .select(["stage", "publish_at"])
    .where("beat_id", "=", id)
    .executeTakeFirstOrThrow();
  expect({ stage, publish_at }).toEqual({ stage: "draft", publish_at: null });
});
