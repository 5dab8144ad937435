import { readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { objectKey } from "@beatmarket/storage/storage.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BackupStage, backupsOf, damage, type Env, key, segmentsOf } from "./backup-stage.ts";
import { PublishedLog } from "./published-log.ts";

let stage: BackupStage;
beforeAll(async () => {
  stage = await BackupStage.open();
  await (await PublishedLog.open(stage.database, stage.dataDir)).sell();
});
afterAll(() => stage.close());

/** The database clusters that restores have created. */
const clustersIn = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith("postgres") && !name.startsWith("postgresql-"));

test("the error names a damaged, missing or exchanged file, and the restore writes nothing", async () => {
  for (const settings of [{}, { BACKUP_KEY: key }] as Env[]) {
    const { vault, env } = await stage.vaultWithBackup(settings);
    const [id] = await backupsOf(vault);
    const pack = `backups/${id}/data-000000`;
    await damage(join(vault, pack));
    const segment = (await segmentsOf(vault)).at(-1) ?? "";
    await rename(join(vault, segment), join(vault, `${segment.slice(0, -4)}0FFF`));
    const { out, status } = await stage.backup(["verify"], env);
    expect(status).toBe(1);
    expect(out).toMatch(new RegExp(`${pack} +block \\d+ `));
    expect(out).toMatch(new RegExp(`${segment} +it is missing, and the backup ${id} needs it`));
    expect(out).toMatch(/wal\/.*0FFF +block 0 /);
    const target = stage.fresh("restored");
    const restore = await stage.backup(["restore"], { ...env, DATA_DIR: target });
    expect(restore.status).toBe(1);
    expect(restore.errors).toMatch(new RegExp(`${pack} in the vault is damaged: block \\d+ .* Nothing was restored`));
    expect(await clustersIn(target)).toEqual([]);
  }
});

test("a damaged segment of the log ends a restore that needs it, and the error names the segment", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  const segment = (await segmentsOf(vault)).at(-1) ?? "";
  await damage(join(vault, segment));
  const target = stage.fresh("restored");
  const restore = await stage.backup(["restore"], { ...env, DATA_DIR: target });
  expect(restore.status).toBe(1);
  expect(restore.errors).toMatch(
    new RegExp(
      `^error: ${segment} in the vault is damaged: block \\d+ has another checksum\\. Nothing was restored`,
      "m",
    ),
  );
  expect(await clustersIn(target)).toEqual([]);
});

test("a damaged file of a producer is reported, and the other files are restored", async () => {
  const sha256 = await stage.store("soon damaged");
  const { vault, env } = await stage.vaultWithBackup();
  await stage.backupJson(["create"], env);
  await damage(join(vault, "objects", objectKey(sha256)));
  expect((await stage.backup(["verify"], env)).out).toMatch(new RegExp(`objects/${objectKey(sha256)} +block 0 `));
  const target = stage.fresh("restored");
  const { out, status } = await stage.backup(["restore"], { ...env, DATA_DIR: target });
  expect(status).toBe(1);
  expect(out).toMatch(new RegExp(`1 is missing in the vault, too: ${sha256}`));
  expect(await stage.genresOf(target)).toBeDefined();
});

test("the error names a damaged file of the license log, and a restore omits the license log and reports that", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  const bundle = "transparency-log/tile/entries/000.p/1";
  await damage(join(vault, bundle));
  const verification = await stage.backup(["verify", "--json"], env);
  expect([verification.status, JSON.parse(verification.out).findings]).toEqual([
    1,
    [{ file: bundle, fault: "block 0 has another checksum" }],
  ]);
  const target = stage.fresh("restored");
  const restore = await stage.backup(["restore", "--json"], { ...env, DATA_DIR: target });
  expect([restore.status, JSON.parse(restore.out)]).toEqual([
    1,
    expect.objectContaining({
      log_leaves: null,
      log_fault: `${bundle} in the vault is damaged: block 0 has another checksum.`,
    }),
  ]);
  await rm(join(vault, bundle));
  expect((await stage.backup(["verify"], env)).out).toMatch(
    /transparency-log\/ +The log has no file tile\/entries\/000/,
  );
});

test("the error names a damaged manifest, and the other backups can be restored", async () => {
  await stage.makeGenre("Behind the manifest");
  const vault = await stage.makeVault();
  const env = { BACKUP_VAULT: vault };
  await stage.backupJson(["create"], env);
  const [intactBackup, damagedBackup] = await backupsOf(vault);
  const manifest = `backups/${damagedBackup}/manifest`;
  await damage(join(vault, manifest));
  const { out } = await stage.backup(["list"], env);
  expect(out).toContain(`${manifest} in the vault is damaged: block 0 has another checksum.`);
  expect(out).not.toMatch(new RegExp(`^${damagedBackup}`, "m"));
  const verification = await stage.backup(["verify", "--json"], env);
  expect(verification.status).toBe(1);
  expect(JSON.parse(verification.out).findings).toEqual([{ file: manifest, fault: "block 0 has another checksum" }]);
  const target = stage.fresh("restored");
  const restore = await stage.backupJson<{ backup: { id: string } }>(["restore"], { ...env, DATA_DIR: target });
  expect(restore.backup.id).toBe(intactBackup);
  expect(await stage.genresOf(target)).toContain("Behind the manifest");

  await damage(join(vault, `backups/${intactBackup}/manifest`));
  const failedRestore = await stage.backup(["restore"], { ...env, DATA_DIR: stage.fresh("restored") });
  expect(failedRestore.errors).toMatch(
    /has no backup of a database.*manifest in the vault is damaged.*manifest in the vault is/,
  );
});

