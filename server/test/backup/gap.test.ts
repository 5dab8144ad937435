import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBackupList } from "@beatmarket/backup/backup-list.ts";
import { type OpenedCluster, openBackup } from "@beatmarket/backup/open-backup.ts";
import { openVault } from "@beatmarket/backup/vault/vault.ts";
import type { EmbeddedServer } from "@beatmarket/postgres/embedded/open-embedded.ts";
import {
  archiveCommand,
  maxSpooledSegments,
  spoolDir,
} from "@beatmarket/postgres/embedded/postgres/archive-command.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "../../src/database/connect.ts";
import { onlyWaits } from "../harness/command.ts";
import { BackupStage, segmentsOf } from "./backup-stage.ts";

let stage: BackupStage;
let embedded: EmbeddedServer;
let admin: Database;
beforeAll(async () => {
  stage = await BackupStage.open();
  embedded = stage.database.embedded as EmbeddedServer;
  admin = connect(embedded.addressFor(superuser), { max: 1 });
});
afterAll(async () => {
  await admin.close();
  await stage.close();
});

/** Commits a genre, finishes the segment of the write-ahead log, and waits until it is archived. Returns its name. */
async function finishSegment(genre: string): Promise<string> {
  await stage.makeGenre(genre);
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(admin.query);
  const name = rows[0]?.name ?? "";
  await until(async () => {
    const archiverState = await sql<{
      is_archived: boolean;
    }>`select last_archived_wal >= ${name} as is_archived from pg_stat_archiver`.execute(admin.query);
    return archiverState.rows[0]?.is_archived === true;
  });
  return name;
}

/**
 * Finishes a segment while the spool is full, as after a long outage of the vault. Returns the segment's name.
 */
async function dropSegment(genre: string): Promise<string> {
  const waiting = Array.from({ length: maxSpooledSegments }, (_, index) =>
    join(embedded.dir, spoolDir, `FFFFFFFF${String(index).padStart(16, "0")}`),
  );
  for (const file of waiting) await writeFile(file, "");
  const dropped = await finishSegment(genre);
  for (const file of waiting) await rm(file);
  return dropped;
}

test("the archive command drops a segment that the full spool cannot hold, and succeeds, so PostgreSQL continues", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-spool-"));
  const archive = (name: string) =>
    execFileSync("sh", ["-c", `${archiveCommand.replaceAll("%p", "segment").replaceAll("%f", name)} 2>&1`], {
      cwd: folder,
      encoding: "utf8",
    });
  await writeFile(join(folder, "segment"), "content");
  expect(archive("none")).toBe("");
  await mkdir(join(folder, spoolDir));
  for (let waiting = 0; waiting < maxSpooledSegments - 1; waiting++)
    await writeFile(join(folder, spoolDir, String(waiting)), "");
  expect(archive("last")).toBe("");
  expect(archive("dropped")).toBe("dropped is not archived: the disk or the archive spool is full\n");
  const spooled = await readdir(join(folder, spoolDir));
  expect(spooled).toHaveLength(maxSpooledSegments);
  expect(spooled).toContain("last");
  expect(spooled).not.toContain("dropped");
  await rm(folder, { recursive: true });
});

test("verify, list and restore report a gap in the log, and a base backup ends the gap", async () => {
  const vault = await stage.makeVault();
  const env = { BACKUP_VAULT: vault };
  await stage.makeGenre("Before the gap");
  const before = await stage.now();
  await finishSegment("At the gap");
  const dropped = await dropSegment("In the gap");
  const momentInGap = await stage.now();
  await finishSegment("Behind the gap");
  const second = await stage.backupJson<{ backup: { ended_at: string; database: { cluster: string } } }>(
    ["create"],
    env,
  );
  const gap = `wal/${second.backup.database.cluster}/${dropped}`;
  expect(await segmentsOf(vault)).not.toContain(gap);

  const { status, out } = await stage.backup(["verify", "--json"], env);
  expect(status).toBe(1);
  expect(JSON.parse(out).findings).toEqual([
    { file: gap, fault: `it is missing: no later moment can be restored before ${second.backup.ended_at}` },
  ]);
  const backupList = await stage.backupJson<{ backups: { reaches_to: string }[] }>(["list"], env);
  expect(backupList.backups.map(({ reaches_to }) => reaches_to)).toEqual(["gap", "now"]);

  const restore = async (...args: string[]) => {
    const dataDir = stage.fresh("restored");
    return { dataDir, ...(await stage.backup(["restore", ...args], { ...env, DATA_DIR: dataDir })) };
  };
  expect((await restore("--at", momentInGap.toISOString())).errors).toMatch(
    new RegExp(
      `error: The archived log has a gap after [0-9A-F]{24}, before ${momentInGap.toISOString()}\\. Choose an earlier moment, or one from ${second.backup.ended_at} on\\.`,
    ),
  );
  const earlyRestore = await restore("--at", before.toISOString());
  expect(earlyRestore.errors).toMatch(onlyWaits);
  expect(await stage.genresOf(earlyRestore.dataDir)).toContain("Before the gap");
  expect(await stage.genresOf((await restore()).dataDir)).toEqual(
    expect.arrayContaining(["Before the gap", "Behind the gap", "In the gap"]),
  );
});

test("a gap directly after a base backup of another process is detected", async () => {
  const folder = stage.fresh("vault");
  const vault = await openVault({ folder, isNamed: true }, { key: undefined, keyPrevious: undefined });
  const storage = { folder: join(stage.dataDir, "objects"), isNamed: false };
  const openedBackup = await openBackup({
    database: stage.database,
    storage,
    logFolder: "log",
    vault,
    onFault: () => {},
  });
  const { shipper } = openedBackup.cluster as OpenedCluster;
  await stage.backupJson(["create"], { BACKUP_VAULT: folder });
  const [backup] = (await readBackupList(vault)).backups;
  await shipper.closeGap(backup?.database?.last_segment ?? "");
  await dropSegment("Dropped");
  await finishSegment("Behind it");
  await shipper.ship();
  expect(shipper.isBroken).toBe(true);
  await openedBackup.close();
});
