import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { walName } from "@beatmarket/backup/backup-list.ts";
import { openVault } from "@beatmarket/backup/vault/vault.ts";
import { positionOf, segmentBytes, segmentName, timelineOf } from "@beatmarket/backup/wal/segments.ts";
import { Spool } from "@beatmarket/backup/wal/spool.ts";
import { dataDirLock } from "@beatmarket/postgres/embedded/data-dir.ts";
import type { EmbeddedServer } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { programEnv } from "@beatmarket/postgres/testing/processes.ts";
import { openObjects } from "@beatmarket/storage/open-storage.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { connect, type Database } from "../../src/database/connect.ts";
import { testDatabaseUrl } from "../harness/database/database.ts";
import { BackupStage, type Env, segmentsOf } from "./backup-stage.ts";

const main = join(import.meta.dirname, "../../src/main.ts");
let stage: BackupStage;
let admin: Database;
beforeAll(async () => {
  stage = await BackupStage.open();
  admin = connect((stage.database.embedded as EmbeddedServer).addressFor(superuser), { max: 1 });
});
afterAll(async () => {
  await admin.close();
  await stage.close();
});

test("the error names a damaged page of the database, and no backup is created", async () => {
  await sql`create table pages as select repeat('a page', 100) as text from generate_series(1, 100)`.execute(
    admin.query,
  );
  const { rows } = await sql<{ path: string }>`select pg_relation_filepath('pages') as path`.execute(admin.query);
  await sql`checkpoint`.execute(admin.query);
  const path = rows[0]?.path ?? "";
  const file = await open(join(stage.dataDir, "postgres", path), "r+");
  await file.write(Buffer.from("rot"), 0, 3, 8_192 + 4_000);
  await file.close();
  const env = { BACKUP_VAULT: stage.fresh("vault") };
  const { status, errors } = await stage.backup(["create"], env);
  expect(status).toBe(1);
  expect(errors).toMatch(
    new RegExp(
      `^error: The database is damaged: block 1 of ${path} has another checksum\\. Keep the backups that there are`,
      "m",
    ),
  );
  expect((await stage.backup(["list"], env)).out).not.toMatch(/^\d{8}T/m);
  await sql`drop table pages`.execute(admin.query);
});

test("a file as the data folder of a restore, or as a vault, is refused with the remedy", async () => {
  const { env } = await stage.vaultWithBackup();
  const file = stage.fresh("file");
  await writeFile(file, "no folder");
  for (const dataDir of [file, join(file, "below")])
    expect((await stage.backup(["restore"], { ...env, DATA_DIR: dataDir })).errors).toBe(
      `error: DATA_DIR ${dataDir} is a file, or below one. Set DATA_DIR to a new folder.\n`,
    );
  for (const vault of [file, join(file, "below")])
    expect((await stage.backup(["create"], { BACKUP_VAULT: vault })).errors).toMatch(
      /cannot be used: it is a file, or below one\. Name a folder, or set BACKUP_VAULT to another place\.$/m,
    );
});

test("a database with tablespaces is refused, since the backup would lack them", async () => {
  const folder = join(stage.folder, "tablespace");
  await mkdir(folder);
  const { uid, gid } = await stat(join(stage.dataDir, "postgres"));
  await chown(folder, uid, gid);
  await sql`create tablespace elsewhere location ${sql.lit(folder)}`.execute(admin.query);
  const { status, errors } = await stage.backup(["create"], { BACKUP_VAULT: stage.fresh("vault") });
  expect(status).toBe(1);
  expect(errors).toMatch(/^error: The embedded database has tablespaces, .* Drop them\./m);
  await sql`drop tablespace elsewhere`.execute(admin.query);
});

test("two databases with one history do not archive into one vault", async () => {
  const { vault: place, env } = await stage.vaultWithBackup();
  const [, cluster = "", newest = ""] = (await segmentsOf(place)).at(-1)?.split("/") ?? [];
  const next = segmentName(timelineOf(newest), positionOf(newest) + 1);
  const vault = await openVault({ folder: place, isNamed: true }, readConfig(env).backup);
  await vault.put(
    walName(cluster, next),
    (async function* () {
      yield Buffer.alloc(segmentBytes, "of the other one");
    })(),
  );
  const { status, errors } = await stage.backup(["create"], env);
  expect(status).toBe(1);
  expect(errors).toMatch(new RegExp(`has a file ${next} that differs from .* Set BACKUP_VAULT of this database`));
});

