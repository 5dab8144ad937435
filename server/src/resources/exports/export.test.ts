import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { draftSuffix, Export, fileNameOf, parseFileName, tagOf } from "./export.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-export-"));
afterAll(() => rm(folder, { recursive: true }));

let position = 0;
const incompleteExport = (): Export =>
  new Export(
    folder,
    { position: ++position, form: "reference", fingerprint: "0123456789" },
    { takenAtMs: 0, bytes: 0, isComplete: false },
  );
const text = Buffer.from("x".repeat(100_000) + "y".repeat(100_000));

test("a reader of an incomplete export gets new bytes as they are written, and ends with the complete file", async () => {
  const file = incompleteExport();
  await writeFile(file.path + draftSuffix, text.subarray(0, 150_000));
  file.grow(70_000, false);
  const early = await file.read(null);
  const chunks = early[Symbol.asyncIterator]();
  let readBytes = 0;
  while (readBytes < 70_000) readBytes += (await chunks.next()).value.length;
  const more = chunks.next();
  file.grow(150_000, false);
  expect((await more).value.length).toBeGreaterThan(0);
  early.destroy();

  const completeFile = buffer(await file.read(null));
  await appendFile(file.path + draftSuffix, text.subarray(150_000));
  await rename(file.path + draftSuffix, file.path);
  const late = buffer(await file.read(null));
  file.grow(text.length, true);
  expect(await completeFile).toEqual(text);
  expect(await late).toEqual(text);
  expect(await buffer(await file.read({ first: 99_999, last: 100_000 }))).toEqual(Buffer.from("xy"));
  expect(file.isBeingRead).toBe(false);
});

test("readers of an export that fails get its error, not the end of the file", async () => {
  const file = incompleteExport();
  await writeFile(file.path + draftSuffix, text);
  file.grow(1_000, false);
  const readers = await Promise.all([file.read(null), file.read(null)]);
  const ends = readers.map((reader) => buffer(reader));
  file.fail(new Error("The disk is full."));
  for (const end of ends) await expect(end).rejects.toThrow("The disk is full.");
  await expect(buffer(await file.read(null))).rejects.toThrow("The disk is full.");
});

test("a reader holds at most two slices of the file in memory, and fails when `endReaders` ends it", async () => {
  const file = incompleteExport();
  await writeFile(file.path, Buffer.alloc(20_000_000));
  file.grow(20_000_000, true);
  const readers = await Promise.all(Array.from({ length: 200 }, () => file.read(null)));
  for (const reader of readers) reader.read(0);
  await Promise.all(readers.map((reader) => new Promise((resolve) => reader.once("readable", resolve))));
  expect(Math.max(...readers.map(({ readableLength }) => readableLength))).toBeLessThanOrEqual(2 * 65_536);
  file.endReaders();
  await Promise.all(readers.map((reader) => new Promise((resolve) => reader.once("error", resolve))));
});

test("a file's name has the position, form and fingerprint of the export", () => {
  const name = { position: 12, form: "console", fingerprint: "89abcdef01" } as const;
  expect(parseFileName(fileNameOf(tagOf(name)))).toEqual(name);
  expect(parseFileName(fileNameOf(tagOf(name)) + draftSuffix)).toEqual(name);
  for (const other of ["beats.ndjson.gz", "beats-1-plain-0123456789.ndjson.gz", ".DS_Store"])
    expect(parseFileName(other)).toBeNull();
});
