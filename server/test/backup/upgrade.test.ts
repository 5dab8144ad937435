import { chmod, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackup } from "@beatmarket/backup/base/create-backup.ts";
import { DataDirFiles } from "@beatmarket/backup/data-dir-files.ts";
import { openBackup, startArchiving } from "@beatmarket/backup/open-backup.ts";
import { openVault } from "@beatmarket/backup/vault/vault.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { serviceRole } from "@beatmarket/postgres/embedded/roles.ts";
import { programEnv, startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backupCommand } from "../../src/commands/backup/backup.ts";
import { upgradeCommand } from "../../src/commands/upgrade.ts";
import { connect } from "../../src/database/connect.ts";
import { openDatabase } from "../../src/database/open.ts";
import { withOldCluster } from "../../tools/old-cluster.ts";
import { onlyWaits, runHere } from "../harness/command.ts";
import { makeOldDataDir } from "../harness/database/old-cluster.ts";

const main = join(import.meta.dirname, "../../src/main.ts");
let folder = "";
let dataDir = "";
let vault = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-backup-upgrade-"));
  await chmod(folder, 0o755); // Clusters run as PostgreSQL's account, which must enter this folder.
  dataDir = join(folder, "data");
  vault = join(folder, "vault");
  await makeOldDataDir(dataDir);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Listed {
  backups: {
    id: string;
    ended_at: string;
    reaches_to: string;
    database: { cluster: string; postgres_major: number };
  }[];
  restorable: { from: string; to: string; cluster: string }[];
}

const backup = (args: readonly string[], env: Record<string, string> = {}) =>
  runHere(backupCommand, ["backup", ...args], { DATA_DIR: dataDir, BACKUP_VAULT: vault, ...env });
const list = async (): Promise<Listed> => JSON.parse((await backup(["list", "--json"])).out);
let restores = 0;
async function restore(...args: string[]) {
  const target = join(folder, `restored-${restores++}`);
  return { target, ...(await backup(["restore", ...args, "--json"], { DATA_DIR: target })) };
}

/** Archives the log and backs up the database like the previous release, and inserts a genre after the base backup. */
async function backUpOldCluster(genre: string): Promise<void> {
  await withOldCluster(dataDir, async (embedded) => {
    const database = connect(embedded.addressFor(serviceRole), { max: 2 });
    const openedBackup = await openBackup({
      database: { query: database.query, embedded },
      storage: { folder: join(dataDir, "objects"), isNamed: false },
      logFolder: "log",
      vault: await openVault({ folder: vault, isNamed: true }, { key: undefined, keyPrevious: undefined }),
      onFault: () => {},
    });
    const { cluster } = openedBackup;
    if (cluster === null) throw new Error("There is no cluster.");
    await startArchiving(cluster, openedBackup.vault);
    const files = new DataDirFiles(openedBackup.vault, dataDir);
    await createBackup(
      { ...openedBackup, cluster, files, db: database.query, clock: systemClock },
      { signal: new AbortController().signal, onProgress: () => {} },
    );
    await sql`insert into genres (name, slug) values (${genre}, ${genre})`.execute(database.query);
    await cluster.shipper.observe();
    const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(
      cluster.superuser,
    );
    await until(async () => (await cluster.spool.list()).includes(rows[0]?.name ?? ""));
    await cluster.shipper.shipRest(AbortSignal.timeout(300_000));
    await openedBackup.close();
    await database.close();
  });
}

test("after an upgrade of PostgreSQL, the vault gets an immediate base backup and a separate log", async () => {
  await backUpOldCluster("Before the upgrade");
  const upgraded = await runHere(upgradeCommand, ["upgrade", "--json"], { DATA_DIR: dataDir });
  expect(upgraded.errors).toContain("Starting PostgreSQL 17");
  expect(upgraded.status).toBe(0);
  const [old] = (await list()).backups;
  expect(old).toMatchObject({ reaches_to: "now", database: { postgres_major: 17 } });
  const tooSoon = await restore();
  expect(tooSoon.status).toBe(1);
  expect(tooSoon.errors).toContain(
    `The backup ${old?.id} was made by PostgreSQL 17; this program brings 18. Restore it with the release that made it, then run \`beatmarket upgrade\` with this one.`,
  );

  const env = { ...programEnv, DATA_DIR: dataDir, BACKUP_VAULT: vault, DEMO: "off", TLS: "off" };
  const server = startProgram(process.execPath, [main, "serve", "--json"], {
    env: { ...env, PUBLIC_URL: "http://localhost", PORT: String(await freePort()), LOG_LEVEL: "error" },
  });
  await server.nextLine();
  await until(async () => (await list()).backups.length === 2);
  server.child.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: 0, signal: null, stderr: "" });

  const { backups, restorable } = await list();
  expect(backups).toMatchObject([
    { reaches_to: "upgrade", database: { postgres_major: 17 } },
    { reaches_to: "now", database: { postgres_major: 18 } },
  ]);
  const clusters = backups.map(({ database }) => database.cluster);
  expect(new Set(clusters).size).toBe(2);
  expect(restorable.map(({ cluster }) => cluster)).toEqual(clusters);
  expect((await readdir(join(vault, "wal"))).sort()).toEqual([...clusters].sort());
  expect((await backup(["verify"])).out).toMatch(/^All is well: 2 backups/);

  const newest = await restore();
  expect(newest.errors).toMatch(onlyWaits);
  expect(JSON.parse(newest.out).backup.database.postgres_major).toBe(18);
  const restoredDatabase = await openDatabase({ databaseUrl: undefined, dataDir: newest.target }, { log: () => {} });
  const { rows } = await sql`select 1 from genres where name = 'Before the upgrade'`.execute(restoredDatabase.query);
  await restoredDatabase.close();
  expect(rows).toHaveLength(1);

  const [before, after] = restorable;
  expect((await restore("--at", before?.to ?? "")).errors).toMatch(/was made by PostgreSQL 17; this program brings 18/);
  const between = new Date(Date.parse(after?.from ?? "") - 1).toISOString();
  expect((await restore("--at", between)).errors).toContain(
    `${between} is after the last that was archived in the folder ${vault}. Moments from ${before?.from} to ${before?.to} and from ${after?.from} to ${after?.to} can be restored`,
  );
});

test("prune keeps the log of a cluster without a backup for a day, and then deletes it", async () => {
  const { backups } = await list();
  const [old, current] = backups.map(({ database }) => database.cluster);
  const log = async (cluster = "") => readdir(join(vault, "wal", cluster)).catch(() => []);
  expect((await backup(["prune", "--keep", "0"])).status).toBe(0);
  const segments = await log(current);
  expect((await list()).backups.map(({ database }) => database.cluster)).toEqual([current]);
  expect(await log(old)).not.toEqual([]);
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  for (const name of await log(old)) await utimes(join(vault, "wal", old ?? "", name), twoDaysAgo, twoDaysAgo);
  expect((await backup(["prune", "--keep", "0"])).status).toBe(0);
  expect(await log(old)).toEqual([]);
  expect(await log(current)).toEqual(segments);
  expect((await backup(["verify"])).out).toMatch(/^All is well: 1 backup,/);
});
