import { createHash } from "node:crypto";
import { readAll } from "@beatmarket/storage/whole.ts";
import {
  archivedName,
  type Backup,
  type BackupList,
  backupsPrefix,
  type DatabasePart,
  dataDirName,
  isOnNewestTimeline,
  isUnbroken,
  logOf,
  manifestName,
  objectListName,
  readBackupList,
  replayable,
  transparencyLogPrefix,
  unfinishedMs,
  walName,
} from "./backup-list.ts";
import { faultOfLogCopy } from "./log-copy.ts";
import { copiedObjects, objectName } from "./objects.ts";
import { BlockReader } from "./vault/blocks.ts";
import type { Source } from "./vault/identity.ts";
import { DamagedFile } from "./vault/sealing.ts";
import { type Vault, VaultUnavailable } from "./vault/vault.ts";
import { positionOf, segmentBytes, segmentName, timelineOf } from "./wal/segments.ts";

export interface BackupFinding {
  /** The file's name in the vault. */
  file: string;
  /** A description of the fault, as a clause. */
  fault: string;
}

export interface BackupVerification {
  backups: number;
  segments: number;
  objects: number;
  findings: BackupFinding[];
}

export interface VerifyOptions {
  /** The owner of the vault. */
  source: Source;
  now: Date;
  signal: AbortSignal;
  onProgress(progress: { files: number; findings: number }): void;
}

/** Reads all files of a vault and reports missing and damaged files. Throws VaultUnavailable. */
export async function verifyVault(
  vault: Vault,
  { source, now, signal, onProgress }: VerifyOptions,
): Promise<BackupVerification> {
  const backupList = await readBackupList(vault);
  const segments = [...backupList.logs].flatMap(([cluster, log]) =>
    [...log.segments].map((name) => walName(cluster, name)),
  );
  const result: BackupVerification = {
    backups: backupList.backups.length,
    segments: segments.length,
    objects: 0,
    findings: [
      ...backupList.damaged.map(({ file, fault }) => ({ file, fault })),
      ...missingBackups(backupList, source, now),
      ...missingArchivedFiles(backupList),
    ],
  };
  let files = 0;
  const check = async (file: string, work: () => Promise<string | null>) => {
    signal.throwIfAborted();
    const fault = await work().catch(damageOf);
    if (fault !== null) result.findings.push({ file, fault });
    onProgress({ files: ++files, findings: result.findings.length });
  };
  if (vault.isEncrypted) await check(dataDirName, () => readDataDir(vault));
  for await (const { key } of vault.list(transparencyLogPrefix)) await check(key, () => readFileOfLog(vault, key));
  if (result.findings.every(({ file }) => !file.startsWith(transparencyLogPrefix)))
    await check(transparencyLogPrefix, () => faultOfLogCopy(vault));
  const missing = new Map<string, BackupFinding>();
  // The listed objects that were not yet found in the vault: by hash, the id of a backup that lists the object.
  const hashes = new Map<string, string>();
  for (const backup of backupList.backups) {
    if (backup.database !== null)
      for (const finding of await verifyDatabase(vault, backup.database)) result.findings.push(finding);
    await check(objectListName(backup.id), () => readList(vault, backup, hashes));
    // Asks the vault again, because a segment may have been shipped after the vault was listed.
    for (const finding of [...missingSegments(backupList, backup), ...gapAfter(backupList, backup)])
      if (!missing.has(finding.file) && (await vault.head(finding.file)) === null) missing.set(finding.file, finding);
  }
  result.findings.push(...missing.values());
  for (const name of segments)
    await check(name, async () => {
      const content = await vault.get(name);
      if (content === null) return null; // Pruned during the verification.
      return (await readAll(content)).length === segmentBytes ? null : "it is not a whole segment";
    });
  for await (const { sha256 } of copiedObjects(vault)) {
    hashes.delete(sha256);
    result.objects++;
    await check(objectName(sha256), () => checkObject(vault, sha256));
  }
  for (const [sha256, id] of hashes)
    result.findings.push({ file: objectName(sha256), fault: `it is missing, and the backup ${id} needs it` });
  return result;
}

/** Reports unfinished backups that cannot be in progress any more, and a vault without a backup. */
function missingBackups({ backups, unfinished }: BackupList, source: Source, now: Date): BackupFinding[] {
  const findings = [...unfinished]
    .filter(([, newest]) => now.getTime() - newest.getTime() >= unfinishedMs)
    .map(([id]) => ({ file: manifestName(id), fault: "it is missing: nothing is restored from this backup" }));
  if (!backups.some(({ database }) => (database !== null) === (source.kind === "cluster")))
    findings.push({
      file: backupsPrefix,
      fault: "no backup is in it, so nothing can be restored; run `beatmarket backup create`",
    });
  return findings;
}

