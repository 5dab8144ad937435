import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { afterAll, expect, test } from "vitest";
import { PartDrafts } from "./drafts.ts";
import { partRate, partType, Tus } from "./tus.ts";
import type { TusCall } from "./tus-uploads.ts";
import type { CreationRequest, ResumableUpload } from "./upload-store.ts";
import { overtaken } from "./writers.ts";

const dataDir = await mkdtemp(join(tmpdir(), "resumable-uploads-"));
afterAll(() => rm(dataDir, { recursive: true }));
const clock = new FakeClock();
const uploads = new Map<string, ResumableUpload & { owner: number; parts: Buffer[] }>();
const objects = new Map<string, Buffer>();
let ids = 0;

function find(owner: number, id: string) {
  const upload = uploads.get(id);
  if (upload?.owner !== owner) throw new Error(`There is no upload ${id}.`);
  return upload;
}

const tus = new Tus<ResumableUpload, CreationRequest & { owner: number }>({
  clock,
  drafts: new PartDrafts(dataDir),
  room: { require: async () => {} },
  ownerOf: ({ caller }) => (caller as { userId: number } | null)?.userId ?? 1,
  maxBytes: 100,
  objects: {
    async store(path) {
      const content = await readFile(path);
      const sha256 = createHash("sha256").update(content).digest("hex");
      objects.set(sha256, content);
      return { sha256, bytes: content.length };
    },
  },
  store: {
    newId: () => `upload_${++ids}`,
    readNew: (owner, request) => ({ ...request, owner }),
    create: async ({ id, bytes, owner }) => {
      uploads.set(id, { id, bytes, owner, received: 0, expires_at: new Date(0), parts: [] });
    },
    find: async (owner, id) => ({ ...find(owner, id) }),
    remove: async (owner, id) => {
      uploads.delete(find(owner, id).id);
    },
    metadataOf: () => ({ filename: "a.wav" }),
    requireRoomForPart: async () => {},
    async appendPart({ id, received }, { sha256, bytes }) {
      const upload = find(1, id);
      if (upload.received !== received) throw overtaken();
      upload.received += bytes;
      upload.parts.push(objects.get(sha256) ?? Buffer.alloc(0));
    },
  },
});

/** A call of a route's handler. */
function call(method: string, headers: Record<string, string>, { id, body }: { id?: string; body?: Readable } = {}) {
  const context = {
    method,
    isRead: method === "HEAD",
    publicUrl: "https://shop.example",
    prefix: "/v1",
    requestHeaders: { "tus-resumable": "1.0.0", ...headers },
  };
  return {
    context,
    params: id === undefined ? {} : { upload_id: id },
    underPermit: (work: () => Promise<unknown>) => work(),
    streamBody: () => body ?? Readable.from([]),
  } as unknown as TusCall;
}

async function begin(bytes: number): Promise<string> {
  const metadata = `filename ${btoa("a.wav")}`;
  const { status, headers } = await tus.create(
    call("POST", { "upload-length": String(bytes), "upload-metadata": metadata }),
  );
  expect(status).toBe(201);
  const location = String(headers?.location);
  expect(location).toMatch(/^https:\/\/shop\.example\/v1\/uploads\/upload_\d+$/);
  return location.slice(location.lastIndexOf("/") + 1);
}

const append = (id: string, offset: number, body: Readable, headers: Record<string, string> = {}) =>
  tus.append(call("PATCH", { "upload-offset": String(offset), "content-type": partType, ...headers }, { id, body }));
const offsetOf = async (id: string) => Number((await tus.offset(call("HEAD", {}, { id }))).headers?.["upload-offset"]);

test("a file arrives in parts, each at the end of the previous part", async () => {
  const id = await begin(10);
  expect(await append(id, 0, Readable.from([Buffer.from("hello")]))).toMatchObject({
    status: 204,
    headers: { "upload-offset": "5" },
  });
  expect(await offsetOf(id)).toBe(5);
  await append(id, 5, Readable.from([Buffer.from("world")]));
  expect(Buffer.concat(uploads.get(id)?.parts ?? []).toString()).toBe("helloworld");
});

test("a body at another offset is refused with 409, and not stored", async () => {
  const id = await begin(10);
  await expect(append(id, 3, Readable.from([Buffer.from("x")]))).rejects.toMatchObject({ status: 409 });
  expect(await offsetOf(id)).toBe(0);
});

test("the bytes that arrived before a body broke off are stored", async () => {
  const id = await begin(10);
  async function* brokenBody() {
    yield Buffer.from("hel");
    throw new Error("The connection is gone.");
  }
  await expect(append(id, 0, Readable.from(brokenBody()))).rejects.toThrow();
  expect(await offsetOf(id)).toBe(3);
});

test("a body with another checksum is refused with 460, and not stored", async () => {
  const id = await begin(10);
  const checksum = (text: string) => `sha1 ${createHash("sha1").update(text).digest("base64")}`;
  const body = () => Readable.from([Buffer.from("hello")]);
  const wrong = append(id, 0, body(), { "upload-checksum": checksum("hallo") });
  await expect(wrong).rejects.toMatchObject({ status: 460 });
  expect(await offsetOf(id)).toBe(0);
  expect((await append(id, 0, body(), { "upload-checksum": checksum("hello") })).status).toBe(204);
});

test("another version of the protocol is refused with 412, another type with 415", async () => {
  const id = await begin(10);
  const old = call("HEAD", { "tus-resumable": "0.2.2" }, { id });
  await expect(tus.offset(old)).rejects.toMatchObject({ status: 412, headers: { "tus-version": "1.0.0" } });
  await expect(append(id, 0, Readable.from([]), { "content-type": "text/plain" })).rejects.toMatchObject({
    status: 415,
  });
});

test("a deleted upload no longer exists", async () => {
  const id = await begin(10);
  expect((await tus.terminate(call("DELETE", {}, { id }))).status).toBe(204);
  expect(uploads.has(id)).toBe(false);
});

test("an owner may send a limited number of requests at once, independent of other owners", async () => {
  const oldOffset = (userId: number) =>
    tus.offset({ ...call("HEAD", { "tus-resumable": "0.2.2" }, { id: "upload_0" }), caller: { userId } } as never);
  for (let part = 0; part < partRate.burst; part++) await expect(oldOffset(2)).rejects.toMatchObject({ status: 412 });
  await expect(oldOffset(2)).rejects.toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  await expect(oldOffset(3)).rejects.toMatchObject({ status: 412 });
  clock.advance(1_000);
  await expect(oldOffset(2)).rejects.toMatchObject({ status: 412 });
});
