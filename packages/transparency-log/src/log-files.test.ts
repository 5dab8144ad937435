import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { FolderFiles } from "@beatmarket/storage/folder-files.ts";
import { readAll } from "@beatmarket/storage/whole.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCheckpoint } from "./checkpoint.ts";
import { leafHash } from "./hashing.ts";
import { LogFiles } from "./log-files.ts";
import { LogFault, nodesOfEntries, nodesOfTiles, readEntries } from "./log-reader.ts";
import { openNote, parseVerifierKey, signNote, verifierKey } from "./note.ts";
import { decodeEntries, encodeEntries, entriesPath, isTilePath, tilePath } from "./tiles.ts";
import { inclusionProof, treeRoot } from "./tree.ts";
import { isIncluded } from "./verify.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const name = "shop.example/licenses/log";
const signers = [{ name, privateKey }];
const entries = Array.from({ length: 66_000 }, (_, n) => Buffer.from(`entry ${n}`));
let folder: string;
let log: LogFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transparency-log-"));
  log = new LogFiles(new FolderFiles(folder, "STORAGE_URL"), "log");
});
afterEach(() => rm(folder, { recursive: true }));

/** Files in memory: hundreds of synced files would take half a minute. */
function memoryFiles(): ConstructorParameters<typeof LogFiles>[0] {
  const contents = new Map<string, Buffer>();
  return {
    get: async (key) => {
      const content = contents.get(key);
      return content === undefined ? null : Readable.from([content]);
    },
    put: async (key, content) => {
      contents.set(key, await readAll(content));
    },
    delete: async (key) => {
      contents.delete(key);
    },
    async *list(prefix) {
      for (const key of [...contents.keys()].filter((each) => each.startsWith(prefix)))
        yield { key, bytes: 0, putAt: new Date(0) };
    },
  };
}

test("a log that grows in steps has the roots of the tree, in tiles of three levels", async () => {
  const log = new LogFiles(memoryFiles(), "log");
  const expected = nodesOfEntries(entries);
  let size = 0;
  for (const until of [1, 2, 255, 256, 257, 700, 65_536, 66_000]) {
    const published = await log.append(name, entries.slice(size, until), signers);
    size = until;
    expect(published.root).toEqual(await treeRoot(size, expected));
  }
  const note = (await log.read("checkpoint"))?.toString() ?? "";
  expect(openCheckpoint(note, { name, publicKey })).toEqual(await log.checkpoint());
  expect(await log.read(tilePath(2, 0, 1))).toHaveLength(32);
  const readTexts: string[] = [];
  for await (const entry of readEntries(65_530, size, log.read)) readTexts.push(entry.toString());
  expect(readTexts).toEqual(entries.slice(65_530).map(String));
  const nodes = nodesOfTiles(size, log.read);
  const root = await treeRoot(size, nodes);
  for (const index of [0, 255, 256, 65_535, 65_999]) {
    const proof = await inclusionProof(index, size, nodes);
    expect(isIncluded(leafHash(entries[index] as Buffer), index, size, proof, root)).toBe(true);
  }
});

describe("a copy", () => {
  /** Creates another log with these entries. */
  const logOf = async (...content: readonly Buffer[]) => {
    const log = new LogFiles(memoryFiles(), "log");
    await log.append(name, content, signers);
    return log;
  };

  test("gets the missing leaves and the checkpoint, and can be appended to", async () => {
    const source = await logOf(...entries.slice(0, 300));
    const copy = new LogFiles(memoryFiles(), "copy");
    await copy.copyFrom(async () => null);
    expect(await copy.checkpoint()).toBeNull();
    for (const until of [300, 310, 512, 3_000]) {
      const { size } = (await source.checkpoint()) ?? { size: 0 };
      await source.append(name, entries.slice(size, until), signers);
      await copy.copyFrom(source.read);
      expect(await copy.read("checkpoint")).toEqual(await source.read("checkpoint"));
      expect(await treeRoot(until, nodesOfTiles(until, copy.read))).toEqual((await source.checkpoint())?.root);
    }
    await source.addSignatures((await source.read("checkpoint"))?.toString() ?? "", "— witness AAAA\n");
    await copy.copyFrom(source.read);
    expect((await copy.read("checkpoint"))?.toString()).toContain("— witness AAAA");
    expect((await copy.append(name, entries.slice(3_000, 3_010), signers)).root).toEqual(
      await treeRoot(3_010, nodesOfEntries(entries.slice(0, 3_010))),
    );
  });

  test("keeps its own leaves if the other log is shorter", async () => {
    const copy = await logOf(...entries.slice(0, 300));
    const before = await copy.read("checkpoint");
    await copy.copyFrom((await logOf(...entries.slice(0, 290))).read);
    expect(await copy.read("checkpoint")).toEqual(before);
  });

  test.each([290, 300, 310])("refuses a fork of %i leaves, and stays unchanged", async (count) => {
    const copy = await logOf(...entries.slice(0, 300));
    const before = await copy.read("checkpoint");
    const fork = await logOf(...entries.slice(0, count).with(280, Buffer.from("another")));
    await expect(copy.copyFrom(fork.read)).rejects.toThrow("The log forked: its copies of");
    expect(await copy.read("checkpoint")).toEqual(before);
  });

  test("gets no checkpoint if a file is missing or differs", async () => {
    const source = await logOf(...entries.slice(0, 300));
    const copy = new LogFiles(memoryFiles(), "copy");
    const without = (path: string) =>
      source.read(path).then((file) => (path === "tile/entries/001.p/44" ? null : file));
    await expect(copy.copyFrom(without)).rejects.toThrow("The log has no file tile/entries/001.p/44.");
    const damaged = async (path: string) =>
      path === "tile/entries/000" ? encodeEntries(entries.slice(1, 257)) : source.read(path);
    await expect(copy.copyFrom(damaged)).rejects.toThrow("do not lead to its checkpoint");
    const truncated = async (path: string) => {
      const file = await source.read(path);
      return path === "tile/entries/001.p/44" ? (file?.subarray(0, -1) ?? null) : file;
    };
    await expect(copy.copyFrom(truncated)).rejects.toThrow(
      expect.objectContaining({ constructor: LogFault, message: "The bundle tile/entries/001.p/44 is damaged." }),
    );
    expect(await copy.checkpoint()).toBeNull();
    await copy.copyFrom(source.read);
    expect((await copy.checkpoint())?.size).toBe(300);
  });
});

