import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readSnapshot, type Snapshot, UnusableSnapshot, writeSnapshot } from "./snapshot-file.ts";

const folder = mkdtempSync(join(tmpdir(), "beatmarket-snapshot-"));
afterAll(() => rm(folder, { recursive: true }));

const file = join(folder, "index/snapshot");
const owner = { program: "p", cluster: "7", database: "16384" };
const snapshot: Snapshot = {
  place: { position: 12_000, rowId: 12, changedAt: "2026-11-22 10:00:00.123456+00", count: 3 },
  madeAtMs: 1_795_000_000_000,
  arrays: {
    ids: new Float64Array([1, 2 ** 53 - 1, -0.5]),
    keys: new Uint8Array([1, 2, 3]),
    genres: new Uint16Array([65_535]),
    slots: new Uint32Array([2 ** 32 - 1, 0]),
    none: new Uint32Array(),
  },
};

beforeEach(async () => {
  await rm(join(folder, "index"), { recursive: true, force: true });
  await writeSnapshot(file, owner, snapshot);
});

test("a snapshot is read as it was written, and only the account that wrote its file may open it", async () => {
  expect(readSnapshot(file, owner)).toEqual(snapshot);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(readSnapshot(join(folder, "none"), owner)).toBeNull();
});

test("a view of a part of an array is saved without the rest of the array", async () => {
  await writeSnapshot(file, owner, { ...snapshot, arrays: { part: new Uint32Array([1, 2, 3, 4]).subarray(1, 3) } });
  expect(readSnapshot(file, owner)?.arrays).toEqual({ part: new Uint32Array([2, 3]) });
});

test.each([
  ["program", "another release"],
  ["cluster", "another PostgreSQL server"],
  ["database", "another database"],
])("a snapshot of another %s is not used", (what, name) => {
  expect(() => readSnapshot(file, { ...owner, [what]: "other" })).toThrow(`it is of ${name}`);
});

test("a snapshot that is cut off anywhere is not used", async () => {
  const bytes = await readFile(file);
  for (let length = 0; length < bytes.length; length++) {
    await writeFile(file, bytes.subarray(0, length));
    expect(() => readSnapshot(file, owner), `${length} bytes`).toThrow(UnusableSnapshot);
  }
});

test("a snapshot with any byte changed is not used", async () => {
  const bytes = await readFile(file);
  for (let index = 0; index < bytes.length; index++) {
    const damaged = Buffer.from(bytes);
    damaged[index] = (damaged[index] as number) ^ 0x11;
    await writeFile(file, damaged);
    expect(() => readSnapshot(file, owner), `byte ${index}`).toThrow(UnusableSnapshot);
  }
});

test("a snapshot with more bytes after its end is not used", async () => {
  await writeFile(file, Buffer.concat([await readFile(file), Buffer.from([0])]));
  expect(() => readSnapshot(file, owner)).toThrow(UnusableSnapshot);
});

test("a file of a later release, or any other file, is not used", async () => {
  for (const text of ["beatmarket index 2\n{}", "", "x".repeat(5_000)]) {
    await writeFile(file, text);
    expect(() => readSnapshot(file, owner)).toThrow(UnusableSnapshot);
  }
});

test("a write that fails halfway leaves the previous snapshot, and nothing else", async () => {
  const check = () => {
    throw new Error("too slow");
  };
  await expect(writeSnapshot(file, owner, { ...snapshot, madeAtMs: 1 }, { check })).rejects.toThrow("too slow");
  expect(readSnapshot(file, owner)).toEqual(snapshot);
  expect(await readdir(join(folder, "index"))).toEqual(["snapshot"]);
});

test("the next snapshot removes the draft of a killed process", async () => {
  await writeFile(`${file}.0123456789ab.draft`, "half of it");
  await writeSnapshot(file, owner, { ...snapshot, madeAtMs: 2 });
  expect(readSnapshot(file, owner)?.madeAtMs).toBe(2);
  expect(await readdir(join(folder, "index"))).toEqual(["snapshot"]);
});

test("whenever its writer is killed, there is a complete snapshot", async () => {
  const writer = join(import.meta.dirname, "../../testing/snapshot-writer.main.ts");
  const owner = { program: "p", cluster: "c", database: "d" };
  for (let kill = 0; kill < 4; kill++) {
    const child = spawn(process.execPath, [writer, file], { stdio: ["ignore", "pipe", "inherit"] });
    const exitEvent = once(child, "exit");
    await once(child.stdout, "data");
    await sleep(Math.random() * 30);
    child.kill("SIGKILL");
    await exitEvent;
    const { madeAtMs, arrays } = readSnapshot(file, owner) as Snapshot;
    expect(arrays.bytes?.every((byte) => byte === madeAtMs % 256)).toBe(true);
    expect(arrays.numbers?.every((number) => number === madeAtMs)).toBe(true);
  }
});
