import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Files } from "@beatmarket/storage/files.ts";
import { openFiles } from "@beatmarket/storage/open-storage.ts";
import { placeOf } from "@beatmarket/storage/places.ts";
import { startS3Server } from "@beatmarket/storage/testing/s3-server.ts";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { SharedSnapshots, type SharedSnapshotsParts } from "./shared-snapshots.ts";
import { readSnapshot, type SnapshotOwner, UnusableSnapshot, writeSnapshot } from "./worker/snapshot-file.ts";

const s3 = await startS3Server();
for (const [name, value] of Object.entries(s3.credentials)) vi.stubEnv(name, value);
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
});

const owner: SnapshotOwner = { program: "release", cluster: "7", database: "16384" };
const hourMs = 3_600_000;

interface Place {
  files: Files;
  /** The folder with the files, by key. */
  folder: string;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-shared-snapshots-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function folderPlace(): Promise<Place> {
  const folder = await newFolder();
  return { files: await openFiles({ folder, isNamed: true }, "STORAGE_URL"), folder };
}

let prefixCount = 0;
async function bucketPlace(): Promise<Place> {
  const prefix = `place-${++prefixCount}`;
  const settings = placeOf("STORAGE_URL", s3.storageUrl(prefix));
  return { files: await openFiles(settings, "STORAGE_URL"), folder: join(s3.folder, prefix) };
}

interface WrittenSnapshot {
  position: number;
  /** The number of bytes in its array. */
  bytes?: number;
  owner?: SnapshotOwner;
}

/** An instance with a folder of its own. */
async function instance(files: Files, parts: Partial<SharedSnapshotsParts> = {}) {
  const file = join(await newFolder(), "catalogue-index/snapshot");
  const logged: string[] = [];
  const log = (text: unknown) => logged.push(String(text));
  const shared = new SharedSnapshots({
    files,
    file,
    lock: { take: async () => true, close: () => {} },
    minAgeMs: 0,
    log: { info: log, warn: log } as never,
    ...parts,
  });
  const write = ({ position, bytes = 1_000, owner: snapshotOwner = owner }: WrittenSnapshot) =>
    writeSnapshot(file, snapshotOwner, {
      place: { position, rowId: 1, changedAt: "2026-11-22 10:00:00.123456+00", count: 1 },
      madeAtMs: 1_795_000_000_000,
      arrays: { bytes: new Uint8Array(bytes).fill(position) },
    });
  const store = async (written: WrittenSnapshot) => {
    await write(written);
    shared.offer();
    await shared.settled();
  };
  return { shared, file, logged, write, store, read: () => readSnapshot(file, owner) };
}

const keysIn = async ({ files }: Place): Promise<string[]> =>
  (await Array.fromAsync(files.list(""))).map(({ key }) => key);

/** The stored snapshot of a position, and its file. */
async function storedSnapshot(place: Place, position: number): Promise<{ key: string; file: string }> {
  const key = (await keysIn(place)).find((each) => each.includes(`/${String(position).padStart(16, "0")}-`)) ?? "";
  return { key, file: join(place.folder, key) };
}

/** Makes a stored snapshot older. */
async function age(place: Place, position: number, ageMs: number): Promise<void> {
  const time = new Date(Date.now() - ageMs);
  await utimes((await storedSnapshot(place, position)).file, time, time);
}

describe.each([
  ["a folder", folderPlace],
  ["a bucket", bucketPlace],
])("in %s", (_, newPlace) => {
  test("an instance without a snapshot takes that of another one, byte for byte", async () => {
    const place = await newPlace();
    const first = await instance(place.files);
    // More than one part of an upload to a bucket.
    await first.store({ position: 12, bytes: 9_000_000 });
    const second = await instance(place.files);
    expect(await second.shared.fetch(owner)).toBe(true);
    expect(await readFile(second.file)).toEqual(await readFile(first.file));
    expect(await readdir(join(second.file, ".."))).toEqual(["snapshot"]);
    expect(second.logged).toEqual([
      expect.stringMatching(/^took the snapshot catalogue-index\/7-16384\/release\/0+12-/),
    ]);
  });

  test("without snapshots there is nothing to take", async () => {
    const { files } = await newPlace();
    const { shared, logged, read } = await instance(files);
    expect(await shared.fetch(owner)).toBe(false);
    expect(read()).toBeNull();
    expect(logged).toEqual([`${files.place} has no snapshot for this start`]);
  });

  test("a damaged snapshot is refused with its reason, and the previous one is taken", async () => {
    const place = await newPlace();
    const writer = await instance(place.files);
    await writer.store({ position: 1 });
    await age(place, 1, hourMs);
    await writer.store({ position: 2 });
    const newest = await storedSnapshot(place, 2);
    const completeFile = await readFile(newest.file);
    const damages = [
      ["cut off", completeFile.subarray(0, -100)],
      ["empty", Buffer.alloc(0)],
      ["of another form", Buffer.from("beatmarket index 2\n{}")],
      ["with a changed header", flipByte(completeFile, 30)],
    ] as const;
    for (const [name, bytes] of damages) {
      await writeFile(newest.file, bytes);
      const reader = await instance(place.files);
      expect(await reader.shared.fetch(owner), name).toBe(true);
      expect(reader.read()?.place.position, name).toBe(1);
      expect(reader.logged[0], name).toMatch(/^the snapshot .*0002-[0-9a-f]{8} of .* is not used, since it is /);
    }
  });
});

test("after damage that only the reader finds, the next call takes the previous snapshot, and then none is left", async () => {
  const place = await folderPlace();
  const writer = await instance(place.files);
  await writer.store({ position: 1 });
  await age(place, 1, hourMs);
  await writer.store({ position: 2 });
  const { file } = await storedSnapshot(place, 2);
  const completeFile = await readFile(file);
  await writeFile(file, flipByte(completeFile, completeFile.length - 100));
  const { shared, read, logged } = await instance(place.files);
  expect(await shared.fetch(owner)).toBe(true);
  expect(read).toThrow(new UnusableSnapshot("its checksum is wrong"));
  expect(await shared.fetch(owner)).toBe(true);
  expect(read()?.place.position).toBe(1);
  expect(await shared.fetch(owner)).toBe(false);
  expect(logged.at(-1)).toMatch(/has no snapshot for this start: its snapshots are of other releases, or not usable$/);
});

test("an instance that refused snapshots replaces them, however new they are", async () => {
  const place = await folderPlace();
  const writer = await instance(place.files);
  await writer.store({ position: 2 });
  await truncate((await storedSnapshot(place, 2)).file, 50);
  const reader = await instance(place.files, { minAgeMs: hourMs });
  expect(await reader.shared.fetch(owner)).toBe(false);
  await reader.store({ position: 3 });
  expect(await keysIn(place)).toEqual([(await storedSnapshot(place, 3)).key]);
});

test.each([
  ["database", { ...owner, database: "16385" }, "of another database"],
  ["PostgreSQL server", { ...owner, cluster: "8" }, "of another database"],
  ["release", { ...owner, program: "next" }, "of other releases, or not usable"],
])("snapshots of another %s are not taken", async (_, change, reason) => {
  const place = await folderPlace();
  await (await instance(place.files)).store({ position: 1, owner: change });
  const { shared, logged } = await instance(place.files);
  expect(await shared.fetch(owner)).toBe(false);
  expect(logged).toEqual([expect.stringContaining(reason)]);
});

test("a snapshot under the name of another owner is refused", async () => {
  const place = await folderPlace();
  await (await instance(place.files)).store({ position: 1, owner: { ...owner, database: "16385" } });
  const { key, file } = await storedSnapshot(place, 1);
  await place.files.put(key.replace("16385", "16384"), Readable.from([await readFile(file)]));
  const { shared, logged } = await instance(place.files);
  expect(await shared.fetch(owner)).toBe(false);
  expect(logged[0]).toMatch(/is not used, since it is cut off or damaged$/);
});

test("two snapshots of a release are kept, and those of other releases for a week", async () => {
  const place = await folderPlace();
  const { store } = await instance(place.files);
  await store({ position: 1, owner: { ...owner, program: "old" } });
  await age(place, 1, 8 * 24 * hourMs);
  await store({ position: 2, owner: { ...owner, program: "last" } });
  expect(await keysIn(place)).toHaveLength(1);
  for (const position of [3, 4, 5]) {
    await store({ position });
    await age(place, position, hourMs - position);
  }
  expect(await keysIn(place)).toEqual([
    expect.stringMatching(/\/last\/0+2-/),
    expect.stringMatching(/\/release\/0+4-/),
    expect.stringMatching(/\/release\/0+5-/),
  ]);
});

test("a snapshot is stored once the stored one is old enough, sooner if the size has changed, and at shutdown", async () => {
  const place = await folderPlace();
  const minAgeMs = hourMs;
  const writer = await instance(place.files, { minAgeMs });
  await writer.store({ position: 1, bytes: 10_000 });
  await writer.store({ position: 2, bytes: 10_000 });
  expect(await keysIn(place)).toHaveLength(1);
  await age(place, 1, 2 * hourMs);
  await writer.store({ position: 3, bytes: 10_050 });
  expect(await keysIn(place)).toHaveLength(1);
  await writer.store({ position: 4, bytes: 10_500 });
  expect((await storedSnapshot(place, 4)).key).not.toBe("");
  await age(place, 4, 7 * hourMs);
  await writer.store({ position: 5, bytes: 10_500 });
  expect((await storedSnapshot(place, 5)).key).not.toBe("");
  await age(place, 5, 2 * hourMs);
  await writer.store({ position: 6, bytes: 10_500 });
  expect((await storedSnapshot(place, 6)).key).toBe("");
  await writer.shared.close();
  expect((await storedSnapshot(place, 6)).key).not.toBe("");
});

test("a snapshot that is stored already is not stored again", async () => {
  const place = await folderPlace();
  const first = await instance(place.files);
  await first.store({ position: 1 });
  await age(place, 1, hourMs);
  const { putAt } = (await place.files.head((await storedSnapshot(place, 1)).key)) ?? {};
  const second = await instance(place.files);
  await second.shared.fetch(owner);
  second.shared.offer();
  await second.shared.close();
  expect((await place.files.head((await storedSnapshot(place, 1)).key))?.putAt).toEqual(putAt);
});

test("while another instance has the lock, and while the database does not respond, nothing is stored", async () => {
  const place = await folderPlace();
  for (const take of [async () => false, () => Promise.reject(new Error("no database"))]) {
    const { store } = await instance(place.files, { lock: { take, close: () => {} } });
    await store({ position: 1 });
  }
  expect(await keysIn(place)).toEqual([]);
});

/** A storage of which some methods are replaced. */
const replacing = (files: Files, replaced: Partial<Files>): Files =>
  new Proxy(files, {
    get: (target, name) => {
      const value = Reflect.get(replaced, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

const never = () => new Promise<never>(() => {});
const endless = () =>
  Readable.from([Buffer.from("a part")]).compose(async function* (parts: AsyncIterable<Buffer>) {
    yield* parts;
    await never();
  }) as unknown as Readable;

test.each<[string, Partial<Files>, RegExp]>([
  ["fails", { list: () => Readable.from(failing()) as never }, /no snapshot could be taken from .*: the disk is gone/],
  ["does not list", { list: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) }, /it does not respond/],
  ["does not respond", { get: never }, /it does not respond/],
  ["stops in the middle", { get: async () => endless() }, /it sent only 0.0 MB in 0.02 s/],
])("a storage that %s does not hold up the start", async (_, replaced, reason) => {
  const place = await folderPlace();
  await (await instance(place.files)).store({ position: 1 });
  const limits = { responseMs: 20, windowMs: 20 };
  const { shared, logged, file } = await instance(replacing(place.files, replaced), { limits });
  expect(await shared.fetch(owner)).toBe(false);
  expect(logged).toEqual([expect.stringMatching(reason)]);
  expect(await readdir(join(file, "../..")).then((names) => names.includes("snapshot"))).toBe(false);
});

test("a download ends when the server stops", async () => {
  const place = await folderPlace();
  await (await instance(place.files)).store({ position: 1 });
  const opening = Promise.withResolvers<void>();
  const get = async () => {
    opening.resolve();
    return endless();
  };
  const { shared } = await instance(replacing(place.files, { get }));
  const fetching = shared.fetch(owner);
  await opening.promise;
  shared.stopFetching();
  expect(await fetching).toBe(false);
});

test("a storage that refuses a snapshot is logged, and one that hangs does not delay the shutdown", async () => {
  const place = await folderPlace();
  const failed = await instance(replacing(place.files, { put: () => Promise.reject(new Error("no room")) }));
  await failed.store({ position: 1 });
  expect(failed.logged).toEqual([expect.stringMatching(/^the snapshot could not be stored in .*: no room; going on/)]);
  expect(failed.shared.failedUploads).toBe(1);
  const hanging = await instance(replacing(place.files, { put: never }), { limits: { closeMs: 20 } });
  await hanging.write({ position: 1 });
  hanging.shared.offer();
  await hanging.shared.close();
  expect(hanging.logged).toEqual([]);
  expect(hanging.shared.failedUploads).toBe(0);
});

test("if the file to upload is damaged, the log names the file and not the storage", async () => {
  const place = await folderPlace();
  const { shared, file, logged, write } = await instance(place.files);
  await write({ position: 1 });
  await writeFile(file, "damaged");
  shared.offer();
  await shared.settled();
  expect(logged).toEqual([expect.stringContaining(`: ${file} could not be read: it is`)]);
  expect(shared.failedUploads).toBe(0);
});

test("if the data folder cannot be written, the log names the file and not the storage", async () => {
  const place = await folderPlace();
  await (await instance(place.files)).store({ position: 1 });
  const fileAsFolder = join(await newFolder(), "data");
  await writeFile(fileAsFolder, "");
  const file = join(fileAsFolder, "catalogue-index/snapshot");
  const next = await instance(place.files, { file });
  expect(await next.shared.fetch(owner)).toBe(false);
  expect(next.logged).toEqual([expect.stringContaining(`: ${file} could not be written: E`)]);
});

function flipByte(bytes: Buffer, index: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[index] = (copy[index] as number) ^ 0x10;
  return copy;
}

async function* failing(): AsyncGenerator<never> {
  yield await Promise.reject(new Error("the disk is gone"));
}
