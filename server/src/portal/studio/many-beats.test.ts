import { beforeAll, describe, expect, test } from "vitest";
import { insertUpload } from "../../../test/harness/database/uploads.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

let portal: TestPortal;
let ada: SignedInVisitor;
let eve: SignedInVisitor;
beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com");
  eve = await portal.signUp("eve@example.com");
  await portal.database.query
    .insertInto("genres")
    .values([
      { name: "House", slug: "house" },
      { name: "Drill", slug: "drill" },
    ])
    .execute();
});

const upload = async (filename: string, visitor = ada) => {
  const id = await insertUpload(portal.database, { userId: visitor.userId });
  await portal.database.query.updateTable("uploads").set({ filename }).where("id", "=", id).execute();
  return id;
};
const draft = async (fields: object = {}, visitor = ada): Promise<number> => {
  const audio = await insertUpload(portal.database, { userId: visitor.userId });
  const body = { title: "Drive", genre: "House", audio, price: 29.9, ...fields };
  return (await visitor.send("POST", "/studio/beats", body)).json().beat.id;
};
const readBeat = async (id: number) => (await ada.get(`/studio/beats/${id}`)).json();
const edit = async (...edits: object[]) => {
  const response = await ada.send("POST", "/studio/beats/edits", { edits });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().results;
};
/** Puts a beat on sale as if its files had been processed. */
const putOnSale = async (id: number) => {
  const now = new Date();
  const { query } = portal.database;
  await query.updateTable("beats").set({ is_listed: true, tempo: 92 }).where("id", "=", id).execute();
  const released = { stage: "released", published_at: now, bpm_source: "producer" };
  await query.updateTable("beat_productions").set(released).where("beat_id", "=", id).execute();
};

const defaults = {
  price: 24.5,
  license_prices: { premium: null, unlimited: null, exclusive: 400 },
  genre: "House",
  tags: ["warm"],
  preview_tag: "none",
  license_settings: { exclusive: { sold: false } },
  free_download: false,
};

describe("defaults", () => {
  test("apply to drafts from uploads, and each upload gets a result", async () => {
    expect((await ada.send("PUT", "/studio/defaults", defaults)).statusCode).toBe(200);
    expect((await ada.get("/studio/options")).json().draft_defaults).toMatchObject({
      ...defaults,
      license_settings: { exclusive: { sold: false }, basic: { sold: true } },
    });
    const [one, evesId, two] = [await upload("night_drive.wav"), await upload("hers.wav", eve), await upload("_.wav")];
    const body = { upload_ids: [one, evesId, two], genre: "Drill" };
    const { results } = (await ada.send("POST", "/studio/new-beats", body)).json();
    expect(
      results.map(({ beat_id, reason }: { beat_id: number | null; reason: string | null }) => [
        beat_id !== null,
        reason,
      ]),
    ).toEqual([
      [true, null],
      [false, expect.stringContaining(evesId)],
      [true, null],
    ]);
    const { beat } = await readBeat(results[0].beat_id);
    expect(beat).toMatchObject({
      title: "night drive",
      genre: { name: "Drill" },
      tags: ["warm"],
      preview_tag: "none",
      status: "draft",
    });
    expect(beat.license_settings).toMatchObject({
      basic: { price: 24.5, sold: true },
      premium: { price: 49.99 },
      exclusive: { price: 400, sold: false },
    });
    expect((await readBeat(results[2].beat_id)).beat.title).toBe("Untitled");
  });

  test("create no draft if neither they nor the request have a genre and a price", async () => {
    const id = await upload("hers.wav", eve);
    for (const [invalidDefaults, reason] of [
      [{ price: 20 }, /genre field is required/],
      [{ genre: "House" }, /price field is required/],
    ] as const) {
      const { results } = (
        await eve.send("POST", "/studio/new-beats", { upload_ids: [id], ...invalidDefaults })
      ).json();
      expect(results).toEqual([{ upload_id: id, beat_id: null, reason: expect.stringMatching(reason) }]);
    }
  });

  test("are refused with values that no beat could have, and then nothing changes", async () => {
    const before = (await ada.get("/studio/options")).json().draft_defaults;
    for (const wrong of [
      { genre: "Nothing" },
      { price: 0 },
      { license_prices: { premium: 1, unlimited: 0, exclusive: 1 } },
      { free_download: true },
      { tags: ["a,b"] },
      { preview_tag: `upl_${"0".repeat(22)}` },
    ])
      expect(
        (await ada.send("PUT", "/studio/defaults", { ...defaults, ...wrong })).statusCode,
        JSON.stringify(wrong),
      ).toBe(400);
    expect((await ada.get("/studio/options")).json().draft_defaults).toEqual(before);
  });

  test("keep the recording of their tag from expiring, until they have another tag", async () => {
    const tag = await upload("tag.wav");
    const used = async () =>
      (
        await portal.database.query
          .selectFrom("uploads")
          .select("used_at")
          .where("id", "=", tag)
          .executeTakeFirstOrThrow()
      ).used_at;
    await ada.send("PUT", "/studio/defaults", { ...defaults, preview_tag: tag });
    expect(await used()).not.toBeNull();
    const id = await draft({ preview_tag: tag });
    await edit({ beat_id: id, action: "delete" });
    expect(await used()).not.toBeNull();
    await ada.send("PUT", "/studio/defaults", defaults);
    expect(await used()).toBeNull();
  });
});

