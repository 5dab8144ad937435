import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { sizeOf, ZipArchive, zipParts } from "@beatmarket/http/zip-archive.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, describe, expect, it, test } from "vitest";
import { testApi, webhookSecrets } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../test/harness/database/database.ts";
import {
  attachRecording,
  insertLicense,
  insertRenditions,
  refundInFull,
  storeBytes,
} from "../../test/harness/database/order-files.ts";
import { placeTestOrder } from "../../test/harness/database/place-order.ts";
import { DownloadLinks } from "../resources/orders/fulfilment/fulfilment.ts";

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "beatmarket-archive-"));
afterAll(() => rm(folder, { recursive: true }));
const storage = new FolderStorage(join(folder, "objects"));
const database = await testDatabase();
const { query: db, driver } = database;
const api = await testApi({ database, storage });
const objects = new StoredObjects(db, storage);
const headers = { authorization: `Bearer ${api.key}` };

/** Generates pseudo-random bytes from a seed, so that a misplaced part of a file is detected. */
const bytesFrom = (seed: number, count: number): Buffer => {
  let state = seed;
  const bytes = Buffer.alloc(count);
  for (let index = 0; index < count; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
};

let seed = 0;
/** Orders a beat with recordings and stems, with a certificate that was made without the PDF printer. */
async function buy(title = `Beat ${++seed}`): Promise<{ id: number; path: string; mp3: string }> {
  const [beat = 0] = await insertBeats(database, [{ title, producer: "밤하늘", priceCents: 2990 }]);
  const master = await storeBytes(objects, `master of ${title}`);
  const mp3 = await storeBytes(objects, bytesFrom(++seed, 90_000));
  const stems = await storeBytes(objects, bytesFrom(++seed, 70_000));
  await attachRecording(db, beat, { master, stems });
  await insertRenditions(db, master, { mp3, wav: master });
  const placed = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers,
    payload: { beat_id: beat, payment_method: "pm_card_visa", license_type: "unlimited" },
  });
  const { id } = placed.json().data.order;
  await insertLicense(db, id, await storeBytes(objects, `certificate of ${title}`));
  return { id, path: `/v1/orders/${id}/archive`, mp3: mp3.sha256 };
}

