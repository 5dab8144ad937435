import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { claimJob } from "@beatmarket/jobs/queue.ts";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { queueMissingJobs } from "./media-jobs.ts";

const { query: db } = await testDatabase();
const clock = new FakeClock();
const { id: userId } = await db
  .insertInto("users")
  .values({ username: "nova", display_name: "Nova", is_producer: true })
  .returning("id")
  .executeTakeFirstOrThrow();
const { id: genreId } = await db
  .insertInto("genres")
  .values({ name: "House", slug: "house" })
  .returning("id")
  .executeTakeFirstOrThrow();
beforeEach(async () => {
  for (const table of ["media_jobs", "beat_productions", "beats", "uploads"] as const)
    await db.deleteFrom(table).execute();
});

type Status = "receiving" | "analysing" | "ready";
async function makeUpload(kind: string, status: Status): Promise<string> {
  const id = `upl_${crypto.randomUUID()}`;
  const times = { created_at: clock.now(), expires_at: clock.now() };
  await db
    .insertInto("uploads")
    .values({ id, user_id: userId, kind, filename: "drive.wav", bytes: 1, status, ...times })
    .execute();
  return id;
}
async function makeBeat(stage: string, uploads: { audio: string; cover?: string }): Promise<string> {
  const prices = { price_cents: 1, premium_price_cents: 1, unlimited_price_cents: 1, exclusive_price_cents: 1 };
  const { id } = await db
    .insertInto("beats")
    .values({
      user_id: userId,
      genre_id: genreId,
      title: "Drive",
      tempo: 128,
      key_code: 12,
      is_listed: false,
      ...prices,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("beat_productions")
    .values({ beat_id: id, stage, audio_upload_id: uploads.audio, cover_upload_id: uploads.cover ?? null })
    .execute();
  return String(id);
}
const queuedJobs = () => db.selectFrom("media_jobs").select(["kind", "subject", "user_id"]).orderBy("kind").execute();

test("an upload in analysis without a job gets a job; other uploads get none", async () => {
  const [audio, cover, stems] = [
    await makeUpload("audio", "analysing"),
    await makeUpload("cover", "analysing"),
    await makeUpload("stems", "analysing"),
  ];
  await makeUpload("audio", "ready");
  await makeUpload("audio", "receiving");
  expect(await queueMissingJobs(db, clock.now())).toBe(3);
  expect(await queuedJobs()).toEqual([
    { kind: "analyse", subject: audio, user_id: userId },
    { kind: "cover", subject: cover, user_id: userId },
    { kind: "stems", subject: stems, user_id: userId },
  ]);
});

test("a beat in publishing without a job gets a job after its uploads are analysed", async () => {
  const audio = await makeUpload("audio", "ready");
  const cover = await makeUpload("cover", "analysing");
  await makeBeat("processing", { audio, cover });
  await makeBeat("draft", { audio });
  await makeBeat("released", { audio });
  const waiting = await makeBeat("processing", { audio });
  await queueMissingJobs(db, clock.now());
  expect((await queuedJobs()).filter(({ kind }) => kind === "preview")).toEqual([
    { kind: "preview", subject: waiting, user_id: userId },
  ]);
});

test("an upload with a job gets no second one, even while the job runs", async () => {
  await makeUpload("audio", "analysing");
  await queueMissingJobs(db, clock.now());
  const job = await claimJob(db, { kinds: ["analyse"], lease: "test", now: clock.now() });
  expect(await queueMissingJobs(db, clock.now())).toBe(0);
  expect(await db.selectFrom("media_jobs").select("revision").execute()).toEqual([{ revision: job?.revision }]);
});
