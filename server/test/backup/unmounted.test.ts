import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type OpenedCluster, openBackup, startArchiving } from "@beatmarket/backup/open-backup.ts";
import { openVault, VaultUnavailable } from "@beatmarket/backup/vault/vault.ts";
import type { EmbeddedServer } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "../../src/database/connect.ts";
import { BackupStage, segmentsOf } from "./backup-stage.ts";

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

/** Makes a folder look as if its disk were unmounted: the mount point exists, and is empty. */
async function unmount(folder: string): Promise<{ mount(): Promise<void> }> {
  await rename(folder, `${folder}-disk`);
  await mkdir(folder);
  return {
    mount: async () => {
      await rm(folder, { recursive: true });
      await rename(`${folder}-disk`, folder);
    },
  };
}

/** Commits a genre, finishes the segment of the write-ahead log, and waits until PostgreSQL has archived it. */
async function finishSegment(genre: string): Promise<void> {
  await stage.makeGenre(genre);
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(admin.query);
  const isArchivedQuery = sql`select from pg_stat_archiver where last_archived_wal >= ${rows[0]?.name ?? ""}`;
  await until(async () => (await isArchivedQuery.execute(admin.query)).rows.length > 0);
}

async function openService(folder: string) {
  const vault = await openVault({ folder, isNamed: true }, { key: undefined, keyPrevious: undefined });
  const storage = { folder: join(stage.dataDir, "objects"), isNamed: false };
  const backup = await openBackup({ database: stage.database, storage, logFolder: "log", vault, onFault: () => {} });
  await startArchiving(backup.cluster as OpenedCluster, vault);
  return { close: () => backup.close(), ...(backup.cluster as OpenedCluster) };
}

test("while the vault's disk is not mounted, the log waits in the spool, and the mount point stays empty", async () => {
  const folder = stage.fresh("vault");
  const env = { BACKUP_VAULT: folder };
  await stage.backupJson(["create"], env);
  const { shipper, spool, close } = await openService(folder);
  await finishSegment("Before");
  await shipper.ship();

  const disk = await unmount(folder);
  await finishSegment("Meanwhile");
  await expect(shipper.ship()).rejects.toThrow(VaultUnavailable);
  await expect(shipper.ship()).rejects.toThrow(/vault.json" is missing; mount the disk that it is on/);
  expect(await spool.list()).not.toEqual([]);
  // Neither a command nor another start creates a new vault in the mount point.
  for (const command of ["create", "list", "verify", "prune", "restore"]) {
    const ended = await stage.backup([command], {
      ...env,
      ...(command === "restore" && { DATA_DIR: stage.fresh("r") }),
    });
    expect(ended, command).toMatchObject({ status: 1, errors: expect.stringMatching(/[Mm]ount/) });
  }
  await expect(openService(folder)).rejects.toThrow(/is unreachable: its file "vault.json" is missing. Mount the disk/);
  expect(await readdir(folder)).toEqual([]);

  await disk.mount();
  await shipper.ship();
  expect(await spool.list()).toEqual([]);
  expect(shipper.isBroken).toBe(false);
  await close();
  expect((await stage.backup(["verify"], env)).out).toMatch(/^All is well: 1 backup,/);
  const dataDir = stage.fresh("restored");
  await stage.backupJson(["restore"], { ...env, DATA_DIR: dataDir });
  expect(await stage.genresOf(dataDir)).toEqual(expect.arrayContaining(["Before", "Meanwhile"]));
});

test("the operator can create a new vault if the previous one is lost permanently", async () => {
  const folder = stage.fresh("vault");
  const env = { BACKUP_VAULT: folder };
  await stage.backupJson(["create"], env);
  await rm(folder, { recursive: true });
  expect((await stage.backup(["create"], env)).errors).toMatch(/begin a new one there with `.* --new-vault`/);
  await stage.backupJson(["create", "--new-vault"], env);
  expect((await stage.backup(["verify"], env)).out).toMatch(/^All is well: 1 backup,/);
});

test("list and verify report that the end of the log is missing in the vault, and a restore names the missing part", async () => {
  const folder = stage.fresh("vault");
  const env = { BACKUP_VAULT: folder };
  await stage.backupJson(["create"], env);
  const { shipper, close } = await openService(folder);
  await finishSegment("Kept");
  await shipper.ship();
  const lastMoment = await stage.now();
  await finishSegment("Lost");
  await shipper.ship();
  await finishSegment("Later");
  await shipper.ship();
  await shipper.shipRest(AbortSignal.timeout(60_000));
  await close();
  const segments = await segmentsOf(folder);
  const lostSegments = segments.slice(-2);
  for (const segment of lostSegments) await rm(join(folder, segment));

  const backupList = await stage.backup(["list"], env);
  expect(backupList.out).toMatch(/to a gap in the log/);
  expect(backupList.out).toMatch(/further to [0-9A-F]{24}\. The log has a gap after that/);
  const verification = await stage.backup(["verify", "--json"], env);
  expect(verification.status).toBe(1);
  expect(JSON.parse(verification.out).findings).toEqual([
    { file: lostSegments[0], fault: "it is missing: no later moment can be restored" },
  ]);
  const dataDir = stage.fresh("restored");
  const restore = await stage.backup(["restore", "--json"], { ...env, DATA_DIR: dataDir });
  expect(restore.status).toBe(1);
  const { until: reached, gap } = JSON.parse(restore.out);
  expect(gap).toMatch(
    /^The log in the vault has a gap after this moment, so what was committed from then to .* is missing\.$/,
  );
  expect(new Date(reached).getTime()).toBeLessThan(lastMoment.getTime());
  const genres = await stage.genresOf(dataDir);
  expect(genres).toContain("Kept");
  expect(genres).not.toContain("Lost");
});
