import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { markRestore } from "@beatmarket/postgres/embedded/restore-marker.ts";
import { programEnv, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { openObjects } from "@beatmarket/storage/open-storage.ts";
import { objectKey } from "@beatmarket/storage/storage.ts";
import { type S3Server, startS3Server } from "@beatmarket/storage/testing/s3-server.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BackupStage, type Env, key, segmentsOf } from "../../../test/backup/backup-stage.ts";
import { PublishedLog } from "../../../test/backup/published-log.ts";
import { runHere } from "../../../test/harness/command.ts";
import { testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { readConfig } from "../../config.ts";
import { connect } from "../../database/connect.ts";
import { keysCommand } from "../keys.ts";
import { upgradeCommand } from "../upgrade.ts";

const main = join(import.meta.dirname, "../../main.ts");
let stage: BackupStage;
let s3: S3Server;
let licenseLog: PublishedLog;
let names = 0;

beforeAll(async () => {
  s3 = await startS3Server();
  stage = await BackupStage.open();
  licenseLog = await PublishedLog.open(stage.database, stage.dataDir);
  await licenseLog.sell();
});
afterAll(async () => {
  await stage.close();
  await s3.close();
});

describe.each([
  ["a folder", () => ({ BACKUP_VAULT: stage.fresh("vault") })],
  ["an encrypted folder", () => ({ BACKUP_VAULT: stage.fresh("vault"), BACKUP_KEY: key })],
  [
    "an encrypted bucket",
    () => ({ BACKUP_VAULT: s3.storageUrl(`vault-${names++}`), BACKUP_KEY: key, ...s3.credentials }),
  ],
])("%s", (_, vaultEnv) => {
  test("restores the newest moment with its files, and an earlier moment without later changes", async () => {
    const env: Env = vaultEnv();
    await stage.backupJson(["create"], env);
    const [early, late] = [`Early ${names}`, `Late ${names++}`];
    const sha256 = await stage.store(`of ${early}`);
    await stage.makeGenre(early);
    await licenseLog.sell();
    const between = await stage.now();
    await stage.makeGenre(late);
    await licenseLog.sell();
    const { storedCheckpoint, size } = await licenseLog.audit();
    await stage.backupJson(["create"], env);

    const newest = stage.fresh("restored");
    const output = await stage.backupJson<{ files: string[]; missing_files: string[]; log_leaves: number }>(
      ["restore"],
      {
        ...env,
        DATA_DIR: newest,
      },
    );
    expect(output).toMatchObject({ missing_files: [], log_leaves: size, log_fault: null });
    expect(output.files).toEqual(env.BACKUP_KEY === undefined ? [] : ["secret-key"]);
    expect(await readFile(join(newest, "objects", objectKey(sha256)), "utf8")).toBe(`of ${early}`);
    expect(await stage.genresOf(newest)).toEqual(expect.arrayContaining([early, late]));

    const restoredFolder = stage.fresh("restored");
    await stage.backupJson(["restore", "--at", between.toISOString()], { ...env, DATA_DIR: restoredFolder });
    const genres = await stage.genresOf(restoredFolder, async (restored) => {
      const log = await PublishedLog.open(restored, restoredFolder);
      await log.sell();
      // The lost leaf is still published, the next leaf names it, and the sale follows.
      expect(await log.audit(storedCheckpoint)).toMatchObject({ size: size + 2, lost: 1, problems: [] });
    });
    expect(genres).toContain(early);
    expect(genres).not.toContain(late);

    expect((await stage.backup(["verify"], env)).out).toMatch(/^All is well: 2 backups, /);
    const listed = await stage.backupJson<{ backups: { reaches_to: string }[]; is_encrypted: boolean }>(["list"], env);
    expect(listed.backups.map(({ reaches_to }) => reaches_to)).toEqual(["now", "now"]);
    expect(listed.is_encrypted).toBe(env.BACKUP_KEY !== undefined);
  });
});

test("a restore without the files of the license log says so, and an audit finds the fork", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  await licenseLog.sell();
  const { storedCheckpoint, size } = await licenseLog.audit();
  const target = stage.fresh("restored");
  await rm(join(vault, "transparency-log"), { recursive: true });
  const { out, status } = await stage.backup(["restore"], { ...env, DATA_DIR: target });
  expect(status).toBe(0);
  expect(out).toContain("The vault has no license log. Put its files back before the service starts");
  await stage.genresOf(target, async (restored) => {
    const log = await PublishedLog.open(restored, target);
    await log.sell();
    expect((await log.audit(storedCheckpoint)).problems).toEqual([
      expect.stringMatching(`^The first ${size} leaves are not those of the last audit`),
    ]);
  });
});

describe("a vault", () => {
  test("that is not configured, does not exist, or is in DATA_DIR is refused with the remedy", async () => {
    for (const command of ["create", "list", "verify", "prune", "restore"])
      expect((await stage.backup([command], {})).errors).toBe(
        "error: No vault is named. Set BACKUP_VAULT to a folder or a bucket, or add --vault.\n",
      );
    for (const command of ["list", "verify", "prune", "restore"])
      expect(await stage.backup([command, "--vault", join(stage.folder, "nowhere")], {})).toMatchObject({
        status: 1,
        errors: expect.stringMatching(/There is no vault in the folder .*nowhere\. .* `beatmarket backup create`\./),
      });
    expect((await stage.backup(["create", "--vault", join(stage.dataDir, "vault")], {})).errors).toMatch(
      /is in DATA_DIR .* lost with it/,
    );
  });

  test("that is unreachable, has no bucket, or has wrong credentials causes an error with the remedy", async () => {
    const cases: [Env, RegExp][] = [
      [{ BACKUP_VAULT: "s3://beats?endpoint=http://127.0.0.1:1&region=us-east-1&path_style=true" }, /nothing listens/],
      [
        { BACKUP_VAULT: s3.storageUrl().replace("//beats", "//another") },
        /no bucket another; create it, or correct BACKUP_VAULT/,
      ],
      [{ BACKUP_VAULT: s3.storageUrl(), AWS_SECRET_ACCESS_KEY: "wrong" }, /correct AWS_SECRET_ACCESS_KEY/],
    ];
    for (const [env, message] of cases)
      for (const command of ["create", "list"])
        expect(await stage.backup([command], { ...s3.credentials, ...env })).toMatchObject({
          status: 1,
          errors: expect.stringMatching(message),
        });
  });

  test("that does not respond still lets a signal stop the command immediately", async () => {
    const silent = createServer();
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const place = `s3://backups?endpoint=http://127.0.0.1:${port}&region=eu-central-1&path_style=true`;
    const program = startProgram(process.execPath, [main, "backup", "list", "--vault", place], {
      env: { ...programEnv, AWS_ACCESS_KEY_ID: "an-id", AWS_SECRET_ACCESS_KEY: "a-secret" },
    });
    await once(silent, "connection");
    program.child.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 1, stderr: "error: Stopped before the end.\n" });
  });

  test("is used neither without its key, nor with another key, nor with a key if it is not encrypted", async () => {
    const { env } = await stage.vaultWithBackup({ BACKUP_KEY: key });
    for (const wrong of [{ BACKUP_VAULT: env.BACKUP_VAULT as string }, { ...env, BACKUP_KEY: key.toUpperCase() }])
      for (const command of ["create", "list", "verify", "prune", "restore"])
        expect(
          (
            await stage.backup([command], {
              ...wrong,
              DATA_DIR: command === "restore" ? stage.fresh("restored") : stage.dataDir,
            })
          ).errors,
        ).toMatch(
          /is encrypted with the key [0-9a-f]{16}, and BACKUP_KEY is (not set|the key [0-9a-f]{16})\. Set BACKUP_KEY to that key/,
        );
    const plain = await stage.vaultWithBackup();
    expect((await stage.backup(["list"], { ...plain.env, BACKUP_KEY: key })).errors).toMatch(
      /is not encrypted, and BACKUP_KEY is set/,
    );
  });

  test("of another database is not written", async () => {
    const { vault, env } = await stage.vaultWithBackup();
    const file = join(vault, "vault.json");
    await writeFile(file, (await readFile(file, "utf8")).replace(/"id":"\d+"/, '"id":"1"'));
    expect((await stage.backup(["create"], env)).errors).toMatch(
      /holds the backups of another database \(cluster 1, this is cluster \d+\)/,
    );
  });
});