const get = (url: string, more: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  api.request({ method, url, headers: { ...headers, ...more } });

/** Reads names, sizes and times of a ZIP with Python's standard library. Fails if a checksum is wrong. */
const pythonLists = async (file: string): Promise<[string, number, number[]][]> => {
  const script =
    "import json,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps([[i.filename,i.file_size,i.date_time] for i in z.infolist()]))";
  return JSON.parse((await run("python3", ["-c", script, file])).stdout);
};

describe("GET /v1/orders/{id}/archive", () => {
  it("200 has all files and the certificate, under the beat's name, and is readable by other programs", async () => {
    const { path } = await buy("Świt");
    const response = await get(path);
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("application/zip");
    expect(response.headers["content-disposition"]).toContain(encodeURIComponent("밤하늘 - Świt "));
    expect(Number(response.headers["content-length"])).toBe(response.rawPayload.length);
    const file = join(folder, "order.zip");
    await writeFile(file, response.rawPayload);
    const { stdout } = await run("unzip", ["-t", file]);
    expect(stdout).toContain("No errors detected");
    const listed = await pythonLists(file);
    const [order] = await driver`select completed_at from orders order by id desc limit 1`;
    const time: Date = order?.completed_at;
    expect(listed.map(([name]) => name)).toEqual(
      [".mp3", ".wav", " stems.zip", " license.pdf"].map((end) => `밤하늘 - Świt (unlimited)${end}`),
    );
    expect(listed[0]?.slice(1)).toEqual([
      90_000,
      [
        time.getUTCFullYear(),
        time.getUTCMonth() + 1,
        time.getUTCDate(),
        time.getUTCHours(),
        time.getUTCMinutes(),
        time.getUTCSeconds() & ~1,
      ],
    ]);
    expect(await driver`select kind from order_downloads order by kind`).toHaveLength(4);
  });

  it("206 resumes at any byte, and the parts together equal the whole", async () => {
    const { path } = await buy();
    const completeResponse = await get(path);
    const etag = String(completeResponse.headers.etag);
    const size = completeResponse.rawPayload.length;
    for (let turn = 1; turn <= 20; turn++) {
      const from = bytesFrom(turn * 7_919, 4).readUInt32LE() % size;
      const remaining = await get(path, { range: `bytes=${from}-`, "if-range": etag });
      expect([remaining.statusCode, remaining.headers["content-range"]]).toEqual([
        206,
        `bytes ${from}-${size - 1}/${size}`,
      ]);
      expect(
        Buffer.concat([completeResponse.rawPayload.subarray(0, from), remaining.rawPayload]).equals(
          completeResponse.rawPayload,
        ),
      ).toBe(true);
    }
    const middle = await get(path, { range: "bytes=89000-91999" });
    expect(middle.rawPayload.equals(completeResponse.rawPayload.subarray(89_000, 92_000))).toBe(true);
    const changed = await get(path, { range: "bytes=5-", "if-range": '"another"' });
    expect([changed.statusCode, changed.rawPayload.length]).toEqual([200, size]);
    expect((await get(path, { range: `bytes=${size}-` })).statusCode).toBe(416);
    expect((await get(path, { "if-none-match": etag })).statusCode).toBe(304);
  });

  it("HEAD returns size and ETag without reading the files or counting a download", async () => {
    const { id, path } = await buy();
    const head = await get(path, {}, "HEAD");
    expect(await driver`select * from order_downloads where order_id = ${id}`).toEqual([]);
    expect(await driver`select crc32 from stored_objects where crc32 is null and bytes = 90000`).not.toEqual([]);
    const completeResponse = await get(path);
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
    for (const name of ["etag", "content-length", "content-disposition", "accept-ranges"])
      expect(head.headers[name]).toBe(completeResponse.headers[name]);
  });

  it("computes each checksum once", async () => {
    const { path, mp3 } = await buy();
    await get(path, { range: "bytes=0-0" });
    const [row] = await driver`select crc32 from stored_objects where sha256 = ${mp3}`;
    const content = Buffer.concat(await (await objects.open(mp3)).toArray());
    expect(Number(row?.crc32)).toBe(crc32(content));
    await driver`update stored_objects set crc32 = 7 where sha256 = ${mp3}`;
    expect((await get(path, { range: "bytes=14-17" })).rawPayload.readUInt32LE()).toBe(7);
  });

  it("404 for another account's order, 400 for an invalid id, 401 without a key", async () => {
    const { path } = await buy();
    const key = await api.makeKey({ email: "another@example.com" });
    expect((await get(path, { authorization: `Bearer ${key}` })).statusCode).toBe(404);
    expect((await get("/v1/orders/latest/archive")).statusCode).toBe(400);
    expect((await api.request({ method: "GET", url: path })).statusCode).toBe(401);
  });

  it("409 for a pending order, and 410 for a refunded order, even with a link from before the refund", async () => {
    const { id, path } = await buy();
    const [order] = await driver`select beat_id from orders where id = ${id}`;
    const pending = await placeTestOrder(database, {
      userId: api.userId,
      beatId: Number(order?.beat_id),
      paymentMethod: "pm_card_authenticationRequired",
    });
    expect(pending.status).toBe("pending");
    expect((await get(`/v1/orders/${pending.id}/archive`)).statusCode).toBe(409);
    const link = new DownloadLinks({ publicUrl: "", secrets: webhookSecrets }).sign({
      orderId: id,
      kind: "archive",
      expiresAt: new Date(Date.now() + 600_000),
    });
    const linked = await api.request({ method: "GET", url: link });
    expect([linked.statusCode, linked.headers.etag]).toEqual([200, (await get(path)).headers.etag]);
    await refundInFull(db, id);
    expect((await get(path)).statusCode).toBe(410);
    expect((await api.request({ method: "GET", url: link })).statusCode).toBe(410);
  });

  it("503 for a file that the storage has lost, before the first byte", async () => {
    const { path, mp3 } = await buy();
    await get(path);
    await storage.delete(mp3);
    const response = await get(path);
    expect([response.statusCode, response.headers["retry-after"]]).toEqual([503, "3600"]);
    expect(response.json().error.details).toContain("lost");
  });
});

test("a ZIP of more than 4 GiB is read only as far as it is sent, and a range of its end has the right bytes", async () => {
  const size = 5_000_000_000;
  const chunk = Buffer.alloc(65_536);
  let readChunks = 0;
  const large = {
    head: async () => ({ bytes: size }),
    checksum: async () => 0,
    open: async (_sha256: string, { first, last } = { first: 0, last: size - 1 }) =>
      Readable.from(
        (function* () {
          for (let remainingBytes = last - first + 1; remainingBytes > 0; remainingBytes -= chunk.length) {
            readChunks++;
            yield chunk.subarray(0, Math.min(remainingBytes, chunk.length));
          }
        })(),
      ),
  };
  const file = (sha256: string, filename: string) =>
    ({ kind: "wav", filename, bytes: size, sha256, contentType: "audio/wav" }) as const;
  const archive = new ZipArchive([file("a".repeat(64), "one.wav"), file("b".repeat(64), "two.wav")], new Date(0));
  const content = await archive.open(large, undefined);
  const reader = content[Symbol.asyncIterator]();
  for (let pieces = 0; pieces < 100; pieces++) await reader.next();
  expect(readChunks).toBeLessThan(200);
  content.destroy();
  // The last 400 bytes include the part that `zipParts` puts after the second file.
  const tail = Buffer.concat(
    await (await archive.open(large, { first: archive.bytes - 400, last: archive.bytes - 1 })).toArray(),
  );
  const [directory = Buffer.alloc(0)] = zipParts(
    ["one.wav", "two.wav"].map((name) => ({ name, bytes: size, crc32: 0 })),
    new Date(0),
  ).slice(-1) as Buffer[];
  expect(tail.subarray(-directory.length).equals(directory)).toBe(true);
});

test("a download that is aborted and resumed equals an uninterrupted download", async () => {
  const contents = new Map(["a", "b"].map((name, seed) => [name, bytesFrom(seed + 77, 300_000)]));
  const inMemory = {
    head: async () => ({ bytes: 300_000 }),
    checksum: async (name: string) => crc32(contents.get(name) ?? ""),
    open: async (name: string, { first, last } = { first: 0, last: 299_999 }) =>
      Readable.from(contents.get(name)?.subarray(first, last + 1) ?? [], { objectMode: false, highWaterMark: 10_000 }),
  };
  const files = [...contents.keys()].map(
    (sha256) => ({ kind: "wav", filename: `${sha256}.wav`, bytes: 300_000, sha256, contentType: "audio/wav" }) as const,
  );
  const archive = new ZipArchive(files, new Date(0));
  const completeFile = Buffer.concat(await (await archive.open(inMemory, undefined)).toArray());
  expect(completeFile.length).toBe(archive.bytes);
  const received: Buffer[] = [];
  const killed = await archive.open(inMemory, undefined);
  for await (const chunk of killed) if (received.push(chunk) === 2) break;
  const first = Buffer.concat(received).length;
  expect(first).toBeLessThan(completeFile.length);
  const tailChunks = await (await archive.open(inMemory, { first, last: archive.bytes - 1 })).toArray();
  expect(Buffer.concat([...received, ...tailChunks]).equals(completeFile)).toBe(true);
});

test("a ZIP64 is readable by other programs", async () => {
  const size = 4_300_000_000;
  const parts = zipParts(
    [
      { name: "a.wav", bytes: size, crc32: 0 },
      { name: "b.txt", bytes: 2, crc32: crc32("hi") },
    ],
    new Date(0),
  );
  const file = join(folder, "large.zip");
  // The content of the first entry is a hole in a sparse file.
  const script = `import sys
f=open(sys.argv[1],"wb")
for kind,value in __import__("json").load(sys.stdin):
  f.write(bytes.fromhex(value)) if kind=="bytes" else f.seek(value,1)
f.close()`;
  const partList = parts.map((part) =>
    Buffer.isBuffer(part)
      ? ["bytes", part.toString("hex")]
      : part.name === "b.txt"
        ? ["bytes", Buffer.from("hi").toString("hex")]
        : ["hole", sizeOf(part)],
  );
  const writing = run("python3", ["-c", script, file]);
  writing.child.stdin?.end(JSON.stringify(partList));
  await writing;
  const reading =
    "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nprint(z.infolist()[0].file_size, z.read('b.txt').decode())";
  expect((await run("python3", ["-c", reading, file])).stdout.trim()).toBe(`${size} hi`);
  const { stdout } = await run("unzip", ["-p", file, "b.txt"]);
  expect(stdout).toBe("hi");
});
