import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Backup } from "@beatmarket/backup/backup-list.ts";
import { BackupKey } from "@beatmarket/backup/vault/backup-key.ts";
import { openSealed, sealed } from "@beatmarket/backup/vault/sealing.ts";
import { readAll } from "@beatmarket/storage/whole.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BackupStage, backupsOf, type Env, key, segmentsOf } from "./backup-stage.ts";

let stage: BackupStage;
beforeAll(async () => {
  stage = await BackupStage.open();
});
afterAll(() => stage.close());

async function* bytesOf(content: Buffer | string) {
  yield Buffer.from(content);
}

/** Writes a file of a vault like an attacker without the key: with valid checksums. */
async function forge(vault: string, name: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(join(vault, name)), { recursive: true });
  await writeFile(join(vault, name), await readAll(sealed(name, bytesOf(content), null)));
}

const readPlain = async (vault: string, name: string): Promise<string> =>
  (await readAll(openSealed(name, bytesOf(await readFile(join(vault, name))), null))).toString();

const restore = async (env: Env) => {
  const dataDir = stage.fresh("restored");
  return { dataDir, ...(await stage.backup(["restore", "--json"], { ...env, DATA_DIR: dataDir })) };
};

test("an encrypted vault refuses every file that was not encrypted with the vault's key", async () => {
  const unencryptedVault = await stage.vaultWithBackup();
  for (const forged of ["manifest", "segment", "data-dir", "archived"] as const) {
    const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
    const [id = ""] = await backupsOf(vault);
    const segment = (await segmentsOf(vault)).at(-1) ?? "";
    const names = {
      manifest: `backups/${id}/manifest`,
      segment,
      "data-dir": "data-dir",
      archived: `${dirname(segment)}/archived`,
    };
    const contents = {
      manifest: await readPlain(
        unencryptedVault.vault,
        `backups/${(await backupsOf(unencryptedVault.vault))[0]}/manifest`,
      ),
      segment: Buffer.alloc(16_777_216),
      "data-dir": JSON.stringify({ "secret-key": Buffer.from("theirs").toString("base64") }),
      archived: JSON.stringify({ until: "2090-01-01T00:00:00.000Z" }),
    };
    await forge(vault, names[forged], contents[forged]);
    const verification = await stage.backup(["verify", "--json"], env);
    expect(verification.status, forged).toBe(1);
    expect(JSON.parse(verification.out).findings, forged).toContainEqual({
      file: names[forged],
      fault: "it is not encrypted, as all of this vault is: it was not written with BACKUP_KEY",
    });
    const { status, dataDir } = await restore(env);
    expect(status, forged).toBe(1);
    expect(await readFile(join(dataDir, "secret-key"), "utf8").catch(() => "none"), forged).not.toBe("theirs");
  }
});

test("a manifest with a path outside of the new database is refused, and nothing is written elsewhere", async () => {
  const escapes = [
    "../escaped",
    "/escaped",
    "base/../../escaped",
    "base//escaped",
    ".",
    "a\\..\\..\\escaped",
    "a\0b",
    "tablespace_map",
  ];
  for (const path of escapes) {
    const { vault, env } = await stage.vaultWithBackup();
    const [id = ""] = await backupsOf(vault);
    const name = `backups/${id}/manifest`;
    const manifest = JSON.parse(await readPlain(vault, name)) as Backup;
    const [first] = manifest.database?.files ?? [];
    if (first !== undefined) first.path = path;
    await forge(vault, name, JSON.stringify(manifest));
    const { status, errors, dataDir } = await restore(env);
    expect(status, path).toBe(1);
    expect(errors, path).toMatch(/it names (a file outside of the database|tablespaces)/);
    expect(await readdir(dirname(dataDir))).not.toContain("escaped");
    if (path.includes("map")) continue;
    manifest.database?.files.shift();
    manifest.database?.folders.unshift(path);
    await forge(vault, name, JSON.stringify(manifest));
    expect((await restore(env)).errors, path).toMatch(/it names a file outside of the database/);
  }
});

test("packs of another backup, or in another order, are refused", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  const [id = ""] = await backupsOf(vault);
  const name = `backups/${id}/manifest`;
  for (const change of [
    ({ packs }: NonNullable<Backup["database"]>) => packs.reverse(),
    ({ packs }: NonNullable<Backup["database"]>) => Object.assign(packs[0] ?? {}, { name: "../../../etc/passwd" }),
  ]) {
    const manifest = JSON.parse(await readPlain(vault, name)) as Backup;
    if (manifest.database !== null) change(manifest.database);
    await forge(vault, name, JSON.stringify(manifest));
    expect((await restore(env)).errors).toMatch(/its packs belong to another backup, or are in another order/);
  }
  for (const content of ["no JSON", "null", "{}", '{"id":1}', JSON.stringify({ id, database: [] })]) {
    await forge(vault, name, content);
    expect(await stage.backup(["list"], env), content).toMatchObject({
      status: 0,
      out: expect.stringMatching(/damaged/),
    });
  }
});