describe("a restore", () => {
  test("of an invalid moment, or of one outside the archive, is refused with the remedy", async () => {
    const { env } = await stage.vaultWithBackup();
    const ask = (moment: string) =>
      stage.backup(["restore", "--at", moment], { ...env, DATA_DIR: stage.fresh("restored") });
    expect((await ask("2020-01-01T00:00:00Z")).errors).toMatch(
      /is before the first backup .* Moments from .* to .* can be restored/,
    );
    expect((await ask("2090-01-01T00:00:00Z")).errors).toMatch(/is after the last that was archived .* leave out --at/);
    expect((await ask("yesterday")).errors).toMatch(/It takes a time with its zone, such as/);
  });

  test("into a folder that is not empty is refused", async () => {
    const { env } = await stage.vaultWithBackup();
    expect((await stage.backup(["restore"], env)).errors).toMatch(/is not empty, and a restore never overwrites files/);
  });

  test("that was interrupted makes other commands refuse the folder, and can be repeated", async () => {
    const { env } = await stage.vaultWithBackup();
    const target = stage.fresh("restored");
    await mkdir(join(target, "postgres.new-12345678"), { recursive: true });
    await markRestore(target, "the vault");
    const refusal = await runHere(keysCommand, ["keys", "list"], { DATA_DIR: target });
    expect(refusal.errors).toMatch(
      /holds a restore from the vault that did not end\. Run beatmarket backup restore again/,
    );
    await mkdir(join(target, "postgres"));
    await writeFile(join(target, "postgres/PG_VERSION"), "18");
    const upgrade = await runHere(upgradeCommand, ["upgrade"], { DATA_DIR: target });
    expect(upgrade.errors).toMatch(/holds a restore from the vault that did not end\./);
    await stage.backupJson(["restore"], { ...env, DATA_DIR: target });
    expect((await readdir(target)).sort()).toEqual(expect.arrayContaining(["objects", "postgres"]));
    expect(await readdir(target)).not.toContain("restore-unfinished.json");
    expect(await stage.genresOf(target)).toBeDefined();
  });
});