test("every command refuses a vault of a newer release", async () => {
  const { vault, env } = await stage.vaultWithBackup();
  const identity = JSON.parse(await readFile(join(vault, "vault.json"), "utf8"));
  await writeFile(join(vault, "vault.json"), JSON.stringify({ ...identity, format: 3 }));
  for (const command of ["create", "list", "verify", "prune", "restore"]) {
    const { status, errors } = await stage.backup([command], { ...env, DATA_DIR: stage.dataDir });
    expect({ command, status }).toEqual({ command, status: 1 });
    expect(errors).toMatch(/^error: The vault in .* was made by a newer release\. Use that one\./m);
  }
});

/**
 * Runs `backup create` in its own process until it waits for a locked table, ends the process, and unlocks the table.
 */
async function endWhileItWaits(env: Env, end: (child: ChildProcess) => void) {
  const child = fork(main, ["backup", "create"], {
    env: { ...programEnv, DATA_DIR: stage.dataDir, ...env },
    // With this option the program does not restart itself.
    execArgv: ["--max-semi-space-size=32"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr?.on("data", (data) => {
    errors += data;
  });
  // After `disconnect`, there is no event "close".
  const ended = Promise.all([once(child, "exit"), once(child.stderr as Readable, "close")]);
  await admin.query.transaction().execute(async (transaction) => {
    await sql`lock table stored_objects`.execute(transaction);
    const waits = sql<{ count: number }>`
      select count(*)::int as count from pg_locks where not granted and relation = 'stored_objects'::regclass`;
    await expect.poll(async () => (await waits.execute(transaction)).rows[0]?.count).toBe(1);
    end(child);
  });
  const [[status]] = await ended;
  return { status, errors };
}

test("a backup that was stopped, or whose service ended, reports the reason and is not listed", async () => {
  const env = { BACKUP_VAULT: stage.fresh("vault") };
  for (const [end, errors] of [
    [(child: ChildProcess) => void child.kill("SIGTERM"), "error: Stopped before the end.\n"],
    [(child: ChildProcess) => child.disconnect(), "error: The service that started this backup has ended.\n"],
  ] as const)
    expect(await endWhileItWaits(env, end)).toEqual({ status: 1, errors: errors });
  expect((await stage.backup(["list"], env)).out).not.toMatch(/^\d{8}T/m);
  await stage.backupJson(["create"], env);
  expect((await stage.backup(["verify"], env)).out).toMatch(/^All is well: 1 backup, /);
});

test("a database whose log a service archives into one vault cannot be backed up into a second vault", async () => {
  const { dir } = stage.database.embedded as EmbeddedServer;
  const archiver = dataDirLock(stage.dataDir, "archiver");
  archiver.tryExclusive();
  await new Spool(dir).enable("the folder /mnt/first");
  const second = stage.fresh("vault");
  const { status, errors } = await stage.backup(["create", "--vault", second], {});
  expect(status).toBe(1);
  expect(errors).toMatch(
    /^error: The service archives the write-ahead log to the folder \/mnt\/first, .* copy that vault\./,
  );
  await expect(stat(second)).rejects.toThrow("ENOENT");
  archiver.close();
  await stage.backupJson(["create", "--vault", second], {});
});

test("a vault whose name is empty or has an unknown kind is refused", async () => {
  for (const place of ["", " "])
    expect(await stage.backup(["list", "--vault", place], {})).toMatchObject({
      status: 1,
      errors: "error: --vault is empty. Name a folder or a bucket, or leave it out.\n",
    });
  expect((await stage.backup(["list", "--vault", "ftp://x"], {})).errors).toMatch(/^error: --vault takes a bucket/);
});

test("a time for a restore needs a time zone", async () => {
  for (const time of ["2h", "2026-11-24T14:22:40", "2026-11-24 14:22:00", "2026-13-40T00:00:00Z"])
    expect((await stage.backup(["restore", "--at", time], {})).errors, time).toContain(
      "It takes a time with its zone, such as 2026-11-23T06:27:30Z or",
    );
});

test("the files of an external database are backed up once a storage exists; a restore refuses them and names DATABASE_URL", async () => {
  const url = await testDatabaseUrl();
  const storage = stage.fresh("storage");
  const env = { DATABASE_URL: url, STORAGE_URL: `file://${storage}`, BACKUP_VAULT: stage.fresh("vault") };
  const earlyBackup = await stage.backup(["create"], env);
  expect(earlyBackup.status).toBe(1);
  expect(earlyBackup.errors).toMatch(
    /^error: This database has no storage yet\. Start the service once, then make a backup\./m,
  );

  const external = connect({ url });
  await openObjects(external.query, readConfig(env));
  await external.close();
  await stage.backupJson(["create"], env);
  const { status, errors } = await stage.backup(["restore"], {
    BACKUP_VAULT: env.BACKUP_VAULT,
    DATA_DIR: stage.fresh("restored"),
  });
  expect(status).toBe(1);
  expect(errors).toMatch(
    /has the objects of an external database\. Restore that with its own tools, then set DATABASE_URL/,
  );
});
