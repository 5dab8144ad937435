import { mkdtempSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openEngine } from "../engine/open-engine.ts";
import { openEarly, programDigest } from "./early-snapshot.ts";
import { writeSnapshot } from "./snapshot-file.ts";
import type { Query } from "./snapshot-reader.ts";
import { Snapshots } from "./snapshots.ts";

const folder = mkdtempSync(join(tmpdir(), "beatmarket-early-"));
afterAll(() => rm(folder, { recursive: true }));

const file = join(folder, "index/snapshot");
const owner = { program: programDigest(), cluster: "7", database: "16384" };
const place = { position: 12, rowId: 3, changedAt: "2026-11-22 10:00:00.123456+00", count: 3 };
const write = (by = owner) => writeSnapshot(file, by, { place, madeAtMs: 1, arrays: openEngine().save() });

beforeEach(async () => {
  await rm(join(folder, "index"), { recursive: true, force: true });
  await write();
});

/** Reads the snapshot as the thread does once it has a database of this identity. */
async function readFor(identity: { cluster: string; database: string }) {
  const warnings: string[] = [];
  const early = openEarly(file, openEngine);
  const snapshots = new Snapshots({
    options: { file, fromBeats: 1, minAgeMs: 1 },
    openEngine,
    early,
    warn: (text) => warnings.push(text),
  });
  const query = (async () => [identity]) as unknown as Query;
  return { early, warnings, read: () => snapshots.read(query) };
}

test("a snapshot that was opened early is used without reading its file again", async () => {
  const { early, warnings, read } = await readFor(owner);
  await rm(file);
  const snapshot = await read();
  expect(snapshot?.place).toEqual(place);
  expect(snapshot?.openEngine()).toBe(early?.engine);
  expect(warnings).toEqual([]);
});

test.each([
  ["another database", { database: "1" }],
  ["another PostgreSQL server", { cluster: "8" }],
])("a snapshot of %s is refused, although it was opened early", async (name, other) => {
  const { early, warnings, read } = await readFor({ ...owner, ...other });
  expect(early).not.toBeNull();
  expect(await read()).toBeNull();
  expect(warnings).toEqual([`the snapshot ${file} is not used, since it is of ${name}`]);
});

test("a snapshot of another release is not opened early, and refused later", async () => {
  await write({ ...owner, program: "other" });
  const { early, warnings, read } = await readFor(owner);
  expect(early).toBeNull();
  expect(await read()).toBeNull();
  expect(warnings).toEqual([`the snapshot ${file} is not used, since it is of another release`]);
});

test("a damaged snapshot is not opened early, and refused later with its reason", async () => {
  await writeFile(file, "x".repeat(100));
  const { early, warnings, read } = await readFor(owner);
  expect(early).toBeNull();
  expect(await read()).toBeNull();
  expect(warnings).toEqual([`the snapshot ${file} is not used, since it is of another release, or no snapshot`]);
});

test("a snapshot whose arrays the engine does not accept is not opened early", () => {
  const failing = () => {
    throw new Error("no such array");
  };
  expect(openEarly(file, failing)).toBeNull();
});

test("without a snapshot there is nothing to open", async () => {
  await rm(file);
  const { early, warnings, read } = await readFor(owner);
  expect(early).toBeNull();
  expect(await read()).toBeNull();
  expect(warnings).toEqual([]);
});
