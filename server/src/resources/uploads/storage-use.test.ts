import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { createUpload } from "./create-upload.ts";
import { storageUse } from "./storage-use.ts";
import { newUploadId, type UploadStatus } from "./upload.ts";

const clock = new FakeClock();
const api = await testApi({ clock });
const db = api.database.query;
const { userId } = api;
const gb = 1_000_000_000;
const now = new Date(clock.nowMs());
const use = (standardBytes = 10 * gb) => storageUse(db, { userId, now, standardBytes });
const readUsedBytes = async () => (await use()).usedBytes;

let objects = 0;
/** Inserts a stored object of this size. */
async function insertObject(bytes: number): Promise<{ sha256: string; bytes: number; content_type: string }> {
  const sha256 = String(objects++).padStart(64, "0");
  await db.insertInto("stored_objects").values({ sha256, bytes, state: "stored", touched_at: now }).execute();
  return { sha256, bytes, content_type: "audio/wav" };
}
async function upload(status: UploadStatus, bytes: number, fields: object = {}): Promise<string> {
  const id = newUploadId();
  const rejection = status === "rejected" ? "No." : null;
  const expires_at = new Date(now.getTime() + 1);
  const row = { id, user_id: userId, kind: "audio", filename: "a.wav", bytes, status, rejection, created_at: now };
  await db
    .insertInto("uploads")
    .values({ ...row, expires_at, ...fields })
    .execute();
  return id;
}

test("incomplete or retriable uploads count in full, and files of ready uploads, beats and orders once", async () => {
  expect(await readUsedBytes()).toBe(0);
  await upload("receiving", 1_000);
  await upload("analysing", 200);
  await upload("rejected", 30, { is_retriable: true });
  await upload("rejected", 5_000_000);
  await upload("receiving", 5_000_000, { expires_at: now });
  expect(await readUsedBytes()).toBe(1_230);

  const original = await insertObject(40_000);
  const waveform = await insertObject(500);
  const draft = await upload("ready", 40_000, { used_at: now, expires_at: now });
  for (const [name, file] of Object.entries({ original, waveform }))
    await db
      .insertInto("upload_files")
      .values({ upload_id: draft, name, ...file })
      .execute();
  expect(await readUsedBytes()).toBe(41_730);

  const [beat = 0, otherBeat = 0] = await insertBeats(api.database, [{ title: "Mine" }, { title: "Theirs" }]);
  await db.updateTable("beats").set({ user_id: userId, is_listed: false }).where("id", "=", beat).execute();
  const preview = await insertObject(6_000_000);
  for (const [name, file] of Object.entries({ master: original, preview }))
    await db
      .insertInto("beat_files")
      .values({ beat_id: beat, name, ...file })
      .execute();
  await db
    .insertInto("beat_files")
    .values({ beat_id: otherBeat, name: "master", ...(await insertObject(7_000_000)) })
    .execute();
  expect(await readUsedBytes()).toBe(6_041_730);

  const [former, stems] = [await insertObject(80_000_000), await insertObject(900_000_000)];
  for (const master of [former, former, original])
    await db
      .insertInto("orders")
      .values({
        user_id: userId,
        beat_id: beat,
        producer_id: userId,
        title: "Mine",
        producer_name: "Me",
        license_type: "basic",
        amount_cents: 1,
        currency: "USD",
        payment_method: "pm",
        payment_provider: "sandbox",
        status: "completed",
        completed_at: now,
        created_at: now,
        payment_key: String(objects++),
        master_sha256: master.sha256,
        stems_sha256: stems.sha256,
      })
      .execute();
  expect(await readUsedBytes()).toBe(986_041_730);
});

test("the highest plan of the account's active keys determines the limit", async () => {
  expect(await use()).toMatchObject({ plan: "internal", maxBytes: null });
  await db.updateTable("api_keys").set({ revoked_at: now }).where("user_id", "=", userId).execute();
  expect(await use()).toMatchObject({ plan: "standard", maxBytes: 10 * gb });
  await api.makeKey({ plan: "standard", email: "own@example.com" });
  const { user_id } = await db
    .selectFrom("api_keys")
    .select("user_id")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const plan = async (fields: object) => {
    await db.updateTable("api_keys").set(fields).where("user_id", "=", user_id).execute();
    return storageUse(db, { userId: user_id, now, standardBytes: gb });
  };
  expect(await plan({ plan: "partner" })).toMatchObject({ maxBytes: 100 * gb });
  expect(await plan({ plan: "plus" })).toMatchObject({ maxBytes: 10 * gb });
  expect(await plan({ expires_at: now })).toMatchObject({ plan: "standard", maxBytes: gb });
});

test("the error 409 names the used bytes, the limit and the remedy; the operator's own files have no storage limit", async () => {
  const before = await readUsedBytes();
  const create = (bytes: number, standardBytes: number | null) =>
    createUpload(db, { id: newUploadId(), userId, kind: "cover", filename: "a.png", bytes }, now, standardBytes);
  const bound = before + 2_000_000;
  await create(1_500_000, bound);
  await expect(create(1_500_000, bound)).rejects.toMatchObject({
    status: 409,
    details: expect.stringMatching(
      /^Your files take 987\.5 MB of the 988 MB that an account of plan standard may store, and this one has 1\.5 MB\. Delete drafts with DELETE \/beats/,
    ),
  });
  await create(500_000, bound);
  await create(1_500_000, null);
});

test("GET /uploads returns the used bytes and the limit, in both forms", async () => {
  const key = await api.makeKey({ plan: "standard", email: "list@example.com" });
  const storage = { used_bytes: 0, max_bytes: 50 * gb };
  expect((await api.get("/v1/uploads", { key })).json().data.storage).toEqual(storage);
  const console = await api.get("/v1/uploads", { key, accept: "application/vnd.beatmarket.console+json" });
  expect(console.json().meta).toMatchObject({ total: 0, storage });
});
