import { archivedLogOf, type BackupList, newestBackupOf, readBackupList } from "@beatmarket/backup/backup-list.ts";
import { restorable } from "@beatmarket/backup/restore/choose-backup.ts";
import { openVault, type Vault } from "@beatmarket/backup/vault/vault.ts";
import { verifyVault } from "@beatmarket/backup/verify.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import { requireStorage } from "@beatmarket/storage/claim-storage.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import { verifyObjects } from "@beatmarket/storage/verify-objects.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { diskFolders } from "../../metrics/storage.ts";
import { ok, spaceVerdict, unused, type Verdict, wrong } from "../../resources/operations/verdicts.ts";
import type { Check, CheckContext, DatabaseCheck } from "./check.ts";

// The limits of the alerts BeatmarketBackupOld and BeatmarketBackupBehind.
const baseBackupHours = 26;
const archivedSeconds = 300;

const storage: DatabaseCheck = {
  name: "storage",
  run: async ({ database, config, isDeep, signal }) => {
    const opened = await openStorage(config.storage);
    await requireStorage(database.query, opened);
    await opened.check();
    if (!isDeep) return ok(`Files can be written, read and deleted in ${opened.place}.`);
    const options = { checksums: false, repair: false, signal, onProgress: () => {} };
    const { findings, objects } = await verifyObjects(database.query, opened, options);
    if (findings.length > 0)
      return wrong(
        `${counted(findings.length, "fault")} among ${counted(objects, "file")} in ${opened.place}.`,
        "Run: npx beatmarket storage verify, which names them.",
      );
    return ok(`All of ${counted(objects, "file")} are in ${opened.place}.`);
  },
};

/** The system identifier of the embedded cluster, whose log the vault archives; null with DATABASE_URL. */
async function clusterOf(database: { embedded: unknown; query: Queryable }): Promise<string | null> {
  if (database.embedded === null) return null;
  const { rows } = await sql<{ id: string }>`
    select system_identifier::text as id from pg_control_system()`.execute(database.query);
  return rows[0]?.id ?? null;
}

const backups: DatabaseCheck = {
  name: "backups",
  run: async (context) => {
    const { config, database, publicBy } = context;
    if (config.backup.vault === null) {
      const detail = "BACKUP_VAULT is not set, so nothing is backed up.";
      const remedy = "Set BACKUP_VAULT to a folder of another disk, or to a bucket (docs/backups.md).";
      return publicBy === null ? unused(detail) : wrong(detail, remedy);
    }
    const vault = await openVault(config.backup.vault, config.backup);
    const source = await vault.require();
    const list = await readBackupList(vault);
    const verdict = freshness(list, await clusterOf(database), context);
    if (verdict.state !== "ok" || !context.isDeep) return verdict;
    return deep(vault, { ...context, source, fresh: verdict });
  },
};

/** Whether the newest backup can be restored, and how much data would be lost. */
export function freshness(
  list: BackupList,
  cluster: string | null,
  { clock, server }: Pick<CheckContext, "clock" | "server">,
): Verdict {
  const create = "Run: npx beatmarket backup create, then npx beatmarket backup verify.";
  const [damaged] = list.damaged;
  if (damaged !== undefined) return wrong(damaged.message, create);
  const newest = cluster === null ? list.backups.at(-1) : newestBackupOf(list, cluster);
  if (newest === undefined) return wrong("The vault has no backup of this database.", create);
  const hours = (clock.nowMs() - Date.parse(newest.ended_at)) / 3_600_000;
  const age = `The newest backup, ${newest.id}, is ${counted(Math.max(0, Math.floor(hours)), "hour")} old`;
  if (hours > baseBackupHours) return wrong(`${age}.`, `${create} (docs/alerts.md, BeatmarketBackupOld)`);
  if (cluster === null)
    return ok(`${age}. It has the files; the database of DATABASE_URL is backed up by its operator.`);
  if (!restorable(list).some((range) => range.cluster === cluster))
    return wrong(`${age}, and a part of the log that it needs is missing.`, create);
  const log = archivedLogOf(list, cluster);
  if (log.isBroken) return wrong(`${age}, and the archived log has a gap after it.`, create);
  const ageSeconds = log.until === null ? null : (clock.nowMs() - log.until.getTime()) / 1_000;
  if (server !== null && ageSeconds !== null && ageSeconds > archivedSeconds)
    return wrong(
      `${age}, and the log was archived ${counted(Math.floor(ageSeconds / 60), "minute")} ago.`,
      "Look into the log of the server for errors about archiving (docs/alerts.md, BeatmarketBackupBehind).",
    );
  return ok(`${age} and can be restored${log.until === null ? "" : `, up to ${log.until.toISOString()}`}.`);
}

async function deep(
  vault: Vault,
  { clock, signal, source, fresh }: CheckContext & { source: Awaited<ReturnType<Vault["require"]>>; fresh: Verdict },
): Promise<Verdict> {
  const options = { source, now: new Date(clock.nowMs()), signal, onProgress: () => {} };
  const { findings } = await verifyVault(vault, options);
  const [first] = findings;
  if (first === undefined) return ok(`${fresh.detail} Every file in it has its checksum.`);
  return wrong(
    `${counted(findings.length, "fault")} in the vault, such as ${first.file}: ${first.fault}.`,
    "Run: npx beatmarket backup verify, then npx beatmarket backup create.",
  );
}

const space: Check = {
  name: "disk space",
  run: ({ config }) => spaceVerdict(diskFolders(config)),
};

export const placeChecks: readonly Check[] = [space];
export const storedChecks: readonly DatabaseCheck[] = [storage, backups];
