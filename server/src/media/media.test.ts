import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeWav } from "@beatmarket/audio/synthesizer/encode-wav.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { readByteRange } from "@beatmarket/http/byte-range.ts";
import { type EncodedBytes, etagOf } from "@beatmarket/http/negotiation/representation.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../../test/harness/database/database.ts";
import type { Account } from "../access/account.ts";
import { type MediaParts, mediaRoutes } from "./media.ts";
import { chimeStandIn, type StandInBeat } from "./stand-in.ts";
import { openTransfers } from "./transfers.ts";

const { query: db } = await testDatabase();
const playedIds: number[] = [];
/**
 * Renders loops of four bars, like the demo, but without a thread. On a slow machine, a thread would not finish before
 * the time-out of a request.
 */
const loops = {
  rendered: 0,
  cache: new Map<string, EncodedBytes>(),
  find(beat: StandInBeat, admit: () => void): EncodedBytes | Promise<EncodedBytes> {
    const name = JSON.stringify(beat);
    const cached = this.cache.get(name);
    if (cached !== undefined) return cached;
    admit();
    const frames = Math.round((4 * 4 * 60 * 44_100) / beat.tempo);
    const samples = Float32Array.from({ length: frames }, (_, frame) => 0.5 * Math.sin(frame / 20 + beat.id));
    const body = encodeWav(samples, samples, 44_100);
    const loop = { body, etag: etagOf(body) };
    this.cache.set(name, loop);
    this.rendered++;
    return loop;
  },
};
const clock = new FakeClock();
const concurrency = new ConcurrencyLimiter();
const folder = await mkdtemp(join(tmpdir(), "beatmarket-media-"));
const objects = new StoredObjects(db, new FolderStorage(folder));
const parts: MediaParts = {
  db,
  clock,
  concurrency,
  objects,
  standIn: loops,
  transfers: openTransfers(),
  // The cookie of a test is the id of its account.
  findAccount: async (headers) => ({ userId: Number(headers.get("cookie")) }) as Account,
  onPlay: (beatId) => playedIds.push(beatId),
};
const app = openRoutes(mediaRoutes(parts));
beforeEach(() => clock.advance(60_000));
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const prices = { price_cents: 1, premium_price_cents: 1, unlimited_price_cents: 1, exclusive_price_cents: 1 };
const producer = await db
  .insertInto("users")
  .values({ username: "nova", display_name: "Nova & Co", is_producer: true })
  .returning("id")
  .executeTakeFirstOrThrow();
const genre = await db
  .insertInto("genres")
  .values({ name: "House", slug: "house" })
  .returning("id")
  .executeTakeFirstOrThrow();
const { id } = await db
  .insertInto("beats")
  .values({ user_id: producer.id, genre_id: genre.id, title: "Drive", tempo: 128, key_code: 12, ...prices })
  .returning("id")
  .executeTakeFirstOrThrow();

const get = (file: string, headers: Record<string, string> = {}) =>
  app.inject({ method: "GET", url: `/media/beats/${file}`, headers });
const head = (file: string, headers: Record<string, string> = {}) =>
  app.inject({ method: "HEAD", url: `/media/beats/${file}`, headers });

const wav = (await get(`${id}.wav`)).rawPayload;