describe("edits of many beats", () => {
  test("apply to each beat completely or not at all, and report the result and reason for each", async () => {
    const [one, two, evesId] = [await draft(), await draft({ tags: ["a", "b"] }), await draft({}, eve)];
    const changes = { price: 20, license_prices: null, genre: "Drill" };
    const results = await edit(
      { beat_id: one, changes, add_tags: ["warm"] },
      { beat_id: two, changes, add_tags: Array.from({ length: 20 }, (_, index) => `tag ${index}`) },
      { beat_id: evesId, changes },
      { beat_id: 999_999_999, changes },
    );
    expect(results.map(({ reason }: { reason: string | null }) => reason)).toEqual([
      null,
      expect.stringContaining("22 tags of at most 20"),
      `Beat ${evesId} does not exist.`,
      "Beat 999999999 does not exist.",
    ]);
    expect((await readBeat(one)).beat).toMatchObject({ price: 20, genre: { name: "Drill" }, tags: ["warm"] });
    expect((await readBeat(two)).beat).toMatchObject({ price: 29.9, genre: { name: "House" }, tags: ["a", "b"] });
  });

  test("can be undone, unless a later edit changed the beat", async () => {
    const id = await draft({ tags: ["a"], license_settings: { exclusive: { sold: false } } });
    const before = (await readBeat(id)).beat;
    const change = {
      beat_id: id,
      changes: {
        price: 5,
        license_prices: null,
        genre: "Drill",
        license_settings: { basic: { sold: false } },
        bpm: 120,
      },
      remove_tags: ["A"],
    };
    const [first] = await edit(change);
    expect((await readBeat(id)).beat).toMatchObject({ tags: [], genre: { name: "Drill" }, bpm: 120 });
    expect(await edit(first.undo)).toEqual([expect.objectContaining({ reason: null })]);
    const { updated_at: _, ...restored } = (await readBeat(id)).beat;
    expect(restored).toEqual({ ...before, updated_at: undefined } satisfies object);

    const [second] = await edit(change);
    await ada.send("PATCH", `/studio/beats/${id}`, { title: "Later" });
    expect((await edit(second.undo))[0].reason).toContain("has changed since");
  });

  test("publish and withdraw beats, return the edits that undo both, and do not withdraw a draft", async () => {
    const [waiting, sale] = [await draft(), await draft()];
    await putOnSale(sale);
    const [published] = await edit({ beat_id: waiting, changes: { status: "published" } });
    expect((await readBeat(waiting)).beat.status).toBe("processing");
    expect(await edit(published.undo)).toEqual([expect.objectContaining({ reason: null })]);
    expect((await readBeat(waiting)).beat.status).toBe("draft");

    const [withdrawn, refused] = await edit(
      { beat_id: sale, action: "withdraw" },
      { beat_id: waiting, action: "withdraw" },
    );
    expect((await readBeat(sale)).beat.status).toBe("withdrawn");
    expect(withdrawn.undo).toMatchObject({ changes: { status: "published" } });
    expect(refused.reason).toBe(`Beat ${waiting} is not on sale.`);
    expect((await readBeat(waiting)).beat.status).toBe("draft");
  });

  test("delete only drafts", async () => {
    const [draftId, sale] = [await draft(), await draft()];
    await putOnSale(sale);
    const [deleted, kept] = await edit({ beat_id: draftId, action: "delete" }, { beat_id: sale, action: "delete" });
    expect(deleted).toEqual({ beat_id: draftId, reason: null, undo: null });
    expect(kept.reason).toContain("has been on sale");
    expect((await ada.get(`/studio/beats/${draftId}`)).statusCode).toBe(404);
  });

  test("do not change a beat whose exclusive license is sold, and give the same reason as its page", async () => {
    const id = await draft();
    await putOnSale(id);
    await portal.database.query
      .updateTable("beats")
      .set({ exclusive_state: "sold", exclusive_order_id: 1, is_listed: false })
      .where("id", "=", id)
      .execute();
    const { locked } = await readBeat(id);
    expect(locked).toContain("is sold, so nothing about the beat can change");
    for (const each of [{ changes: { price: 1, license_prices: null } }, { action: "withdraw" }, { add_tags: ["x"] }])
      expect((await edit({ beat_id: id, ...each }))[0]).toEqual({ beat_id: id, reason: locked, undo: null });
    const refusal = await ada.send("PATCH", `/studio/beats/${id}`, { title: "Mine again" });
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([409, locked]);
  });

  test("are all refused if the request is invalid", async () => {
    for (const edits of [
      [],
      Array.from({ length: 101 }, () => ({ beat_id: 1 })),
      [{ beat_id: 1, changes: { price: -1 } }],
    ])
      expect((await ada.send("POST", "/studio/beats/edits", { edits })).statusCode).toBe(400);
    expect((await portal.visitor().send("POST", "/studio/beats/edits", { edits: [{ beat_id: 1 }] })).statusCode).toBe(
      401,
    );
  });
});

test("an expired reservation does not lock a beat", async () => {
  const id = await draft();
  await putOnSale(id);
  await portal.database.query
    .updateTable("beats")
    .set({ exclusive_state: "held", exclusive_order_id: 1, exclusive_held_until: new Date(0) })
    .where("id", "=", id)
    .execute();
  expect(await readBeat(id)).toMatchObject({ locked: null, exclusive: "available" });
});

test("an upload has the title, tempo and key from the name of its file", async () => {
  const id = await upload("Night Drive 140bpm Am.wav");
  const { upload: shownUpload } = (await ada.get(`/studio/uploads/${id}`)).json();
  expect(shownUpload.said).toEqual({ title: "Night Drive", bpm: 140, key: "A minor" });
});
