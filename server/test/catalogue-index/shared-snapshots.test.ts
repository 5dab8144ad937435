import { mkdtempSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CatalogueIndex, snapshotsLockName } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { SessionLock } from "@beatmarket/postgres/connection/session-lock.ts";
import type { Files } from "@beatmarket/storage/files.ts";
import { openFiles } from "@beatmarket/storage/open-storage.ts";
import { placeOf } from "@beatmarket/storage/places.ts";
import { startS3Server } from "@beatmarket/storage/testing/s3-server.ts";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { testDatabase } from "../harness/database/database.ts";

// Instances that start from another instance's snapshot, on a real PostgreSQL.

const s3 = await startS3Server();
for (const [name, value] of Object.entries(s3.credentials)) vi.stubEnv(name, value);
const folders: string[] = [];
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "beatmarket-shared-index-"));
  folders.push(folder);
  return folder;
}

const database = await testDatabase();
const ids = await insertBeats(
  database,
  Array.from({ length: 40 }, (_, n) => ({ title: `Beat ${n}`, priceCents: 1_000 + n })),
);
const snapshots = { fromBeats: 1, minAgeMs: 3_600_000 };
const cheapest = { filters: {}, sort: "price_asc", offset: 0, limit: 1 } as const;

const folderFiles = (folder: string): Promise<Files> => openFiles({ folder, isNamed: true }, "STORAGE_URL");

/** Starts an instance with an empty folder of its own. It is closed at the end of the test. */
async function startInstance(sharedFiles: Files, address = database.address) {
  const logLines: string[] = [];
  const log = (...parameters: unknown[]) => logLines.push(String(parameters.at(-1)));
  const index = await CatalogueIndex.open({
    address,
    session: { applicationName: "beatmarket index", lastMigration: 1 },
    catalogue: { current: 1, isFollowed: true },
    dataDir: newFolder(),
    sharedFiles,
    log: { info: log, warn: log, error: log } as never,
    buildWaitMs: 60_000,
    snapshots,
  });
  onTestFinished(() => index.close());
  return { index, logged: logLines };
}

const storedIn = async (files: Files) => Array.fromAsync(files.list("catalogue-index/"));

test.each([
  ["a folder", () => folderFiles(newFolder())],
  ["a bucket", () => openFiles(placeOf("STORAGE_URL", s3.storageUrl("shared")), "STORAGE_URL")],
])("a new instance takes another instance's snapshot from %s, and applies the later changes", async (_, open) => {
  const files = await open();
  const { index: first } = await startInstance(files);
  expect(first.state.builds).toBe(1);
  await first.close();
  await database.driver`update beats set price_cents = 3 where id = ${ids[11]}`;
  onTestFinished(async () => {
    await database.driver`update beats set price_cents = 1011 where id = ${ids[11]}`;
  });
  const { index: second, logged: logLines } = await startInstance(files);
  expect(await second.list(cheapest)).toMatchObject({ ids: [ids[11], ids[0]], total: 40 });
  expect(second.state).toMatchObject({ builds: 0, snapshotAgeSeconds: expect.any(Number) });
  expect(logLines).toContainEqual(expect.stringMatching(/^took the snapshot catalogue-index\//));
  expect(logLines).toContainEqual(expect.stringMatching(/40 beats of its snapshot and applied \d+ later changes/));
});

test("a running instance stores its snapshot, too", async () => {
  const files = await folderFiles(newFolder());
  await startInstance(files);
  await expect.poll(async () => (await storedIn(files)).length).toBe(1);
});

test("one instance at a time stores a snapshot: the one that has the lock", async () => {
  const files = await folderFiles(newFolder());
  const other = new SessionLock(database.address, {}, snapshotsLockName);
  onTestFinished(() => other.close());
  expect(await other.take()).toBe(true);
  const { index } = await startInstance(files);
  await index.close();
  expect(await storedIn(files)).toEqual([]);
});

test("a snapshot with a changed byte is refused with its reason, and the index is built from the rows", async () => {
  const folder = newFolder();
  const files = await folderFiles(folder);
  await (await startInstance(files)).index.close();
  const [{ key } = { key: "" }] = await storedIn(files);
  const bytes = await readFile(join(folder, key));
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] as number) ^ 1;
  await writeFile(join(folder, key), bytes);
  const { index, logged: logLines } = await startInstance(files);
  expect((await index.list(cheapest)).total).toBe(40);
  expect(index.state.builds).toBe(1);
  expect(logLines).toContainEqual(expect.stringMatching(/snapshot .* is not used, since its checksum is wrong/));
  expect(logLines).toContainEqual(expect.stringMatching(/has no snapshot for this start: .* not usable/));
});

test("a snapshot whose later changes are no longer kept is refused with its reason", async () => {
  const separateDatabase = await testDatabase();
  await insertBeats(separateDatabase, [{ title: "Beat" }]);
  const files = await folderFiles(newFolder());
  await (await startInstance(files, separateDatabase.address)).index.close();
  await separateDatabase.driver`update beats set title = 'Other'`;
  await separateDatabase.driver`delete from catalogue_changes where position < (select max(position) from catalogue_changes)`;
  const { index, logged: logLines } = await startInstance(files, separateDatabase.address);
  expect((await index.list(cheapest)).total).toBe(1);
  expect(index.state.builds).toBe(1);
  expect(logLines).toContainEqual(
    expect.stringMatching(/is not used, since the changes from position .* are no longer kept/),
  );
});

test("a storage that is out of reach is logged, and the index is built from the rows", async () => {
  const nowhere = placeOf("STORAGE_URL", "s3://beats?endpoint=http://127.0.0.1:1&region=us-east-1&path_style=true");
  const { index, logged: logLines } = await startInstance(await openFiles(nowhere, "STORAGE_URL"));
  expect((await index.list(cheapest)).total).toBe(40);
  expect(logLines).toContainEqual(
    expect.stringMatching(/no snapshot could be taken from s3:.*nothing listens at its endpoint/),
  );
});

test("a service shares snapshots in the storage that STORAGE_URL names, and not in its own folder", async () => {
  const namedFolder = newFolder();
  const ownFolder = newFolder();
  for (const storageFolder of [namedFolder, undefined]) {
    const api = await testApi({
      database,
      dataDir: ownFolder,
      snapshots,
      ...(storageFolder !== undefined && { storageFolder }),
    });
    await api.app.close();
  }
  expect(await readdir(namedFolder)).toContain("catalogue-index");
  expect(await readdir(join(ownFolder, "catalogue-index"))).toEqual(["snapshot"]);
  expect(await readdir(join(ownFolder, "objects")).catch(() => [])).not.toContain("catalogue-index");
});
