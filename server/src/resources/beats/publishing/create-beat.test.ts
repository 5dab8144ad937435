import { beforeAll, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { analysisOfTests, insertUpload } from "../../../../test/harness/database/uploads.ts";
import { publishingOf, type TestProducer } from "../../../../test/harness/publishing.ts";

const api = await testApi();
const { query: db } = api.database;
const { producer, publish } = publishingOf(api);
let nora: TestProducer;
let otto: TestProducer;

beforeAll(async () => {
  await insertBeats(api.database, [{ genre: "Trap" }, { genre: "Drum & Bass" }]);
  nora = await producer("nora@example.com");
  otto = await producer("otto@example.com");
});

const upload = (fields: object = {}) => insertUpload(api.database, { userId: nora.userId, ...fields });
const post = async (fields: object, headers: Record<string, string> = {}) =>
  nora.send("POST", "/beats", { title: "Dusk", genre: "Trap", audio: await upload(), price: 29.9, ...fields }, headers);

describe("POST /beats", () => {
  it("returns the draft, its URL and its edit version", async () => {
    const response = await post({});
    expect(response.statusCode).toBe(201);
    const { beat } = response.json().data;
    expect(response.headers.location).toBe(`https://localhost:8443/v1/beats/${beat.id}`);
    expect(response.headers.etag).toMatch(/^"v1-/);
    expect(beat).toMatchObject({ title: "Dusk", genre: { name: "Trap" }, price: 29.9, tags: [], description: "" });
    expect(beat).toMatchObject({ status: "draft", preview_tag: "default", rejection: null, waveform_url: null });
    const beatResponse = await nora.get(`/beats/${beat.id}`);
    expect(beatResponse.json()).toEqual(response.json());
    expect(beatResponse.headers.etag).toBe(response.headers.etag);
  });

  it("uses the analysed tempo and key unless the producer sends them, and names the source", async () => {
    expect((await post({})).json().data.beat).toMatchObject({
      bpm: 93,
      bpm_source: "analysis",
      key: "A minor",
      key_source: "analysis",
      duration: 184,
      analysis: analysisOfTests,
    });
    expect((await post({ bpm: 140.5, key: "8B" })).json().data.beat).toMatchObject({
      bpm: 141,
      bpm_source: "producer",
      key: "C major",
      key_source: "producer",
      analysis: { bpm: 92.5, key: "A minor" },
    });
  });

  it("merges tags that differ in case, spaces or Unicode form, and stores the first spelling", async () => {
    const { beat } = (await post({ tags: ["Trap", "trap", "TRAP", " dark  night ", "cafe\u0301", "café"] })).json()
      .data;
    expect(beat.tags).toEqual(["Trap", "dark night", "café"]);
  });

  it("accepts a key with both enharmonic spellings", async () => {
    expect((await post({ key: "C#/Db minor" })).json().data.beat.key).toBe("C# minor");
  });

  it("shows no tempo, key or duration while the audio is analysed", async () => {
    const { beat } = (await post({ audio: await upload({ status: "analysing" }) })).json().data;
    expect(beat).toMatchObject({ bpm: 0, bpm_source: null, key: "", key_source: null, duration: 0, analysis: null });
  });

  it("derives the other prices like imports, unless they are named", async () => {
    const prices = async (fields: object) =>
      (await post(fields)).json().data.beat.licenses.map(({ price }: { price: number }) => price);
    expect(await prices({ price: 29.9 })).toEqual([29.9, 59.99, 149.99, 598.99]);
    expect(await prices({ price: 0, license_prices: { premium: 0, unlimited: 0.01, exclusive: 500 } })).toEqual([
      0, 0, 0.01, 500,
    ]);
    expect(await prices({ price: 29.9, license_prices: { unlimited: 200, exclusive: 999.5 } })).toEqual([
      29.9, 59.99, 200, 999.5,
    ]);
  });

  it("accepts a genre by its id or by its name in any case", async () => {
    const { id } = await db
      .selectFrom("genres")
      .select("id")
      .where("name", "=", "Drum & Bass")
      .executeTakeFirstOrThrow();
    for (const genre of [id, "drum & bass"])
      expect((await post({ genre })).json().data.beat.genre).toEqual({ id, name: "Drum & Bass" });
  });

  it("marks the uploads as used, so that they do not expire", async () => {
    const media = {
      audio: await upload(),
      cover: await upload({ kind: "cover" }),
      stems: await upload({ kind: "stems" }),
    };
    const tag = await upload();
    await post({ ...media, preview_tag: tag });
    const usedUploads = await db
      .selectFrom("uploads")
      .select("id")
      .where("id", "in", [...Object.values(media), tag])
      .where("used_at", "is not", null)
      .execute();
    expect(usedUploads).toHaveLength(4);
  });

  it("returns the console form on request", async () => {
    const { success, data } = (await post({}, { accept: consoleType })).json();
    expect({ success, producer: data.producer, status: data.status }).toEqual({
      success: true,
      producer: "nora",
      status: "draft",
    });
  });

  it.each([
    [{ title: " " }, "title field must not be empty"],
    [{ title: "x".repeat(201) }, "title field may have at most 200 characters"],
    [{ genre: "Trpa" }, 'names no genre: "Trpa". Did you mean Trap?'],
    [{ genre: 999_999 }, "names no genre: 999999"],
    [{ genre: true }, "genre field must be a string"],
    [{ price: -1 }, "price field must be a number from 0"],
    [{ price: 9.999 }, "with at most two decimals"],
    [{ price: "9.99" }, "price field must be a number"],
    [{ price: 21_474_836 }, "name all three in license_prices"],
    [{ price: 0 }, "price field is 0, and the prices of the other licenses cannot follow"],
    [{ price: 0, license_prices: { exclusive: 500 } }, "name all three in license_prices"],
    [
      { license_prices: { exclusive: 0 } },
      "license_prices.exclusive field is 0, and an exclusive license is never free",
    ],
    [{ license_prices: { unlimited: 0 } }, "license_prices.unlimited field is 0"],
    [{ license_prices: { premum: 5 } }, "Did you mean license_prices.premium?"],
    [{ license_prices: [5] }, "license_prices field must be an object"],
    [{ bpm: 0 }, "bpm field must be a number from 1 to 999"],
    [{ key: "H sharp" }, "key field is not a musical key"],
    // Equal tags are refused; tags that differ in case are merged.
    [{ tags: ["dark", "dark"] }, 'tags field names "dark" more than once'],
    [{ tags: ["dark, warm"] }, 'The tags field has a tag with a comma, "dark, warm"; send the parts as separate tags.'],
    [{ tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) }, "at most 20"],
    [{ description: "a\u0000b" }, "control characters"],
    [{ status: "withdrawn" }, "must be one of draft, published"],
    [{ preview_tag: "loud" }, "preview_tag field"],
    [{ audio: "upl_0000000000000000000000" }, "audio field names an upload that you do not have"],
    [{ auido: "x" }, "Did you mean audio?"],
  ])("answers 400 for %j, with the problem in the details", async (fields, details) => {
    const response = await post(fields);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(details);
  });

  it("answers 400 for an upload of another account, of another kind, or rejected", async () => {
    for (const [audio, details] of [
      [await insertUpload(api.database, { userId: otto.userId }), "that you do not have"],
      [await upload({ kind: "cover" }), "of kind cover"],
      [await upload({ status: "rejected" }), "was rejected: It is silent."],
    ])
      expect((await post({ audio })).json().error.details).toContain(details);
  });

  it("answers 400 for the status published if the tempo cannot be determined", async () => {
    const audio = await upload({ analysis: { ...analysisOfTests, bpm: null } });
    const refusal = await post({ audio, status: "published" });
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([
      400,
      expect.stringContaining("bpm field is required"),
    ]);
    expect((await post({ audio, status: "published", bpm: 90 })).statusCode).toBe(201);
  });

  it("refuses another account's published recording: 409 for a new beat, a rejection during processing", async () => {
    const content = "one recording";
    const first = await otto.create({
      audio: await insertUpload(api.database, { userId: otto.userId, content }),
      status: "published",
    });
    const ownUpload = await upload({ content });
    const { beat } = (await post({ audio: ownUpload, status: "published" })).json().data;
    await publish(first.id);
    expect(await publish(beat.id)).toMatchObject({ outcome: "rejected" });
    expect((await nora.get(`/beats/${beat.id}`)).json().data.beat).toMatchObject({
      status: "draft",
      rejection: expect.stringContaining("Another producer has published this very recording"),
    });
    const refusal = await post({ audio: ownUpload });
    expect([refusal.statusCode, refusal.json().error.message]).toEqual([409, "Duplicate"]);
    const again = await insertUpload(api.database, { userId: otto.userId, content });
    await otto.create({ audio: again });
  });

  it("creates one beat for each Idempotency-Key, even if the first attempt ended before it responded", async () => {
    const body = { title: "Once", genre: "Trap", audio: await upload(), price: 5 };
    const headers = { "idempotency-key": "make-it-once" };
    const first = await nora.send("POST", "/beats", body, headers);
    const again = await nora.send("POST", "/beats", body, headers);
    expect(again.json()).toEqual(first.json());
    expect(again.headers).toMatchObject({ "idempotent-replayed": "true", etag: first.headers.etag });
    await db
      .updateTable("idempotency_keys")
      .set({ answer: null, leased_until: new Date(0) })
      .execute();
    expect((await nora.send("POST", "/beats", body, headers)).json()).toEqual(first.json());
    expect((await nora.send("POST", "/beats", { ...body, title: "Twice" }, headers)).statusCode).toBe(409);
  });
});