describe("a beat's files", () => {
  test("include its loop as WAV", async () => {
    const { statusCode, headers, rawPayload } = await get(`${id}.wav`);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "audio/wav",
      "content-length": String(wav.length),
      "cache-control": "public, max-age=86400",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    expect(rawPayload.toString("latin1", 0, 4)).toBe("RIFF");
    expect((wav.length - 44) / 4 / 44_100).toBeCloseTo((4 * 4 * 60) / 128, 4);
  });

  test("include its cover as SVG without scripts", async () => {
    const { statusCode, headers, body } = await get(`${id}.svg`);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "image/svg+xml; charset=utf-8",
      "cache-control": "public, max-age=86400",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff",
    });
    expect(body).toContain(">Drive</tspan>");
    expect(body).toContain("Nova &#38; Co");
  });

  test("include the same drawing as PNG, for sites that show no SVG", async () => {
    const { headers, rawPayload } = await get(`${id}.png`);
    expect(headers).toMatchObject({ "content-type": "image/png", "cache-control": "public, max-age=86400" });
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "png", width: 640, height: 640 });
    expect((await get(`${id + 1}.png`)).statusCode).toBe(404);
  });

  test("have a waveform of the audio, from -128 to 127", async () => {
    const { statusCode, headers, body } = await get(`${id}.json`);
    expect([statusCode, headers["content-type"]]).toEqual([200, "application/json"]);
    const { version, length, samples_per_pixel, sample_rate, data } = JSON.parse(body);
    expect([version, data.length]).toEqual([2, 2 * length]);
    expect((length * samples_per_pixel) / sample_rate).toBeCloseTo((wav.length - 44) / 4 / 44_100, 1);
    expect(Math.max(...data)).toBeGreaterThan(20);
    expect(Math.min(...data)).toBeGreaterThanOrEqual(-128);
    expect((await get(`${id}.json`, { "if-none-match": String(headers.etag) })).statusCode).toBe(304);
  });

  test.each(["wav", "svg", "png"])("answer HEAD with the headers of GET (%s)", async (kind) => {
    const { headers } = await get(`${id}.${kind}`);
    const response = await head(`${id}.${kind}`, { range: "bytes=0-9" });
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload).toHaveLength(0);
    for (const name of ["content-type", "content-length", "etag", "cache-control"])
      expect(response.headers[name]).toBe(headers[name]);
  });

  test.each(["wav", "svg", "png"])("are 304 for a known ETag (%s)", async (kind) => {
    const { headers } = await get(`${id}.${kind}`);
    const response = await get(`${id}.${kind}`, { "if-none-match": `"other", W/${headers.etag}` });
    expect(response.statusCode).toBe(304);
    expect(response.rawPayload).toHaveLength(0);
    expect((await get(`${id}.${kind}`, { "if-none-match": '"other"' })).statusCode).toBe(200);
  });

  test("remain after the beat goes off sale, and change if the beat changes", async () => {
    const change = (values: { is_listed: boolean; tempo: number }) =>
      db.updateTable("beats").set(values).where("id", "=", id).execute();
    onTestFinished(async () => void (await change({ is_listed: true, tempo: 128 })));
    const before = await get(`${id}.wav`);
    await change({ is_listed: false, tempo: 90 });
    const after = await get(`${id}.wav`, { "if-none-match": String(before.headers.etag) });
    expect(after.statusCode).toBe(200);
    expect((after.rawPayload.length - 44) / 4 / 44_100).toBeCloseTo((4 * 4 * 60) / 90, 4);
  });

  test("are a chime if no loops are rendered, with the validators and ranges of a loop", async () => {
    const plain = openRoutes(mediaRoutes({ ...parts, standIn: chimeStandIn }));
    const chime = await plain.inject(`/media/beats/${id}.wav`);
    expect([chime.statusCode, chime.headers["content-type"]]).toEqual([200, "audio/wav"]);
    expect(chime.rawPayload.toString("latin1", 0, 4)).toBe("RIFF");
    const samples = chime.rawPayload.subarray(44);
    const loudest = samples.reduce(
      (peak, _, index) => (index % 2 ? peak : Math.max(peak, samples.readInt16LE(index))),
      0,
    );
    expect(loudest).toBeGreaterThan(1_000);
    const headers = { range: "bytes=0-9", "if-range": String(chime.headers.etag) };
    expect((await plain.inject({ url: `/media/beats/${id}.wav`, headers })).statusCode).toBe(206);
  });

  test.each([
    `${id + 1}.wav`,
    `${id + 1}.svg`,
    "0.svg",
    "-1.wav",
    "99999999999999999999999.wav",
    "first.wav",
    `${id}.mp3`,
    `${id}`,
    `${id}.svg.svg`,
    `${id}.wav%00`,
  ])("are 404 in the API's form for %s", async (file) => {
    const { statusCode, headers, body } = await get(file);
    expect(statusCode).toBe(404);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["cache-control"]).toBeUndefined();
    expect(JSON.parse(body)).toMatchObject({ status: "error", error: { code: "not_found" } });
  });
});

