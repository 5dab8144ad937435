import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { testDatabase } from "../../test/harness/database/database.ts";
import { FakeClock } from "../../test/harness/fake-clock.ts";
import { openRoutes } from "../../test/harness/routes.ts";
import { ConcurrencyLimiter } from "../http/admission/concurrency-limiter.ts";
import { readByteRange } from "../http/byte-range.ts";
import { LoopRenderer } from "./loop/loop-renderer.ts";
import { mediaRoutes } from "./media.ts";

const { query: db } = await testDatabase();
const heard: number[] = [];
const loops = new LoopRenderer();
const clock = new FakeClock();
const concurrency = new ConcurrencyLimiter();
const app = openRoutes(mediaRoutes({ db, clock, concurrency, loops, onPlay: (beatId) => heard.push(beatId) }));
beforeEach(() => clock.advance(60_000));
afterAll(() => loops.close());

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
  test("are its loop as WAV", async () => {
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

  test("and its cover as SVG in which nothing runs", async () => {
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

  test.each(["wav", "svg"])("answer HEAD with the headers of GET (%s)", async (kind) => {
    const { headers } = await get(`${id}.${kind}`);
    const response = await head(`${id}.${kind}`, { range: "bytes=0-9" });
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload).toHaveLength(0);
    for (const name of ["content-type", "content-length", "etag", "cache-control"])
      expect(response.headers[name]).toBe(headers[name]);
  });

  test.each(["wav", "svg"])("are 304 for a known ETag (%s)", async (kind) => {
    const { headers } = await get(`${id}.${kind}`);
    const response = await get(`${id}.${kind}`, { "if-none-match": `"other", W/${headers.etag}` });
    expect(response.statusCode).toBe(304);
    expect(response.rawPayload).toHaveLength(0);
    expect((await get(`${id}.${kind}`, { "if-none-match": '"other"' })).statusCode).toBe(200);
  });

  test("stay there when the beat is sold, and change with it", async () => {
    const before = await get(`${id}.wav`);
    await db.updateTable("beats").set({ is_listed: false, tempo: 90 }).where("id", "=", id).execute();
    const after = await get(`${id}.wav`, { "if-none-match": String(before.headers.etag) });
    expect(after.statusCode).toBe(200);
    expect((after.rawPayload.length - 44) / 4 / 44_100).toBeCloseTo((4 * 4 * 60) / 90, 4);
    await db.updateTable("beats").set({ is_listed: true, tempo: 128 }).where("id", "=", id).execute();
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

  test.each([`bytes=${size}-`, "bytes=-0"])("is 416 where there is none: %s", async (range) => {
    const { statusCode, headers, body } = await get(`${id}.wav`, { range });
    expect(statusCode).toBe(416);
    expect(headers["content-range"]).toBe(`bytes */${size}`);
    expect(headers["cache-control"]).toBe("no-store");
    expect(JSON.parse(body)).toMatchObject({ status: "error", error: { code: "invalid_request" } });
  });

  test.each(["bytes=5-2", "bytes=a-b", "bytes=-", "frames=0-9", "bytes=0-1,5-9", ""])(
    "is the whole where a range means nothing: %s",
    async (range) => {
      const { statusCode, rawPayload } = await get(`${id}.wav`, { range });
      expect(statusCode).toBe(200);
      expect(rawPayload).toHaveLength(size);
    },
  );

  test("is sent under If-Range only while the file is the same", async () => {
    const { headers } = await get(`${id}.wav`);
    const same = await get(`${id}.wav`, { range: "bytes=0-9", "if-range": String(headers.etag) });
    const changed = await get(`${id}.wav`, { range: "bytes=0-9", "if-range": '"old"' });
    expect([same.statusCode, changed.statusCode]).toEqual([206, 200]);
  });

  test("of an empty file does not exist", () => {
    expect(readByteRange("bytes=0-", 0)).toBe("unsatisfiable");
    expect(readByteRange("bytes=-1", 0)).toBe("unsatisfiable");
  });
});

test("a play is a loop that was sent from its beginning on: not its head, its middle, its first bytes, a 304 or the cover", async () => {
  heard.length = 0;
  const { headers } = await head(`${id}.wav`);
  await get(`${id}.svg`);
  await get(`${id}.wav`, { "if-none-match": String(headers.etag) });
  await get(`${id}.wav`, { range: "bytes=1000-" });
  await get(`${id}.wav`, { range: "bytes=-1000" });
  await get(`${id}.wav`, { range: "bytes=0-999" });
  await get("999999.wav");
  expect(heard).toEqual([]);
  await get(`${id}.wav`);
  await get(`${id}.wav`, { range: "bytes=0-" });
  expect(heard).toEqual([id, id]);
});

describe("within limits, so that strangers cost nothing", () => {
  async function insertBeats(count: number): Promise<number[]> {
    const beat = { user_id: producer.id, genre_id: genre.id, title: "Drive", tempo: 250, key_code: 12, ...prices };
    const rows = await db
      .insertInto("beats")
      .values(Array.from({ length: count }, () => beat))
      .returning("id")
      .execute();
    return rows.map((row) => row.id);
  }

  test("a network has 16 renderings at once, then one a second; what is rendered is not counted", async () => {
    const ids = await insertBeats(17);
    const last = ids.pop();
    const before = loops.rendered;
    for (const each of ids) expect((await head(`${each}.wav`)).statusCode).toBe(200);
    const refused = await get(`${last}.wav`);
    expect([refused.statusCode, refused.headers["retry-after"], refused.json().error.code]).toEqual([
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
    const find = vi.spyOn(loops, "find").mockReturnValueOnce(promise);
    const response = get(`${next}.wav`);
    await vi.waitFor(() => expect(find).toHaveBeenCalled());
    expect([concurrency.running("media"), concurrency.running("read")]).toEqual([0, 0]);
    find.mockRestore();
    resolve((await loops.find({ id, tempo: 128, keyCode: 12, genreName: "House" })) as never);
    expect((await response).statusCode).toBe(200);
  });

  test("previews that nobody reads: 16 of a network, each a part of the shared loop, and no play", async () => {
    await get(`${id}.wav`);
    heard.length = 0;
    const server = createServer(app.handle).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const sockets: Socket[] = [];
    const accepted: Socket[] = [];
    // The kernel takes nothing, as when its buffers are full.
    server.on("connection", (socket: Socket) => {
      accepted.push(socket);
      socket._write = () => {};
      socket._writev = () => {};
    });
    for (let made = 0; made < 16; made++) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      sockets.push(socket);
      socket.write(`GET /media/beats/${id}.wav HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    await vi.waitFor(async () => expect((await get(`${id}.wav`)).statusCode).toBe(429));
    heard.length = 0;
    for (const { writableLength } of accepted) expect(writableLength).toBeLessThan(3 * 65_536);
    expect((await head(`${id}.wav`)).statusCode).toBe(200);
    for (const socket of [...sockets, ...accepted]) socket.destroy();
    await vi.waitFor(async () => expect((await get(`${id}.wav`)).statusCode).toBe(200));
    expect(heard).toEqual([id]);
    server.close();
  });
});
