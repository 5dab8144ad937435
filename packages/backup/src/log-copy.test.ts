import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderFiles } from "@beatmarket/storage/folder-files.ts";
import { LogFiles } from "@beatmarket/transparency-log/log-files.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { faultOfLogCopy, LogCopy } from "./log-copy.ts";
import { Vault } from "./vault/vault.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const origin = "shop.example/licenses/log";
const bundle = "log/tile/entries/000.p/3";

let folder: string;
let storage: { files: FolderFiles };
let vault: Vault;
let copy: LogCopy;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "log-copy-"));
  storage = { files: new FolderFiles(join(folder, "storage"), "STORAGE_URL") };
  vault = new Vault(new FolderFiles(join(folder, "vault"), "BACKUP_VAULT"), null);
  copy = new LogCopy(vault, storage, "log");
  const leaves = ["a", "b", "c"].map((leaf) => Buffer.from(leaf));
  await new LogFiles(storage.files, "log").append(origin, leaves, [{ name: origin, privateKey }]);
});
afterEach(() => rm(folder, { recursive: true }));

test("a log that the storage lost is restored", async () => {
  expect(await copy.ship()).toBeNull();
  expect(await faultOfLogCopy(vault)).toBeNull();
  await rm(join(folder, "storage"), { recursive: true });
  expect(await copy.restore()).toEqual({ leaves: 3, fault: null });
});

test("a damaged checkpoint in the storage is reported, and the restore continues", async () => {
  await copy.ship();
  await writeFile(join(folder, "storage/log/checkpoint"), "damaged");
  expect(await copy.restore()).toEqual({
    leaves: null,
    fault: "The log's file `checkpoint` is damaged; restore it from a witness or a backup.",
  });
});

test("a truncated bundle in the storage is reported", async () => {
  await truncate(join(folder, "storage", bundle), 1);
  expect(await copy.ship()).toBe("The bundle tile/entries/000.p/3 is damaged.");
});