/** Reports missing files `archived`: without this file, only the moments of base backups can be restored. */
function missingArchivedFiles({ backups, logs, damaged }: BackupList): BackupFinding[] {
  return [...new Set(backups.flatMap(({ database }) => database?.cluster ?? []))]
    .map((cluster) => ({ file: archivedName(cluster), archived: logs.get(cluster)?.archived ?? null }))
    .filter(({ file, archived }) => archived === null && !damaged.some((each) => each.file === file))
    .map(({ file }) => ({
      file,
      fault: "it is missing: only the moments of base backups can be restored until the service archives again",
    }));
}

/** Reports the missing segments that every restore of a backup needs. */
function missingSegments(backupList: BackupList, backup: Backup): BackupFinding[] {
  const { database } = backup;
  if (database === null) return [];
  const { segments } = logOf(backupList, backup);
  const missing: BackupFinding[] = [];
  const last = positionOf(database.last_segment);
  for (let position = positionOf(database.first_segment); position <= last; position++) {
    const name = segmentName(database.timeline, position);
    if (segments.has(name)) continue;
    missing.push({
      file: walName(database.cluster, name),
      fault: `it is missing, and the backup ${backup.id} needs it`,
    });
  }
  return missing;
}

/** Reports the gap of the log after a backup, if there is one. */
function gapAfter(backupList: BackupList, backup: Backup): BackupFinding[] {
  const { database } = backup;
  const last = replayable(backupList, backup).at(-1);
  if (database === null || last === undefined) return [];
  if (!isOnNewestTimeline(backupList, backup) || isUnbroken(backupList, backup)) return [];
  const next = backupList.backups.find((each) => each.id > backup.id && isUnbroken(backupList, each));
  const file = walName(database.cluster, segmentName(timelineOf(last), positionOf(last) + 1));
  return [
    {
      file,
      fault: `it is missing: no later moment can be restored${next === undefined ? "" : ` before ${next.ended_at}`}`,
    },
  ];
}

async function verifyDatabase(vault: Vault, { packs, files }: DatabasePart): Promise<BackupFinding[]> {
  const findings: BackupFinding[] = [];
  let pack = packs[0]?.name ?? "";
  const content = async function* () {
    for (const { name } of packs) {
      pack = name;
      const content = await vault.get(name);
      if (content === null) throw new DamagedFile(name, "it is missing");
      yield* content;
    }
  };
  const reader = new BlockReader(content());
  try {
    for (const { path, bytes, sha256 } of files) {
      const hash = createHash("sha256");
      for (let remainingBytes = bytes; remainingBytes > 0; ) {
        const chunk = await reader.readUpTo(Math.min(remainingBytes, 1_048_576));
        if (chunk.length === 0) throw new DamagedFile(pack, "it ends early");
        hash.update(chunk);
        remainingBytes -= chunk.length;
      }
      if (hash.digest("hex") !== sha256) findings.push({ file: pack, fault: `${path} in it has another checksum` });
    }
  } catch (error) {
    findings.push({ file: pack, fault: damageOf(error) });
  } finally {
    await reader.close();
  }
  return findings;
}

async function readDataDir(vault: Vault): Promise<string | null> {
  const content = await vault.get(dataDirName);
  if (content === null) return "it is missing: a restore would lack the secret key";
  await readAll(content);
  return null;
}

async function readFileOfLog(vault: Vault, name: string): Promise<string | null> {
  const content = await vault.get(name);
  // A missing file is a partial tile that was deleted during the verification.
  if (content !== null) await readAll(content);
  return null;
}

async function readList(vault: Vault, backup: Backup, hashes: Map<string, string>): Promise<string | null> {
  const content = await vault.get(objectListName(backup.id));
  if (content === null) return "it is missing";
  const reader = new BlockReader(content);
  let count = 0;
  for (let hash = await reader.read(32); hash !== null; hash = await reader.read(32), count++)
    hashes.set(hash.toString("hex"), backup.id);
  return count === backup.objects ? null : `it has ${count} of ${backup.objects} objects`;
}

async function checkObject(vault: Vault, sha256: string): Promise<string | null> {
  const content = await vault.get(objectName(sha256));
  if (content === null) return null; // Pruned during the verification.
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex") === sha256 ? null : "it has another content than its name says";
}

function damageOf(error: unknown): string {
  if (error instanceof VaultUnavailable || !(error instanceof DamagedFile)) throw error;
  return error.fault;
}
