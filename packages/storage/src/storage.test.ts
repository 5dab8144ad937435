import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ListMultipartUploadsCommand, PutObjectCommand, S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startS3Server } from "../testing/s3-server.ts";
import { openStorage } from "./open-storage.ts";
import { placeOf } from "./places.ts";
import { objectKey, type Storage, type StorageUpkeep } from "./storage.ts";
import { hashFile } from "./stored-objects.ts";

const s3 = await startS3Server();
afterAll(() => s3.close());
const folder = await mkdtemp(join(tmpdir(), "beatmarket-storage-"));
afterAll(() => rm(folder, { recursive: true }));
let names = 0;

const open = (url: string): Promise<Storage & StorageUpkeep> => openStorage(placeOf("STORAGE_URL", url));

beforeEach(() => {
  for (const [name, value] of Object.entries(s3.credentials)) vi.stubEnv(name, value);
});

async function file(content: string | Buffer): Promise<{ path: string; sha256: string; bytes: number }> {
  const path = join(folder, `file-${names++}`);
  await writeFile(path, content);
  return { path, ...(await hashFile(path)) };
}

async function readText(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

const kinds = ["a folder", "a bucket"] as const;
/** Opens a new storage. Returns it with the folder that contains its files. */
async function openNew(kind: (typeof kinds)[number]) {
  const name = `storage-${names++}`;
  if (kind === "a folder") return { storage: await open(`file://${folder}/${name}`), root: join(folder, name) };
  return { storage: await open(s3.storageUrl(name)), root: join(s3.folder, name) };
}

describe.each(kinds)("%s", (kind) => {
  test("returns a stored file, completely and in part, and its size", async () => {
    const { storage } = await openNew(kind);
    const { path, sha256, bytes } = await file("0123456789");
    await storage.put(path, sha256, bytes);
    expect(await readText(await storage.get(sha256))).toBe("0123456789");
    expect(await readText(await storage.get(sha256, { first: 2, last: 4 }))).toBe("234");
    expect(await storage.head(sha256)).toEqual({ bytes: 10 });
  });

  test("has no object before a put and after a delete, and deletes twice without an error", async () => {
    const { storage } = await openNew(kind);
    const { path, sha256, bytes } = await file("gone");
    await expect(storage.get(sha256)).rejects.toMatchObject({ name: "ObjectNotFound", sha256 });
    expect(await storage.head(sha256)).toBeNull();
    await storage.put(path, sha256, bytes);
    await storage.delete(sha256);
    await storage.delete(sha256);
    await expect(storage.get(sha256)).rejects.toMatchObject({ name: "ObjectNotFound" });
  });

  test.each([0, 1, 8_388_608, 8_388_609, 20_000_000])("stores a file of %i bytes", async (size) => {
    const { storage } = await openNew(kind);
    const { path, sha256, bytes } = await file(Buffer.alloc(size, "beats and more "));
    await storage.put(path, sha256, bytes);
    const hash = createHash("sha256");
    for await (const chunk of await storage.get(sha256)) hash.update(chunk);
    expect(hash.digest("hex")).toBe(sha256);
    expect(await storage.head(sha256)).toEqual({ bytes: size });
  });

  test.each([
    ["shorter", 100, (path: string) => truncate(path, 50)],
    ["different", 100, (path: string) => writeFile(path, "x".repeat(100))],
    ["shorter, in parts", 9_000_000, (path: string) => truncate(path, 50)],
    ["different, in parts", 9_000_000, (path: string) => writeFile(path, "x".repeat(9_000_000))],
  ])("refuses a file that has become %s, and leaves neither an object nor a draft", async (_how, size, change) => {
    const { storage, root } = await openNew(kind);
    const { path, sha256, bytes } = await file(Buffer.alloc(size, "a"));
    await change(path);
    await expect(storage.put(path, sha256, bytes)).rejects.toMatchObject({ name: "WrongContent" });
    expect(await storage.head(sha256)).toBeNull();
    expect(await readdir(join(root, "drafts")).catch(() => [])).toEqual([]);
  });

  test("replaces a damaged object", async () => {
    const { storage, root } = await openNew(kind);
    const { path, sha256, bytes } = await file("whole");
    await storage.put(path, sha256, bytes);
    await writeFile(join(root, objectKey(sha256)), "h");
    await storage.put(path, sha256, bytes);
    expect(await readFile(join(root, objectKey(sha256)), "utf8")).toBe("whole");
  });

  test("lists its objects by hash, and ignores other files", async () => {
    const { storage, root } = await openNew(kind);
    const files = await Promise.all(["one", "two", "three"].map(file));
    for (const { path, sha256, bytes } of files) await storage.put(path, sha256, bytes);
    await storage.writeIdentity("it is me");
    for (const path of ["uploads/abc", "ab/cd/README", `ab/cd/${"f".repeat(64)}`]) {
      await mkdir(join(root, path, ".."), { recursive: true });
      await writeFile(join(root, path), "theirs");
    }
    expect(await Array.fromAsync(storage.list())).toEqual(
      files.map(({ sha256, bytes }) => ({ sha256, bytes })).sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)),
    );
  });

  test("has no identity until one is written", async () => {
    const { storage } = await openNew(kind);
    expect(await storage.readIdentity()).toBeNull();
    await storage.writeIdentity("first");
    await storage.writeIdentity("second");
    expect(await storage.readIdentity()).toBe("second");
  });

  test("passes its check, which leaves no files", async () => {
    const { storage, root } = await openNew(kind);
    await storage.check();
    await mkdir(root, { recursive: true }); // A bucket has no empty folders.
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toEqual([]);
  });
});

