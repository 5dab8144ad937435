import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { consoleType, publicUrl } from "../../../test/harness/api.ts";
import { testPortal } from "../../../test/harness/portal.ts";
import { metadata, partType, uploadApi } from "../../../test/harness/uploads.ts";
import { maxOpenUploads } from "./upload.ts";
import { maxParts } from "./upload-store.ts";

const clock = new FakeClock();
const { api, dataDir, tus, create, append, offsetOf, beginPart, arrivedOf, untilWriting } = await uploadApi({
  clock,
});
const db = api.database.query;
const file = randomBytes(300_000);
const sha = (algorithm: string, bytes: Uint8Array) =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest("base64")}`;
const detailsOf = async (response: Response): Promise<string> => {
  const body = (await response.json()) as { status: string; error: { details: string } };
  expect(body.status).toBe("error");
  return body.error.details;
};
const upload = async (path: string) => (await api.get(path)).json().data.upload;

describe("a file", () => {
  test("can be sent in one request, which is answered with 201 and the address, and is queued for analysis", async () => {
    const response = await tus(
      "POST",
      "/v1/uploads",
      {
        "upload-length": "300000",
        "upload-metadata": metadata("audio", "C:\\Beats\\Über.wav"),
        "content-type": partType,
      },
      file,
    );
    expect(response.status).toBe(201);
    expect(response.headers.get("tus-resumable")).toBe("1.0.0");
    expect(response.headers.get("upload-offset")).toBe("300000");
    expect(response.headers.get("upload-expires")).toBeNull();
    const location = response.headers.get("location") ?? "";
    expect(location).toMatch(/^https:\/\/localhost:8443\/v1\/uploads\/upl_[0-9A-Za-z]{22}$/);
    const { pathname } = new URL(location);
    expect(await upload(pathname)).toEqual({
      id: basename(pathname),
      kind: "audio",
      filename: "Über.wav",
      bytes: 300_000,
      received: 300_000,
      sha256: null,
      status: "analysing",
      rejection: null,
      analysis: null,
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect((await arrivedOf(pathname)).equals(file)).toBe(true);
    const job = db.selectFrom("media_jobs").select(["kind", "user_id"]).where("subject", "=", basename(pathname));
    expect(await job.execute()).toEqual([{ kind: "analyse", user_id: api.userId }]);
  });

  test("can be sent in parts, under both prefixes, and each response has the offset", async () => {
    const path = await create(300_000, { kind: "stems" });
    const first = await append(path, 0, file.subarray(0, 100_000));
    expect([first.status, first.headers.get("upload-offset")]).toEqual([204, "100000"]);
    const expiry = new Date(clock.nowMs() + 86_400_000).toUTCString();
    expect(first.headers.get("upload-expires")).toBe(expiry);
    const other = path.replace("/v1", "/api/v1");
    const head = await tus("HEAD", other);
    expect(head.status).toBe(200);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      "upload-offset": "100000",
      "upload-length": "300000",
      "upload-metadata": metadata("stems", "beat.wav"),
      "upload-expires": expiry,
      "cache-control": "no-store",
      "tus-resumable": "1.0.0",
    });
    expect(head.headers.get("access-control-allow-origin")).toBeNull();
    expect((await append(other, 100_000, file.subarray(100_000))).status).toBe(204);
    expect((await arrivedOf(path)).equals(file)).toBe(true);
    expect(await upload(path)).toMatchObject({ status: "analysing", received: 300_000 });
    // A client may repeat the last request, because its response may have been lost.
    expect((await append(path, 300_000, new Uint8Array())).status).toBe(204);
  });

  test("appears only in the list of its account, newest first, in both forms", async () => {
    const key = await api.makeKey();
    const path = await create(10, { key, kind: "cover", filename: "cover.png" });
    clock.advance(1_000);
    const newer = await create(10, { key });
    const list = await api.get("/v1/uploads?limit=1", { key });
    expect(list.json().data.uploads).toEqual([expect.objectContaining({ id: basename(newer) })]);
    expect(list.json().data.pagination).toMatchObject({ total: 2, last_page: 2 });
    const next = await api.get("/v1/uploads?limit=1&page=2", { key, accept: consoleType });
    expect(next.json()).toMatchObject({ data: [{ id: basename(path), kind: "cover" }], meta: { page: 2, total: 2 } });
    expect((await api.get(path, { key, accept: consoleType })).json().data.upload.id).toBe(basename(path));
    for (const request of [api.get(path), tus("HEAD", path), append(path, 0, file), tus("DELETE", path)]) {
      const response = await request;
      expect("statusCode" in response ? response.statusCode : response.status).toBe(404);
    }
  });

  test("appears once on the pages of a list, even if the list changes", async () => {
    const key = await api.makeKey();
    const paths: string[] = [];
    // Two uploads have the same time, so their ids determine their order.
    for (let number = 0; number < 6; number++) {
      paths.unshift(basename(await create(10, { key })));
      if (number % 2 === 1) clock.advance(1_000);
    }
    const page = async (url: string) => {
      const { uploads, pagination } = (await api.get(url, { key })).json().data;
      return { ids: uploads.map(({ id }: { id: string }) => id) as string[], ...pagination };
    };
    const path = (url: string) => url.replace("https://localhost:8443", "");
    const listedIds = (await page("/v1/uploads")).ids;
    expect(listedIds.toSorted()).toEqual(paths.toSorted());
    const first = await page("/v1/uploads?limit=2");
    expect(first.next_page_url).toContain("&after=");
    await create(10, { key });
    const second = await page(path(first.next_page_url));
    expect(second.ids).toEqual(listedIds.slice(2, 4));
    await tus("DELETE", `/v1/uploads/${first.ids[0]}`, { authorization: `Bearer ${key}` });
    const third = await page(path(second.next_page_url));
    expect(third.ids).toEqual(listedIds.slice(4));
    expect(third.next_page_url).toBeNull();
    expect((await page(path(third.prev_page_url))).ids).toEqual(listedIds.slice(2, 4));
    const stranger = await api.get(path(first.next_page_url), { key: await api.makeKey() });
    expect([stranger.statusCode, stranger.json().error.code]).toEqual([400, "invalid_request"]);
  });
});

describe("the creation of an upload", () => {
  const post = (headers: Record<string, string | null>) =>
    tus("POST", "/v1/uploads", { "upload-length": "10", "upload-metadata": metadata("audio", "a.wav"), ...headers });

  test.each([
    ["another version", { "tus-resumable": "0.2.2" }, 412, "Tus-Resumable: 1.0.0"],
    ["no version", { "tus-resumable": null }, 412, "Tus-Resumable: 1.0.0"],
    ["an unknown kind", { "upload-metadata": metadata("video", "a.wav") }, 400, "kind in Upload-Metadata is video"],
    ["no metadata", { "upload-metadata": null }, 400, "kind in Upload-Metadata must be"],
    ["metadata that is not Base64", { "upload-metadata": "kind audio!" }, 400, "a space and the value in Base64"],
    [
      "a file name that is not UTF-8",
      { "upload-metadata": `kind ${btoa("audio")},filename ${Buffer.from("Ramón.wav", "latin1").toString("base64")}` },
      400,
      "The filename in Upload-Metadata is not in UTF-8",
    ],
    ["a pair twice", { "upload-metadata": `${metadata("audio", "a.wav")},kind YXVkaW8=` }, 400, "no name twice"],
    ["no file name", { "upload-metadata": metadata("audio", "beats/") }, 400, "filename in Upload-Metadata"],
    [
      "a bidirectional control character in the file name",
      { "upload-metadata": metadata("audio", "a\u202evaw.exe") },
      400,
      "control characters",
    ],
    ["a long file name", { "upload-metadata": metadata("audio", "a".repeat(256)) }, 400, "at most 255"],
    ["an empty file", { "upload-length": "0" }, 400, "at least one byte"],
    ["a file name that is a folder", { "upload-metadata": metadata("audio", "beats/..") }, 400, "must name the file"],
    ["no length", { "upload-length": null }, 400, "Upload-Length must be the size of the whole file in bytes"],
    ["a length that is not a number", { "upload-length": "ten" }, 400, "a whole number such as 1048576"],
    [
      "a deferred length",
      { "upload-length": null, "upload-defer-length": "1" },
      400,
      "Upload-Defer-Length is not supported",
    ],
    ["Upload-Concat", { "upload-concat": "partial" }, 400, "Upload-Concat is not supported"],
    ["too much audio", { "upload-length": "500000001" }, 413, "at most 500 MB; this one has 500,000,001 bytes"],
    [
      "too many stems",
      { "upload-length": "2000000001", "upload-metadata": metadata("stems", "a.zip") },
      413,
      "at most 2 GB",
    ],
    [
      "too large a cover",
      { "upload-length": "20000001", "upload-metadata": metadata("cover", "a.png") },
      413,
      "at most 20 MB",
    ],
  ])("with %s is rejected", async (_, headers, status, details) => {
    const response = await post(headers);
    expect(response.status).toBe(status);
    expect(response.headers.get("tus-resumable")).toBe("1.0.0");
    if (status === 412) expect(response.headers.get("tus-version")).toBe("1.0.0");
    expect(await detailsOf(response)).toContain(details);
  });

  test("answers 401 without a key, and 403 without beats:write", async () => {
    expect((await post({ authorization: null })).status).toBe(401);
    const key = await api.makeKey({ permissions: ["beats:read", "orders:write"] });
    expect((await post({ authorization: `Bearer ${key}` })).status).toBe(403);
  });

  test("answers 409 for too many open uploads, until one is deleted", async () => {
    const key = await api.makeKey();
    const authorization = `Bearer ${key}`;
    const paths: string[] = [];
    for (let count = 0; count < maxOpenUploads; count++) paths.push(await create(10, { key }));
    const refusal = await post({ authorization });
    expect(refusal.status).toBe(409);
    expect(await detailsOf(refusal)).toMatch(/20 uploads that are not complete.*DELETE/);
    expect((await tus("DELETE", paths[0] ?? "", { authorization, "tus-resumable": null })).status).toBe(204);
    expect((await post({ authorization })).status).toBe(201);
  });

  test("answers 409 for too many unused bytes", async () => {
    const key = await api.makeKey();
    for (let count = 0; count < 5; count++) await create(2_000_000_000, { key, kind: "stems" });
    const refusal = await post({ authorization: `Bearer ${key}` });
    expect(refusal.status).toBe(409);
    expect(await detailsOf(refusal)).toMatch(/more than 10 GB/);
  });

  test("answers 415 for first bytes of another type", async () => {
    const headers = { "upload-length": "10", "upload-metadata": metadata("audio", "a.wav") };
    const before = (await api.get("/v1/uploads")).json().data.pagination.total;
    const response = await tus(
      "POST",
      "/v1/uploads",
      { ...headers, "content-type": "audio/wav" },
      file.subarray(0, 10),
    );
    expect(response.status).toBe(415);
    expect(await detailsOf(response)).toContain(partType);
    expect((await api.get("/v1/uploads")).json().data.pagination.total).toBe(before);
  });

  test("answers 460 for first bytes with a wrong checksum, and the upload is deleted", async () => {
    const before = (await api.get("/v1/uploads")).json().data.pagination.total;
    const response = await tus(
      "POST",
      "/v1/uploads",
      {
        "upload-length": "10",
        "upload-metadata": metadata("audio", "a.wav"),
        "content-type": partType,
        "upload-checksum": sha("sha1", file),
      },
      file.subarray(0, 10),
    );
    expect(response.status).toBe(460);
    expect((await api.get("/v1/uploads")).json().data.pagination.total).toBe(before);
  });
});

describe("a part", () => {
  test("at another offset is answered with 409, which names the right offset", async () => {
    const path = await create(100);
    await append(path, 0, file.subarray(0, 40));
    const response = await append(path, 39, file.subarray(40, 50));
    expect(response.status).toBe(409);
    expect(await detailsOf(response)).toContain("offset, 40;");
    expect(await offsetOf(path)).toBe(40);
  });

  test("is answered with 413 if it is longer than the file, 415 for another type, and 400 for an invalid header", async () => {
    const path = await create(100);
    expect((await append(path, 0, file.subarray(0, 101))).status).toBe(413);
    expect(await offsetOf(path)).toBe(0);
    expect((await append(path, 0, file.subarray(0, 100), { "content-type": "audio/wav" })).status).toBe(415);
    for (const offset of [null, "-1", "1e3"]) {
      const refusal = await append(path, 0, file.subarray(0, 100), { "upload-offset": offset });
      expect(refusal.status).toBe(400);
      expect(await detailsOf(refusal)).toMatch(/^Upload-Offset must be where the body begins.*HEAD/);
    }
    const resized = await append(path, 0, file.subarray(0, 100), { "upload-length": "100" });
    expect(resized.status).toBe(400);
    expect(await detailsOf(resized)).toContain("Upload-Length is for POST");
  });

  test("is answered with 404 for an unknown upload, and with 400 for an invalid id", async () => {
    expect((await append("/v1/uploads/upl_0000000000000000000000", 0, file)).status).toBe(404);
    expect((await append("/v1/uploads/latest", 0, file)).status).toBe(400);
  });

  test("is rejected before the client sends the body, if the client waits for 100 Continue", async () => {
    const path = await create(1_000_000);
    const firstLine = async (uploadPath: string, offset: number) => {
      const socket = await beginPart(uploadPath, offset, 1_000_000, new Uint8Array(), { expect: "100-continue" });
      const line = String((await once(socket, "data"))[0]).split("\r\n", 1)[0];
      socket.destroy();
      return line;
    };
    expect(await firstLine("/v1/uploads/upl_0000000000000000000000", 0)).toMatch(/^HTTP\/1.1 404 /);
    expect(await firstLine(path, 5)).toMatch(/^HTTP\/1.1 409 /);
    expect(await firstLine(path, 0)).toMatch(/^HTTP\/1.1 100 /);
  });

  test.each(["sha1", "sha256", "md5"])(
    "is stored with the right %s checksum, and discarded with a wrong checksum",
    async (algorithm) => {
      const path = await create(200);
      await append(path, 0, file.subarray(0, 50));
      const part = file.subarray(50, 150);
      const wrong = await append(path, 50, part, { "upload-checksum": sha(algorithm, file) });
      expect(wrong.status).toBe(460);
      expect(await detailsOf(wrong)).toContain(`${algorithm} checksum`);
      expect(await offsetOf(path)).toBe(50);
      expect((await append(path, 50, part, { "upload-checksum": sha(algorithm, part) })).status).toBe(204);
      expect((await arrivedOf(path)).equals(file.subarray(0, 150))).toBe(true);
    },
  );

  test.each([["crc32 AAAAAA=="], ["sha1 AAAA"], ["sha1"]])(
    "with the invalid checksum %s is answered with 400",
    async (checksum) => {
      const path = await create(10);
      const response = await append(path, 0, file.subarray(0, 10), { "upload-checksum": checksum });
      expect(response.status).toBe(400);
      expect(await detailsOf(response)).toContain("Upload-Checksum");
      expect(await offsetOf(path)).toBe(0);
    },
  );

  test("that is interrupted keeps the bytes that have arrived", async () => {
    const path = await create(1_000);
    const socket = await beginPart(path, 0, 1_000, file.subarray(0, 400));
    await untilWriting();
    socket.destroy();
    await eventually(async () => expect(await offsetOf(path)).toBe(400));
    // The answer is 423 until the first request has ended.
    await eventually(async () => expect((await append(path, 400, file.subarray(400, 1_000))).status).toBe(204));
    expect((await arrivedOf(path)).equals(file.subarray(0, 1_000))).toBe(true);
  });

  test("is stored after 60 seconds or 16 MB, while more bytes arrive", async () => {
    const path = await create(1_000);
    const socket = await beginPart(path, 0, 1_000, file.subarray(0, 400));
    await untilWriting();
    clock.advance(60_000);
    socket.write(file.subarray(400, 500));
    await eventually(async () => expect((await arrivedOf(path)).equals(file.subarray(0, 500))).toBe(true));
    const response = once(socket, "data");
    socket.write(file.subarray(500, 1_000));
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 204 /);
    socket.destroy();
    const large = randomBytes(16_500_000);
    const other = await create(large.length);
    expect((await append(other, 0, large)).status).toBe(204);
    expect((await arrivedOf(other)).equals(large)).toBe(true);
    const parts = db
      .selectFrom("upload_parts")
      .select("bytes")
      .where(
        "upload_id",
        "in",
        [path, other].map((each) => basename(each)),
      );
    expect(await parts.execute()).toHaveLength(4);
  });

  test("with the number 10,001 is answered with 409", async () => {
    const path = await create(maxParts + 1);
    await append(path, 0, file.subarray(0, 1));
    await sql`insert into upload_parts select upload_id, n, sha256, bytes from upload_parts, generate_series(1, ${maxParts - 1}) n
      where upload_id = ${basename(path)}`.execute(db);
    await db.updateTable("uploads").set({ received: maxParts }).where("id", "=", basename(path)).execute();
    const response = await append(path, maxParts, file.subarray(0, 1));
    expect(response.status).toBe(409);
    expect(await detailsOf(response)).toContain("10000 parts, the maximum");
  });

  test("during another part is answered with 423, and the other part completes", async () => {
    const path = await create(1_000);
    const first = await beginPart(path, 0, 1_000, file.subarray(0, 500));
    await untilWriting();
    const second = await append(path, 0, randomBytes(1_000));
    expect(second.status).toBe(423);
    const response = once(first, "data");
    first.write(file.subarray(500, 1_000));
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 204 /);
    first.destroy();
    expect((await arrivedOf(path)).equals(file.subarray(0, 1_000))).toBe(true);
  });

  test("continues after the bytes of a stalled part, which is answered with 409", async () => {
    const path = await create(1_000);
    const stalled = await beginPart(path, 0, 1_000, file.subarray(0, 500));
    await untilWriting();
    const response = once(stalled, "data");
    clock.advance(10_000);
    expect(await offsetOf(path)).toBe(500);
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 409 .*took over/s);
    expect((await append(path, 500, file.subarray(500, 1_000))).status).toBe(204);
    stalled.destroy();
    expect((await arrivedOf(path)).equals(file.subarray(0, 1_000))).toBe(true);
  });

  test("does not count towards the limits of the plan", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const authorization = `Bearer ${key}`;
    const path = await create(1_000, { key });
    for (let part = 0; part < 30; part++)
      expect((await append(path, part, file.subarray(part, part + 1), { authorization })).status).toBe(204);
  });
});

describe("the end of an upload", () => {
  test("by expiry makes the upload and its parts answer 404", async () => {
    const path = await create(100);
    clock.advance(86_400_000);
    expect((await api.get(path)).statusCode).toBe(404);
    expect((await append(path, 0, file.subarray(0, 100))).status).toBe(404);
    expect((await tus("HEAD", path)).status).toBe(404);
  });

  test("by deletion stops a writer and leaves no files", async () => {
    const path = await create(1_000);
    const socket = await beginPart(path, 0, 1_000, file.subarray(0, 500));
    await untilWriting();
    const response = once(socket, "data");
    expect((await tus("DELETE", path)).status).toBe(204);
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 409 /);
    socket.destroy();
    expect(await arrivedOf(path)).toEqual(Buffer.alloc(0));
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    expect((await tus("DELETE", path)).status).toBe(404);
  });

  test("by deletion is answered with 409 if a beat uses the upload", async () => {
    const path = await create(10);
    await append(path, 0, file.subarray(0, 10));
    await db
      .updateTable("uploads")
      .set({ used_at: new Date(clock.nowMs()) })
      .where("id", "=", basename(path))
      .execute();
    expect((await tus("DELETE", path)).status).toBe(409);
    expect(await upload(path)).toMatchObject({ expires_at: null });
  });
});

test("the portal's pages upload with a session; keys and other origins are rejected", async () => {
  const portal = await testPortal({ dataDir });
  const visitor = await portal.signUp();
  const headers = {
    "tus-resumable": "1.0.0",
    "upload-length": "3",
    "upload-metadata": metadata("cover", "cover.png"),
  };
  const send = (method: "POST" | "PATCH" | "HEAD", path: string, headers: Record<string, string>, payload = "") =>
    portal.api.request({ method, url: `/portal/api${path}`, headers: headers, payload });
  const session = { cookie: visitor.cookie(), origin: publicUrl };
  const created = await send("POST", "/uploads", { ...headers, ...session });
  expect(created.statusCode).toBe(201);
  const { pathname } = new URL(String(created.headers.location));
  expect(pathname).toMatch(/^\/portal\/api\/uploads\/upl_/);
  const path = pathname.slice("/portal/api".length);
  const part = { "tus-resumable": "1.0.0", "upload-offset": "0", "content-type": partType };
  expect((await send("PATCH", path, { ...part, ...session }, "png")).statusCode).toBe(204);
  expect((await send("HEAD", path, { ...part, ...session })).headers["upload-offset"]).toBe("3");
  const row = portal.database.query.selectFrom("uploads").select(["user_id", "status"]);
  expect(await row.execute()).toEqual([{ user_id: visitor.userId, status: "analysing" }]);
  expect((await send("POST", "/uploads", headers)).statusCode).toBe(403);
  expect((await send("POST", "/uploads", { ...headers, origin: publicUrl })).statusCode).toBe(401);
  const bearer = { authorization: `Bearer ${portal.api.key}`, origin: publicUrl };
  expect((await send("POST", "/uploads", { ...headers, ...bearer })).statusCode).toBe(401);
  expect(
    (await send("POST", "/uploads", { ...headers, ...session, origin: "https://elsewhere.example" })).statusCode,
  ).toBe(403);
});

test("OPTIONS returns the supported features without a key", async () => {
  const response = await tus("OPTIONS", "/v1/uploads", { authorization: null, "tus-resumable": null });
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "tus-version": "1.0.0",
    "tus-extension": "creation,creation-with-upload,termination,expiration,checksum",
    "tus-max-size": "2000000000",
    "tus-checksum-algorithm": "sha1,sha256,md5",
  });
});
