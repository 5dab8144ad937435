import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BackupStage, type Env, key } from "./backup-stage.ts";

const newKey = "the key after it, also of the operator's";
let stage: BackupStage;
beforeAll(async () => {
  stage = await BackupStage.open();
});
afterAll(() => stage.close());

const sealersOf = async (vault: string): Promise<string[]> => {
  const names = await readdir(join(vault, "keys"));
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(vault, "keys", name), "utf8")).sealed_by),
  );
};
const restoreGenres = async (env: Env): Promise<string[]> => {
  const dataDir = stage.fresh("restored");
  await stage.backupJson(["restore"], { ...env, DATA_DIR: dataDir });
  return stage.genresOf(dataDir);
};

test("after one backup with both the earlier and the new key, the new key opens old and new backups", async () => {
  const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
  const bothKeys = { BACKUP_VAULT: vault, BACKUP_KEY: newKey, BACKUP_KEY_PREVIOUS: key };
  const alone = { BACKUP_VAULT: vault, BACKUP_KEY: newKey };
  expect((await stage.backup(["list"], alone)).errors).toMatch(
    /to change it, set BACKUP_KEY_PREVIOUS to that key and BACKUP_KEY to the new one/,
  );
  // Commands that only read accept both keys, and change nothing.
  expect((await stage.backup(["verify"], bothKeys)).out).toMatch(/^All is well/);
  expect((await stage.backup(["verify"], env)).out).toMatch(/^All is well/);

  await stage.makeGenre("After the change");
  await stage.backupJson(["create"], bothKeys);
  const sealers = await sealersOf(vault);
  expect(sealers).toHaveLength(2);
  expect(new Set(sealers).size).toBe(1);
  expect((await stage.backup(["verify"], alone)).out).toMatch(/^All is well: 2 backups/);
  expect(await restoreGenres(alone)).toContain("After the change");
  const refusedList = await stage.backup(["list"], env);
  expect(refusedList.errors).toMatch(new RegExp(`is encrypted with the key ${sealers[0]}, and BACKUP_KEY is the key `));
});

test("the earlier key opens no data from after the change, even with the vault's earlier key files", async () => {
  const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
  const before = stage.fresh("vault");
  await cp(vault, before, { recursive: true });
  const createdBackup = await stage.backupJson<{ backup: { id: string } }>(["create"], {
    BACKUP_VAULT: vault,
    BACKUP_KEY: newKey,
    BACKUP_KEY_PREVIOUS: key,
  });
  const keyFiles = await readdir(join(before, "keys"));
  const [addedKey] = (await readdir(join(vault, "keys"))).filter((name) => !keyFiles.includes(name));
  await cp(before, vault, { recursive: true });
  await rm(join(vault, "keys", addedKey ?? ""));
  const { out } = await stage.backup(["verify", "--json"], env);
  expect(JSON.parse(out)).toMatchObject({
    backups: 1,
    findings: expect.arrayContaining([
      { file: `backups/${createdBackup.backup.id}/manifest`, fault: `its key keys/${addedKey} is missing or damaged` },
    ]),
  });
});

test("a killed change of the key resumes with both keys, and needs both until it is complete", async () => {
  const vault = await stage.makeVault({ BACKUP_KEY: key });
  const bothKeys = { BACKUP_VAULT: vault, BACKUP_KEY: newKey, BACKUP_KEY_PREVIOUS: key };
  const before = await readFile(join(vault, "vault.json"));
  await stage.backupJson(["create"], bothKeys);
  // Restores the state of a change whose process was killed before it recorded the completion.
  await writeFile(join(vault, "vault.json"), before);
  expect((await stage.backup(["list"], { BACKUP_VAULT: vault, BACKUP_KEY: key })).errors).toMatch(
    /is sealed with the key [0-9a-f]{16}, which is neither BACKUP_KEY nor BACKUP_KEY_PREVIOUS/,
  );
  expect((await stage.backup(["verify"], bothKeys)).out).toMatch(/^All is well/);
  await stage.backupJson(["create"], bothKeys);
  expect((await stage.backup(["verify"], { BACKUP_VAULT: vault, BACKUP_KEY: newKey })).out).toMatch(/^All is well/);
});
