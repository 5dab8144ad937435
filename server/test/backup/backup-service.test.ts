import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { manifestName, packName, readBackupList } from "@beatmarket/backup/backup-list.ts";
import { BackupService } from "@beatmarket/backup/backup-service.ts";
import { requireOwnLog } from "@beatmarket/backup/open-backup.ts";
import { openVault, type Vault } from "@beatmarket/backup/vault/vault.ts";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import { objectKey } from "@beatmarket/storage/storage.ts";
import { readAll } from "@beatmarket/storage/whole.ts";
import { LogFiles } from "@beatmarket/transparency-log/log-files.ts";
import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { licenseLogFolder } from "../../src/resources/licenses/log/license-log.ts";
import { BackupStage } from "./backup-stage.ts";
import { PublishedLog } from "./published-log.ts";

const dayMs = 86_400_000;

const openFolder = (folder: string) => openVault({ folder, isNamed: true }, { key: undefined, keyPrevious: undefined });

/** A program that records the commands with which it is started. Its first `backup prune` fails. */
const program = (calls: string) => `
  import { appendFileSync, readFileSync } from "node:fs";
  appendFileSync(${JSON.stringify(calls)}, process.argv[3] + " ");
  if (/^[^p]*prune $/.test(readFileSync(${JSON.stringify(calls)}, "utf8"))) {
    console.error("error: out of reach.");
    process.exit(1);
  }`;

test("a service repeats a failed prune, counts other backups, reports a fault once, and uses one vault", async () => {
  const stage = await BackupStage.open();
  onTestFinished(() => stage.close());
  const { vault } = await stage.vaultWithBackup();
  const calls = join(stage.folder, "calls");
  await writeFile(calls, "");
  await writeFile(join(stage.folder, "program.mjs"), program(calls));
  const errors: unknown[] = [];
  const clock = new FakeClock(Date.now() + dayMs);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const service = new BackupService({
    database: stage.database,
    storage: { folder: join(stage.dataDir, "objects"), isNamed: false },
    logFolder: licenseLogFolder,
    vault: await openVault({ folder: vault, isNamed: true }, { key: undefined, keyPrevious: undefined }),
    dataDir: stage.dataDir,
    clock,
    log: Object.assign(pino({ level: "silent" }), { error: (message: unknown) => errors.push(message) }),
    program: { module: join(stage.folder, "program.mjs"), execArgv: [] },
  });
  onTestFinished(() => service.stop());
  const hasCalled = (commands: string) => eventually(async () => expect(await readFile(calls, "utf8")).toBe(commands));

  await service.start();
  await hasCalled("create prune ");
  await eventually(() => expect(errors).toHaveLength(1));
  expect(errors).toEqual(["backup prune ended with 1: error: out of reach. Trying again in 10 minutes."]);
  clock.jumpWall(-dayMs);
  clock.advance(10 * 60_000);
  await vi.advanceTimersByTimeAsync(10_000);
  await hasCalled("create prune prune ");
  clock.advance(10 * 60_000);
  await vi.advanceTimersByTimeAsync(20_000);
  await hasCalled("create prune prune ");
  expect(errors).toHaveLength(1);

  const sha256 = await stage.store("soon lost");
  await rm(join(stage.dataDir, "objects", objectKey(sha256)));
  for (let time = 0; time < 3; time++) await service.copyObjects(AbortSignal.timeout(60_000));
  expect(errors.slice(1)).toEqual([{ sha256 }]);

  // A recent backup by an operator replaces the daily one.
  const openedVault = await openFolder(vault);
  const [backup] = (await readBackupList(openedVault)).backups;
  const madeAt = new Date(clock.nowMs() + 2 * dayMs).toISOString();
  const id = "99991231T000000Z";
  const packs = backup?.database?.packs.map(({ bytes }, number) => ({ name: packName(id, number), bytes }));
  const database = { ...backup?.database, packs };
  await openedVault.putJson(manifestName(id), { ...backup, id, started_at: madeAt, ended_at: madeAt, database });
  clock.jumpWall(2 * dayMs);
  clock.advance(10 * 60_000);
  await vi.advanceTimersByTimeAsync(20_000);
  await eventually(() => expect(service.state.backedUpAt?.toISOString()).toBe(madeAt));
  expect(await readFile(calls, "utf8")).toBe("create prune prune ");

  // The license log is copied within seconds. A forked log is reported once, and the copy stays unchanged.
  const leavesInVault = async () => {
    const checkpoint = await openedVault.get("transparency-log/checkpoint");
    return checkpoint === null ? 0 : Number((await readAll(checkpoint)).toString().split("\n")[1]);
  };
  await (await PublishedLog.open(stage.database, stage.dataDir)).sell();
  await eventually(async () => expect(await leavesInVault()).toBe(1));
  const objects = join(stage.dataDir, "objects");
  await rm(join(objects, licenseLogFolder), { recursive: true });
  const { files } = await openStorage({ folder: objects, isNamed: false });
  const { failures } = service.state;
  await new LogFiles(files, licenseLogFolder).append("another", [Buffer.from("one"), Buffer.from("two")], []);
  const forks = () => errors.filter((error) => /^the transparency log .* forked/.test(String(error)));
  await eventually(() => expect(forks()).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(forks()).toHaveLength(1);
  expect(service.state.failures).toBeGreaterThan(failures);
  expect(await leavesInVault()).toBe(1);

  // A backup into another vault is refused, because that vault would lack a part of the write-ahead log.
  const other = await openFolder(stage.fresh("vault"));
  const requireVault = (vault: Vault) => requireOwnLog(stage.database, stage.dataDir, vault);
  await requireVault(openedVault);
  await expect(requireVault(other)).rejects.toThrow(
    `The service archives the write-ahead log to the folder ${vault}, so a backup in ${other.place} would lack a part of it.`,
  );
  await service.stop();
  await requireVault(other);
});
