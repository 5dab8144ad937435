import { tmpdir } from "node:os";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { testDatabase } from "../../test/harness/database/database.ts";
import { StorageWatch } from "./storage.ts";

const gigabyte = 1_000_000_000;
const { query: db } = await testDatabase();
const log = { warn: () => {} };

it("shows the size of every table, and the disk of the data folder", async () => {
  const registry = new Registry();
  const storage = new StorageWatch({ db, dataDir: tmpdir(), log });
  storage.register(registry);
  expect(await registry.metrics()).not.toMatch(/^beatmarket/m);
  await storage.measure();
  const shown = await registry.metrics();
  for (const table of ["orders", "webhook_attempts", "audit_entries", "request_log_blocks"])
    expect(shown).toMatch(new RegExp(`^beatmarket_table_bytes\\{table="${table}"\\} [1-9]\\d+$`, "m"));
  expect(shown).toMatch(/^beatmarket_data_dir_bytes\{kind="free"\} \d+$/m);
  expect(shown).toMatch(/^beatmarket_data_dir_bytes\{kind="total"\} [1-9]\d+$/m);
});

it("shows the number and the size of the objects", async () => {
  const registry = new Registry();
  const storage = new StorageWatch({ db, dataDir: tmpdir(), log });
  storage.register(registry);
  const values = ["a", "b"].map((letter) => ({
    sha256: letter.repeat(64),
    bytes: 2_147_483_648,
    state: "stored",
    touched_at: new Date(),
  }));
  await db.insertInto("stored_objects").values(values).execute();
  await storage.measure();
  const shown = await registry.metrics();
  expect(shown).toMatch(/^beatmarket_objects\{state="stored"\} 2$/m);
  expect(shown).toMatch(/^beatmarket_object_bytes\{state="stored"\} 4294967296$/m);
});

it("a folder that does not exist has no disk to show", async () => {
  const registry = new Registry();
  const storage = new StorageWatch({ db, dataDir: "/nonexistent", log });
  storage.register(registry);
  await storage.measure();
  expect(await registry.metrics()).not.toMatch(/^beatmarket_data_dir/m);
});

it("warns once below 10 % or 1 GB, once below 2 % or 200 MB, and again after there was room", async () => {
  const warnings: number[] = [];
  let freeBytes = 0;
  const storage = new StorageWatch({
    db,
    dataDir: "/data",
    log: { warn: () => void warnings.push(freeBytes) },
    readDisk: async () => ({ freeBytes, totalBytes: 100 * gigabyte }),
  });
  for (freeBytes of [11, 9.9, 9, 1.9, 1.8, 5, 11, 9.5].map((gigabytes) => gigabytes * gigabyte))
    await storage.measure();
  expect(warnings).toEqual([9.9, 1.9, 9.5].map((gigabytes) => gigabytes * gigabyte));
});
