import { tmpdir } from "node:os";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { testDatabase } from "../../test/harness/database/database.ts";
import { diskFolders, StorageWatch } from "./storage.ts";

const gigabyte = 1_000_000_000;
const { query: db } = await testDatabase();
const log = { warn: () => {} };

it("the watch shows the size of every table, and the disk of the data folder", async () => {
  const registry = new Registry();
  const storage = new StorageWatch({ db, folders: { data: tmpdir() }, log });
  storage.register(registry);
  expect(await registry.metrics()).not.toMatch(/^beatmarket/m);
  await storage.measure();
  const metricsText = await registry.metrics();
  for (const table of ["orders", "webhook_attempts", "audit_entries", "request_log_blocks"])
    expect(metricsText).toMatch(new RegExp(`^beatmarket_table_bytes\\{table="${table}"\\} [1-9]\\d+$`, "m"));
  expect(metricsText).toMatch(/^beatmarket_disk_bytes\{disk="data",kind="free"\} \d+$/m);
  expect(metricsText).toMatch(/^beatmarket_disk_bytes\{disk="data",kind="total"\} [1-9]\d+$/m);
});

it("the watch shows the number and the size of objects, and the number of pending deletions", async () => {
  const registry = new Registry();
  const storage = new StorageWatch({ db, folders: { data: tmpdir() }, log });
  storage.register(registry);
  const values = ["a", "b"].map((letter) => ({
    sha256: letter.repeat(64),
    bytes: 2_147_483_648,
    state: "stored",
    touched_at: new Date(),
  }));
  await db.insertInto("stored_objects").values(values).execute();
  const leased_until = new Date();
  await db
    .insertInto("object_deletions")
    .values({ sha256: "c".repeat(64), leased_until })
    .execute();
  await storage.measure();
  const metricsText = await registry.metrics();
  expect(metricsText).toMatch(/^beatmarket_objects\{state="stored"\} 2$/m);
  expect(metricsText).toMatch(/^beatmarket_object_bytes\{state="stored"\} 4294967296$/m);
  expect(metricsText).toMatch(/^beatmarket_object_deletions 1$/m);
});

it("no disk is shown for a folder that does not exist", async () => {
  const registry = new Registry();
  const storage = new StorageWatch({ db, folders: { data: "/nonexistent" }, log });
  storage.register(registry);
  await storage.measure();
  expect(await registry.metrics()).not.toMatch(/^beatmarket_disk_bytes/m);
});

it("the watch warns once below 10 %, once below 2 %, and again after the disk had more than 10 % free", async () => {
  const warnings: number[] = [];
  let freeBytes = 0;
  const storage = new StorageWatch({
    db,
    folders: { data: "/data" },
    log: { warn: () => void warnings.push(freeBytes) },
    readDisk: async () => ({ freeBytes, totalBytes: 100 * gigabyte }),
  });
  for (freeBytes of [11, 9.9, 9, 1.9, 1.8, 5, 11, 9.5].map((gigabytes) => gigabytes * gigabyte))
    await storage.measure();
  expect(warnings).toEqual([9.9, 1.9, 9.5].map((gigabytes) => gigabytes * gigabyte));
});

it("the disks of folders in the settings are shown and watched separately", async () => {
  const place = (folder: string, isNamed = true) => ({ folder, isNamed });
  const backup = { vault: place("/vault"), key: undefined, keyPrevious: undefined, keepDays: 7 };
  const folders = diskFolders({ dataDir: "/data", storage: place("/storage"), backup });
  expect(folders).toEqual({ data: "/data", storage: "/storage", vault: "/vault" });
  const unnamed = { dataDir: "/data", storage: place("/data/objects", false), backup: { ...backup, vault: null } };
  expect(diskFolders(unnamed)).toEqual({ data: "/data" });

  const warnings: string[] = [];
  const free: Record<string, number> = { "/data": 50, "/storage": 5, "/vault": 1 };
  const storage = new StorageWatch({
    db,
    folders,
    log: { warn: (_: unknown, text?: string) => void warnings.push(String(text)) },
    readDisk: async (path) => ({ freeBytes: (free[path] ?? 0) * gigabyte, totalBytes: 100 * gigabyte }),
  });
  const registry = new Registry();
  storage.register(registry);
  await storage.measure();
  await storage.measure();
  const metricsText = await registry.metrics();
  expect(metricsText).toContain('beatmarket_disk_bytes{disk="storage",kind="free"} 5000000000');
  expect(metricsText).toContain('beatmarket_disk_bytes{disk="vault",kind="total"} 100000000000');
  expect(warnings).toEqual([
    "the disk of STORAGE_URL is nearly full; make room, or uploads will fail",
    "the disk of BACKUP_VAULT is nearly full; make room, or backups will fail",
  ]);
});