test("an append writes the unpublished files of a killed append again", async () => {
  await log.append(name, entries.slice(0, 3), signers);
  const originalPut = FolderFiles.prototype.put;
  const failing = new FolderFiles(folder, "STORAGE_URL");
  failing.put = (key, content) =>
    key.endsWith("checkpoint") ? Promise.reject(new Error("killed")) : originalPut.call(failing, key, content);
  const killed = new LogFiles(failing, "log");
  await expect(killed.append(name, entries.slice(3, 300), signers)).rejects.toThrow("killed");
  expect((await log.checkpoint())?.size).toBe(3);
  const published = await log.append(name, entries.slice(3, 300), signers);
  expect(published.root).toEqual(await treeRoot(300, nodesOfEntries(entries.slice(0, 300))));
});

test("the error for a missing tile or bundle names the file", async () => {
  await expect(treeRoot(3, nodesOfTiles(3, log.read))).rejects.toThrow("The log has no file tile/0/000.p/3.");
  await expect(readEntries(0, 1, log.read).next()).rejects.toThrow("The log has no file tile/entries/000.p/1.");
});

test("files have the paths of tlog-tiles", () => {
  expect(tilePath(0, 1_234_067, 256)).toBe("tile/0/x001/x234/067");
  expect(entriesPath(5, 17)).toBe("tile/entries/005.p/17");
  for (const path of ["tile/0/x001/x234/067", "tile/entries/005.p/17", "tile/63/000"])
    expect(isTilePath(path)).toBe(true);
  for (const path of ["tile/64/000", "tile/0/1", "tile/0/000.p/256", "tile/0/000.p/0", "tile/0/../000", "checkpoint"])
    expect(isTilePath(path)).toBe(false);
});

test("a bundle that ends within an entry is refused", () => {
  expect(() => decodeEntries(Buffer.of(0, 3, 1))).toThrow("ends within an entry");
});

test("the note of Go's documentation is opened, and a changed note is not", () => {
  const verifier = parseVerifierKey("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
  expect(openNote(note, verifier)).toBe(text);
  expect(openNote(note.replace("answer", "question"), verifier)).toBeNull();
  expect(openNote(signNote(text, signers), verifier)).toBeNull();
  expect(openNote("no note", verifier)).toBeNull();
});

test("a formatted verifier key can be parsed; a damaged key is refused", () => {
  const key = verifierKey({ name, publicKey });
  expect(verifierKey(parseVerifierKey(key))).toBe(key);
  expect(() => parseVerifierKey(key.replace(/\+[0-9a-f]{8}/, "+00000000"))).toThrow("hash of the verifier key");
  expect(() => parseVerifierKey("shop")).toThrow("not a verifier key");
});

test("a partial tile is deleted when its full tile is written; a reader of an older checkpoint uses the full tile", async () => {
  const files = new FolderFiles(folder, "STORAGE_URL");
  let size = 0;
  for (const until of [3, 200, 255, 256, 600]) {
    await log.append(name, entries.slice(size, until), signers);
    size = until;
  }
  const paths: string[] = [];
  for await (const { key } of files.list("log/tile/")) paths.push(key);
  expect(paths.sort()).toEqual([
    "log/tile/0/000",
    "log/tile/0/001",
    "log/tile/0/002.p/88",
    "log/tile/1/000.p/1",
    "log/tile/1/000.p/2",
    "log/tile/entries/000",
    "log/tile/entries/001",
    "log/tile/entries/002.p/88",
  ]);
  const older = nodesOfTiles(200, log.read);
  expect(await treeRoot(200, older)).toEqual(await treeRoot(200, nodesOfEntries(entries)));
  const readTexts: string[] = [];
  for await (const entry of readEntries(190, 200, log.read)) readTexts.push(entry.toString());
  expect(readTexts).toEqual(entries.slice(190, 200).map(String));
});

test("a walk along a long log caches few tiles, and reads each tile once", async () => {
  const log = new LogFiles(memoryFiles(), "log");
  const { size } = await log.append(name, entries, signers);
  let readCount = 0;
  const nodes = nodesOfTiles(size, (path) => {
    readCount++;
    return log.read(path);
  });
  for (let index = 0; index < size; index += 64) await nodes(0, index);
  expect(readCount).toBe(Math.ceil(size / 256));
  await nodes(0, 0);
  expect(readCount).toBe(Math.ceil(size / 256) + 1);
});