test("prune keeps the backups of the period, and deletes older backups with their log segments and files", async () => {
  const deletedObject = await stage.store("deleted soon");
  const env = { BACKUP_VAULT: await stage.makeVault() };
  await sql`delete from stored_objects where sha256 = ${deletedObject}`.execute(stage.database.query);
  const keptObject = await stage.store("kept");
  await stage.backupJson(["create"], env);
  expect(await stage.backupJson(["prune"], env)).toMatchObject({ backups: [], objects: 0 });
  const before = (await segmentsOf(env.BACKUP_VAULT)).length;
  const pruned = await stage.backupJson<{ backups: string[]; segments: number; objects: number }>(
    ["prune", "--keep", "0"],
    env,
  );
  expect(pruned.backups).toHaveLength(1);
  expect(pruned.segments).toBeGreaterThan(0);
  expect(pruned.objects).toBe(1);
  expect(await segmentsOf(env.BACKUP_VAULT)).toHaveLength(before - pruned.segments);
  expect((await stage.backup(["verify"], env)).out).toMatch(/^All is well: 1 backup,/);
  const target = stage.fresh("restored");
  await stage.backupJson(["restore"], { ...env, DATA_DIR: target });
  expect(await readFile(join(target, "objects", objectKey(keptObject)), "utf8")).toBe("kept");
});

test("an external database: its files are backed up and restored, and the command says that the database is not", async () => {
  const url = await testDatabaseUrl();
  const storage = stage.fresh("storage");
  const env = { DATABASE_URL: url, STORAGE_URL: `file://${storage}`, BACKUP_VAULT: stage.fresh("vault") };
  const external = connect({ url });
  try {
    const externalObjects = await openObjects(external.query, readConfig(env));
    await writeFile(join(stage.folder, "file"), "theirs");
    const { sha256 } = await externalObjects.store(join(stage.folder, "file"));
    expect((await stage.backup(["create"], env)).out).toMatch(
      /without the database of DATABASE_URL, .* 1 file of producers/,
    );
    await rm(storage, { recursive: true });
    expect((await stage.backup(["restore", "--at", "2026-01-01"], env)).errors).toMatch(
      /the database's own tools choose the moment/,
    );
    const restored = { copied_files: 1, missing_files: [], log_leaves: null, log_fault: null };
    expect(await stage.backupJson(["restore"], env)).toEqual(restored);
    expect(await readFile(join(storage, objectKey(sha256)), "utf8")).toBe("theirs");
  } finally {
    await external.close();
  }
});