test("secret files of DATA_DIR that are older than the backup are not restored", async () => {
  const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
  const before = await readFile(join(vault, "data-dir"));
  await stage.backupJson(["create"], env);
  await writeFile(join(vault, "data-dir"), before);
  const { status, out } = await restore(env);
  expect(status).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    files: [],
    files_fault: expect.stringMatching(/it is older than the backup/),
  });
});

test("files of another vault under the same key, with their keys, are refused", async () => {
  const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
  const other = await stage.makeVault({ BACKUP_KEY: key });
  const [otherBackup = ""] = await backupsOf(other);
  await cp(join(other, "keys"), join(vault, "keys"), { recursive: true });
  await cp(join(other, "backups", otherBackup), join(vault, "backups", otherBackup), { recursive: true });
  const backupList = await stage.backupJson<{ backups: unknown[]; damaged: { fault: string }[] }>(["list"], env);
  expect(backupList.backups).toHaveLength(1);
  expect(backupList.damaged).toEqual([
    expect.objectContaining({ fault: expect.stringMatching(/its key .* missing or damaged/) }),
  ]);
});

test("no other party can switch off the key in vault.json, or assign the vault to another database", async () => {
  const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
  const file = join(vault, "vault.json");
  const identity = JSON.parse(await readFile(file, "utf8"));
  for (const [change, message] of [
    [{ source: { ...identity.source, id: "1" } }, /was not written with BACKUP_KEY: someone changed it/],
    [{ id: "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c921" }, /was not written with BACKUP_KEY: someone changed it/],
    [{ mac: undefined }, /was not written with BACKUP_KEY: someone changed it/],
    [{ key_id: null }, /is not encrypted, and BACKUP_KEY is set/],
  ] as const) {
    await writeFile(file, JSON.stringify({ ...identity, ...change }));
    for (const command of ["list", "create"]) expect((await stage.backup([command], env)).errors).toMatch(message);
  }
});

test("a vault of an earlier release is readable, and the next backup binds it to its key", async () => {
  const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
  const master = new BackupKey(key);
  const { id, source, key_id } = JSON.parse(await readFile(join(vault, "vault.json"), "utf8"));
  for (const name of await readdir(join(vault, "keys"))) {
    const { made_at, sealed_by, sealed: text } = JSON.parse(await readFile(join(vault, "keys", name), "utf8"));
    const dataKey = master.open(name, text, JSON.stringify([id, name, made_at]));
    if (dataKey === null) throw new Error("The key is not bound as this test expects.");
    await writeFile(
      join(vault, "keys", name),
      JSON.stringify({ made_at, sealed_by, sealed: master.seal(dataKey, name) }),
    );
  }
  await writeFile(join(vault, "vault.json"), JSON.stringify({ format: 1, source, key_id }));
  const unbound = stage.fresh("keys");
  await cp(join(vault, "keys"), unbound, { recursive: true });
  expect((await stage.backup(["verify"], env)).out).toMatch(/^All is well: 1 backup/);
  expect((await restore(env)).status).toBe(0);

  await stage.backupJson(["create"], env);
  expect(JSON.parse(await readFile(join(vault, "vault.json"), "utf8"))).toMatchObject({ format: 2, source });
  const { backups, findings } = JSON.parse((await stage.backup(["verify", "--json"], env)).out);
  // No process archived the log between the two backups.
  const otherFindings = findings.filter(
    ({ fault }: { fault: string }) => !fault.includes("no later moment can be restored"),
  );
  expect({ backups, others: otherFindings }).toEqual({ backups: 2, others: [] });
  // The earlier key files, which were not bound to the vault, can decrypt nothing any more.
  await rm(join(vault, "keys"), { recursive: true });
  await rename(unbound, join(vault, "keys"));
  expect((await stage.backup(["verify"], env)).status).toBe(1);
});

test("verify of a vault without a key reports the checks that it cannot make", async () => {
  const { env } = await stage.vaultWithBackup();
  expect((await stage.backup(["verify"], env)).out).toMatch(/\nNot checked: whether someone else wrote these files\./);
  const encrypted = await stage.vaultWithBackup({ BACKUP_KEY: key });
  expect((await stage.backup(["verify"], encrypted.env)).out).not.toMatch(/Not checked/);
});