describe("a part of the loop", () => {
  const size = wav.length;

  test.each([
    ["bytes=0-99", 0, 99],
    ["bytes=100-", 100, size - 1],
    ["bytes=-500", size - 500, size - 1],
    [`bytes=10-${size * 2}`, 10, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
    ["Bytes=0-0", 0, 0],
  ])("is sent for %s", async (range, first, last) => {
    const { statusCode, headers, rawPayload } = await get(`${id}.wav`, { range });
    expect(statusCode).toBe(206);
    expect(headers["content-range"]).toBe(`bytes ${first}-${last}/${size}`);
    expect(headers["content-length"]).toBe(String(last - first + 1));
    expect(headers["content-type"]).toBe("audio/wav");
    expect(rawPayload.equals(wav.subarray(first, last + 1))).toBe(true);
  });

  test.each([`bytes=${size}-`, "bytes=-0"])("is 416 if the range is outside of the file: %s", async (range) => {
    const { statusCode, headers, body } = await get(`${id}.wav`, { range });
    expect(statusCode).toBe(416);
    expect(headers["content-range"]).toBe(`bytes */${size}`);
    expect(headers["cache-control"]).toBe("no-store");
    expect(JSON.parse(body)).toMatchObject({ status: "error", error: { code: "invalid_request" } });
  });

  test.each(["bytes=5-2", "bytes=a-b", "bytes=-", "frames=0-9", "bytes=0-1,5-9", ""])(
    "is the whole file if the range is invalid or has several parts: %s",
    async (range) => {
      const { statusCode, rawPayload } = await get(`${id}.wav`, { range });
      expect(statusCode).toBe(200);
      expect(rawPayload).toHaveLength(size);
    },
  );

  test("is sent with If-Range only if the file is unchanged", async () => {
    const { headers } = await get(`${id}.wav`);
    const unchanged = await get(`${id}.wav`, { range: "bytes=0-9", "if-range": String(headers.etag) });
    const changed = await get(`${id}.wav`, { range: "bytes=0-9", "if-range": '"old"' });
    expect([unchanged.statusCode, changed.statusCode]).toEqual([206, 200]);
  });

  test("of an empty file does not exist", () => {
    expect(readByteRange("bytes=0-", 0)).toBe("unsatisfiable");
    expect(readByteRange("bytes=-1", 0)).toBe("unsatisfiable");
  });
});

test("a play needs enough of the loop from its start; HEAD, a later range, 304 and a cover do not count", async () => {
  playedIds.length = 0;
  const { headers } = await head(`${id}.wav`);
  await get(`${id}.svg`);
  await get(`${id}.wav`, { "if-none-match": String(headers.etag) });
  await get(`${id}.wav`, { range: "bytes=1000-" });
  await get(`${id}.wav`, { range: "bytes=-1000" });
  await get(`${id}.wav`, { range: "bytes=0-999" });
  await get("999999.wav");
  expect(playedIds).toEqual([]);
  await get(`${id}.wav`);
  await get(`${id}.wav`, { range: "bytes=0-" });
  expect(playedIds).toEqual([id, id]);
});

describe("limits of clients without a key", () => {
  async function insertBeats(count: number): Promise<number[]> {
    const beat = { user_id: producer.id, genre_id: genre.id, title: "Drive", tempo: 250, key_code: 12, ...prices };
    const rows = await db
      .insertInto("beats")
      .values(Array.from({ length: count }, () => beat))
      .returning("id")
      .execute();
    return rows.map((row) => row.id);
  }

  test("a network may cause 16 renderings, then one a second, and cached files do not count", async () => {
    const ids = await insertBeats(17);
    const last = ids.pop();
    const before = loops.rendered;
    for (const each of ids) expect((await head(`${each}.wav`)).statusCode).toBe(200);
    const refusal = await get(`${last}.wav`);
    expect([refusal.statusCode, refusal.headers["retry-after"], refusal.json().error.code]).toEqual([
      429,
      "1",
      "rate_limit_exceeded",
    ]);
    expect((await head(`${ids.at(-1)}.wav`)).statusCode).toBe(200);
    expect(loops.rendered - before).toBe(16);
    clock.advance(1_000);
    expect((await head(`${last}.wav`)).statusCode).toBe(200);
  });

  test("a rendering holds no permit", async () => {
    const [next] = await insertBeats(1);
    const { promise, resolve } = Promise.withResolvers<never>();
    const requested = Promise.withResolvers<void>();
    const find = vi.spyOn(loops, "find").mockImplementationOnce(() => {
      requested.resolve();
      return promise;
    });
    onTestFinished(() => find.mockRestore());
    const response = get(`${next}.wav`);
    await requested.promise;
    expect([concurrency.running("media"), concurrency.running("read")]).toEqual([0, 0]);
    find.mockRestore();
    resolve((await loops.find({ id, tempo: 128, keyCode: 12, genreName: "House" }, () => {})) as never);
    expect((await response).statusCode).toBe(200);
  });

  test("a network has at most 16 unread previews, which share one loop in memory and count as no play", async () => {
    // Separate transfers, so that a failure here does not use up the places of other tests.
    const transfers = openTransfers();
    const routes = openRoutes(mediaRoutes({ ...parts, transfers }));
    const ask = (method: "GET" | "HEAD") => routes.inject({ method, url: `/media/beats/${id}.wav` });
    await ask("GET");
    playedIds.length = 0;
    const server = createServer(routes.handle).listen(0, "127.0.0.1");
    const sockets: Socket[] = [];
    const accepted: Socket[] = [];
    onTestFinished(() => {
      for (const socket of [...sockets, ...accepted]) socket.destroy();
      server.close();
    });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    // Imitates a kernel whose send buffers are full.
    server.on("connection", (socket: Socket) => {
      accepted.push(socket);
      socket._write = () => {};
      socket._writev = () => {};
    });
    for (let count = 0; count < 16; count++) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      sockets.push(socket);
      socket.write(`GET /media/beats/${id}.wav HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    // Polls the counter, because a request would take one of the sixteen places.
    await expect.poll(() => transfers.previews.open).toBe(16);
    expect((await ask("GET")).statusCode).toBe(429);
    expect(playedIds).toEqual([]);
    for (const { writableLength } of accepted) expect(writableLength).toBeLessThan(3 * 65_536);
    expect((await ask("HEAD")).statusCode).toBe(200);
    for (const socket of [...sockets, ...accepted]) socket.destroy();
    await expect.poll(() => transfers.previews.open).toBe(0);
    expect((await ask("GET")).statusCode).toBe(200);
    expect(playedIds).toEqual([id]);
  });
});

describe("the stored files of a beat", () => {
  const mp3 = Buffer.alloc(600_000, "mp3 ");
  const json = Buffer.from('{"version":2}');

  interface StoredBeat {
    id: number;
    /** The path of a file of the beat below /media/beats/. */
    file(name: "preview" | "waveform"): string;
  }
  /** Creates a beat with stored files. `sold` means that the exclusive license is sold. */
  async function makeBeat(state: "listed" | "sold" | "withdrawn" | "draft"): Promise<StoredBeat> {
    const created = await db
      .insertInto("beats")
      .values({ user_id: producer.id, genre_id: genre.id, title: "Own", tempo: 90, key_code: 12, ...prices })
      .returning("id")
      .executeTakeFirstOrThrow();
    const isSold = state === "sold";
    await db
      .updateTable("beats")
      .set({
        is_listed: state === "listed",
        exclusive_state: isSold ? "sold" : "available",
        exclusive_order_id: isSold ? 1 : null,
      })
      .where("id", "=", created.id)
      .execute();
    const stage = state === "draft" ? "draft" : "released";
    await db.insertInto("beat_productions").values({ beat_id: created.id, stage }).execute();
    const hashes: Record<string, string> = {};
    for (const [name, content, content_type] of [
      ["preview", mp3, "audio/mpeg"],
      ["waveform", json, "application/json"],
      ["master", Buffer.from("the master"), "audio/wav"],
    ] as const) {
      const path = join(folder, name);
      await writeFile(path, content);
      const { sha256, bytes } = await objects.store(path);
      hashes[name] = sha256;
      await db.insertInto("beat_files").values({ beat_id: created.id, name, sha256, bytes, content_type }).execute();
    }
    const types = { preview: "mp3", waveform: "json" };
    return { id: created.id, file: (name) => `${created.id}/${name}-${hashes[name]?.slice(0, 12)}.${types[name]}` };
  }

  test("may be cached for a year, because their address contains the hash of the content", async () => {
    const beat = await makeBeat("listed");
    const preview = await get(beat.file("preview"));
    expect(preview.statusCode).toBe(200);
    expect(preview.headers).toMatchObject({
      "content-type": "audio/mpeg",
      "content-length": "600000",
      "cache-control": "public, max-age=31536000, immutable",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    expect(preview.rawPayload.equals(mp3)).toBe(true);
    const waveform = await get(beat.file("waveform"));
    expect([waveform.headers["content-type"], waveform.body]).toEqual(["application/json", json.toString()]);
  });

  test("support HEAD, If-None-Match, Range and If-Range", async () => {
    const address = (await makeBeat("listed")).file("preview");
    const { headers, statusCode, rawPayload } = await head(address);
    expect([statusCode, headers["content-length"], rawPayload.length]).toEqual([200, "600000", 0]);
    const etag = String(headers.etag);
    expect((await get(address, { "if-none-match": etag })).statusCode).toBe(304);
    const part = await get(address, { range: "bytes=599990-" });
    expect([part.statusCode, part.headers["content-range"], part.rawPayload.length]).toEqual([
      206,
      "bytes 599990-599999/600000",
      10,
    ]);
    expect((await get(address, { range: "bytes=0-9", "if-range": etag })).statusCode).toBe(206);
    expect((await get(address, { range: "bytes=0-9", "if-range": '"old"' })).statusCode).toBe(200);
    expect((await get(address, { range: "bytes=600000-" })).statusCode).toBe(416);
  });

  test("do not include its master, another version, or another beat's files", async () => {
    const beat = await makeBeat("listed");
    const other = await makeBeat("listed");
    const { sha256 } = await db
      .selectFrom("beat_files")
      .select("sha256")
      .where("beat_id", "=", beat.id)
      .where("name", "=", "master")
      .executeTakeFirstOrThrow();
    const hash = sha256.slice(0, 12);
    await db.deleteFrom("beat_files").where("beat_id", "=", other.id).where("name", "=", "waveform").execute();
    for (const file of [
      ...["master", "preview", "waveform", "cover"].flatMap((name) =>
        ["wav", "mp3", "json", "jpg"].map((type) => `${beat.id}/${name}-${hash}.${type}`),
      ),
      `${beat.id}/${sha256}`,
      `${beat.id}/master`,
      `${beat.id}/preview.mp3`,
      beat.file("preview").replace(".mp3", ".wav"),
      beat.file("preview").replace("/preview", "/constructor"),
      other.file("waveform"),
      `${beat.id}/..%2f${other.file("preview")}`,
      `${beat.id}/preview-____________.mp3`,
    ])
      expect([file, (await get(file)).statusCode]).toEqual([file, 404]);
  });

  test("are public if the beat is listed or sold", async () => {
    for (const state of ["listed", "sold"] as const) {
      const beat = await makeBeat(state);
      for (const file of [beat.file("preview"), beat.file("waveform"), `${beat.id}.svg`, `${beat.id}.wav`])
        expect((await get(file)).statusCode).toBe(200);
    }
  });

  test.each(["draft", "withdrawn"] as const)("are visible only to the producer if the beat is %s", async (state) => {
    const beat = await makeBeat(state);
    for (const file of [beat.file("preview"), beat.file("waveform"), `${beat.id}.svg`, `${beat.id}.wav`]) {
      expect((await get(file)).statusCode).toBe(404);
      expect((await get(file, { cookie: String(producer.id + 1) })).statusCode).toBe(404);
      const response = await get(file, { cookie: String(producer.id) });
      expect([response.statusCode, response.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
    }
  });

  test("count one play for a public preview of which enough is sent from the beginning on", async () => {
    const beat = await makeBeat("listed");
    const withdrawn = await makeBeat("withdrawn");
    playedIds.length = 0;
    await head(beat.file("preview"));
    await get(beat.file("preview"), { range: "bytes=0-999" });
    await get(beat.file("preview"), { range: "bytes=300000-" });
    await get(beat.file("waveform"));
    await get(withdrawn.file("preview"), { cookie: String(producer.id) });
    expect(playedIds).toEqual([]);
    await get(beat.file("preview"));
    expect(playedIds).toEqual([beat.id]);
  });

  test("end with a server error if the object is lost, and free their place", async () => {
    const beat = await makeBeat("listed");
    const routes = openRoutes(mediaRoutes({ ...parts, objects: { open: () => Promise.reject(new Error("lost")) } }));
    const results = [];
    for (let n = 0; n < 17; n++) results.push((await routes.inject(`/media/beats/${beat.file("preview")}`)).statusCode);
    expect(new Set(results)).toEqual(new Set([500]));
  });
});