test("a damaged list of files stops the deletion of files, and the error names the list", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  await stage.store("kept in spite of a damaged list");
  await stage.backupJson(["create"], env);
  const list = `backups/${(await backupsOf(vault)).at(-1)}/objects`;
  await damage(join(vault, list));
  expect(await stage.backup(["prune", "--keep", "0"], env)).toMatchObject({
    status: 1,
    errors: expect.stringMatching(new RegExp(`^error: ${list} in the vault is damaged: `)),
  });
  expect((await stage.backup(["verify"], env)).out).toMatch(new RegExp(`${list} +block 0 `));
  await rm(join(vault, list));
  expect((await stage.backup(["prune", "--keep", "0"], env)).errors).toMatch(
    /lacks its list of objects, so nothing is/,
  );
});

test("every command names a damaged vault.json, with the remedy", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  for (const text of ["{", "{}", ""]) {
    await writeFile(join(vault, "vault.json"), text);
    for (const command of ["create", "list", "verify", "prune", "restore"])
      expect(
        (await stage.backup([command], { ...env, DATA_DIR: command === "restore" ? stage.fresh("r") : stage.dataDir }))
          .errors,
      ).toMatch(
        /^error: vault\.json of the vault in .* is damaged\. Put back the file that was there, or set BACKUP_VAULT/,
      );
  }
});

test("the secret files of a data folder are verified, and a restore omits damaged ones and reports them", async () => {
  const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
  const file = join(vault, "data-dir");
  await damage(file);
  const { out, status } = await stage.backup(["verify", "--json"], env);
  expect(status).toBe(1);
  expect(JSON.parse(out).findings).toEqual([{ file: "data-dir", fault: expect.stringMatching(/^block 0 /) }]);

  const target = stage.fresh("restored");
  const restore = await stage.backup(["restore"], { ...env, DATA_DIR: target });
  expect(restore.status).toBe(1);
  expect(restore.out).toMatch(
    /^Restored .*\ndata-dir in the vault is damaged: block 0 .*\nThe vault has no secret key: /s,
  );
  expect(await stage.genresOf(target)).toBeDefined();

  await rm(file);
  expect((await stage.backup(["verify"], env)).out).toMatch(
    /^data-dir +it is missing: a restore would lack the secret/m,
  );
  // A vault without a key contains no secret files.
  expect((await stage.backup(["verify"], (await stage.vaultWithBackup()).env)).status).toBe(0);
});

test("a vault from which nothing can be restored fails verify", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  const [id = ""] = await backupsOf(vault);
  const findings = async () => JSON.parse((await stage.backup(["verify", "--json"], env)).out).findings;
  const nothing = {
    file: "backups/",
    fault: expect.stringContaining("nothing can be restored; run `beatmarket backup create`"),
  };
  await rm(join(vault, "backups", id, "manifest"));
  expect(await findings()).toEqual([nothing]);
  expect((await stage.backup(["verify"], env)).status).toBe(1);
  expect((await stage.backup(["restore"], { ...env, DATA_DIR: stage.fresh("restored") })).errors).toMatch(
    /has no backup of a database, so nothing can be restored from it/,
  );

  // A backup that has run for two days has failed.
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  for (const name of await readdir(join(vault, "backups", id)))
    await utimes(join(vault, "backups", id, name), twoDaysAgo, twoDaysAgo);
  expect(await findings()).toEqual([
    { file: `backups/${id}/manifest`, fault: "it is missing: nothing is restored from this backup" },
    nothing,
  ]);
});

test("the error names a log whose end is unknown", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  const archivedFile = `${dirname((await segmentsOf(vault))[0] ?? "")}/archived`;
  await rm(join(vault, archivedFile));
  const { out, status } = await stage.backup(["verify", "--json"], env);
  expect(status).toBe(1);
  expect(JSON.parse(out).findings).toEqual([
    { file: archivedFile, fault: expect.stringMatching(/^it is missing: only the moments of base backups/) },
  ]);
});

test("the error names files whose data key is damaged, and the file of the key", async () => {
  const { vault, env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
  const [id = ""] = await readdir(join(vault, "keys"));
  const file = join(vault, "keys", id);
  await writeFile(file, (await readFile(file, "utf8")).replace(/"sealed":"..../, '"sealed":"AAAA'));
  const { out, status } = await stage.backup(["verify"], env);
  expect(status).toBe(1);
  expect(out).toMatch(new RegExp(`manifest +its key keys/${id} is missing or damaged`));
});

test("the backup reports a file that the storage lost or damaged, and contains the other files", async () => {
  const [lost, damaged, intact] = [
    await stage.store("soon lost"),
    await stage.store("soon rotten"),
    await stage.store("whole"),
  ];
  const pathOf = (sha256: string) => join(stage.dataDir, "objects", objectKey(sha256));
  await rm(pathOf(lost));
  await writeFile(pathOf(damaged), "now rotten");
  const env = { BACKUP_VAULT: stage.fresh("vault") };
  const { out, status } = await stage.backup(["create"], env);
  expect(status).toBe(0);
  expect(out).toContain("2 of these are missing or damaged in the storage. `beatmarket storage verify` lists them.");
  const { missing_files } = await stage.backupJson<{ missing_files: string[] }>(["create"], env);
  expect(missing_files.toSorted()).toEqual([lost, damaged].toSorted());
  const objects = await readdir(join(env.BACKUP_VAULT, "objects"), { recursive: true });
  expect(objects.some((name) => name.endsWith(intact))).toBe(true);
  expect(objects.some((name) => name.endsWith(damaged))).toBe(false);
});