describe("a folder", () => {
  test("is readable only by this account", async () => {
    const { storage, root } = await openNew("a folder");
    const { path, sha256, bytes } = await file("private");
    await storage.put(path, sha256, bytes);
    const modes = await Promise.all([root, join(root, objectKey(sha256))].map((each) => stat(each)));
    expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0]);
  });

  test("has no links, so that the service sends the bytes", async () => {
    const { storage } = await openNew("a folder");
    const options = { expiresAt: new Date(), filename: "a", contentType: "audio/mpeg" };
    expect(await storage.link("a".repeat(64), options)).toBeNull();
  });

  test("deletes drafts from before a time, which killed puts left, and keeps later drafts", async () => {
    const { storage, root } = await openNew("a folder");
    await mkdir(join(root, "drafts"), { recursive: true });
    for (const name of ["old", "new"]) await writeFile(join(root, "drafts", name), "half");
    await utimes(join(root, "drafts/old"), 1_000, 1_000);
    await storage.deleteDrafts(new Date(2_000_000));
    expect(await readdir(join(root, "drafts"))).toEqual(["new"]);
  });

  test("that cannot be written is refused with a sentence", async () => {
    await writeFile(join(folder, "no-folder"), "");
    const storage = await open(`file://${folder}/no-folder`);
    await expect(storage.check()).rejects.toThrow(OperatorError);
    await expect(storage.check()).rejects.toThrow(
      /no-folder.*is a file, or below one\. Name a folder, or set STORAGE_URL/,
    );
  });
});

describe("a bucket", () => {
  const link = async (filename: string, expiresAt: Date) => {
    const { storage } = await openNew("a bucket");
    const { path, sha256, bytes } = await file("for sale");
    await storage.put(path, sha256, bytes);
    return (await storage.link(sha256, { expiresAt, filename, contentType: "audio/mpeg" })) ?? "";
  };
  const inAMinute = () => new Date(Date.now() + 60_000);

  test("creates links that set name and type, and support ranges", async () => {
    const url = await link("Żółć – 비트.mp3", inAMinute());
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="Zo_c _ __.mp3"; filename*=UTF-8''%C5%BB%C3%B3%C5%82%C4%87%20%E2%80%93%20%EB%B9%84%ED%8A%B8.mp3`,
    );
    expect(await response.text()).toBe("for sale");
    const part = await fetch(url, { headers: { range: "bytes=4-" } });
    expect([part.status, await part.text()]).toEqual([206, "sale"]);
  });

  test("rejects a link whose signature, expiry or file name was changed, and a URL without a signature", async () => {
    const url = await link("a.mp3", inAMinute());
    for (const changed of [
      url.replace(/X-Amz-Signature=./, (part) => part.replace(/.$/, (end) => (end === "0" ? "1" : "0"))),
      url.replace(/X-Amz-Expires=\d+/, "X-Amz-Expires=86400"),
      url.replace("a.mp3", "b.mp3"),
      url.replace(/\?.*/, ""),
    ])
      expect((await fetch(changed)).status).toBe(403);
  });

  test("refuses a link that has expired", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 120_000 });
    const url = await link("a.mp3", inAMinute()).finally(() => vi.useRealTimers());
    expect((await fetch(url)).status).toBe(403);
  });

  test("rejects a put whose bytes differ from their Content-MD5, as if they had changed in transit", async () => {
    const client = new S3Client({
      endpoint: s3.endpoint,
      region: "us-east-1",
      forcePathStyle: true,
      requestChecksumCalculation: "WHEN_REQUIRED",
    });
    const md5 = createHash("md5").update("sent").digest("base64");
    const command = new PutObjectCommand({ Bucket: s3.bucket, Key: "checked", Body: "came", ContentMD5: md5 });
    await expect(client.send(command)).rejects.toBeInstanceOf(S3ServiceException);
    client.destroy();
  });

  test("has no unfinished upload after a put that failed in the middle", async () => {
    const { storage } = await openNew("a bucket");
    const { path, sha256, bytes } = await file(Buffer.alloc(9_000_000, "a"));
    await writeFile(path, Buffer.alloc(9_000_000, "b"));
    await expect(storage.put(path, sha256, bytes)).rejects.toThrow();
    const client = new S3Client({ endpoint: s3.endpoint, region: "us-east-1", forcePathStyle: true });
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket }));
    expect(Uploads).toEqual([]);
    client.destroy();
  });

  test.each<[string, string, NodeJS.ProcessEnv]>([
    ["no bucket", `s3://nowhere?endpoint=${s3.endpoint}&region=us-east-1&path_style=true`, {}],
    ["AWS_SECRET_ACCESS_KEY", s3.storageUrl(), { AWS_SECRET_ACCESS_KEY: "wrong" }],
    ["AWS_ACCESS_KEY_ID", s3.storageUrl(), { AWS_ACCESS_KEY_ID: "wrong" }],
    ["region=", `s3://beats?endpoint=${s3.endpoint}&path_style=true`, {}],
    ["nothing listens", "s3://beats?endpoint=http://127.0.0.1:1&region=a&path_style=true", {}],
    ["there are no credentials", s3.storageUrl(), { AWS_ACCESS_KEY_ID: "", AWS_EC2_METADATA_DISABLED: "true" }],
  ])("that cannot be used is refused with a sentence: %s", async (sentence, url, env) => {
    for (const [name, value] of Object.entries({ ...env, HOME: folder, AWS_REGION: "" })) vi.stubEnv(name, value);
    const storage = await open(url);
    await expect(storage.check()).rejects.toThrow(OperatorError);
    await expect(storage.check()).rejects.toThrow(sentence);
    await expect(storage.check()).rejects.not.toThrow(/secret-of-the-test/);
  });
});
