import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { connect, type Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { claimDataDir } from "@beatmarket/postgres/embedded/claim.ts";
import { locksDir } from "@beatmarket/postgres/embedded/data-dir.ts";
import { openEmbedded } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { findUnfinishedRestore, markRestore, unmarkRestore } from "@beatmarket/postgres/embedded/restore-marker.ts";
import { serviceRole } from "@beatmarket/postgres/embedded/roles.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import type { PlaceSettings } from "@beatmarket/storage/places.ts";
import type { Storage, StorageUpkeep } from "@beatmarket/storage/storage.ts";
import { type Backup, type BackupList, isUnbroken, logOf, readBackupList } from "../backup-list.ts";
import { DataDirFiles } from "../data-dir-files.ts";
import { LogCopy, type RestoredLog } from "../log-copy.ts";
import { type RestoredObjects, restoreObjects } from "../objects.ts";
import type { BackupDatabase } from "../tables.ts";
import { DamagedFile } from "../vault/sealing.ts";
import type { Vault } from "../vault/vault.ts";
import { positionOf, positionOfLsn, timelineOf } from "../wal/segments.ts";
import { chooseBackup } from "./choose-backup.ts";
import { discardRestore, type RecoveryEnd, restoreCluster } from "./restore-cluster.ts";

export interface RestoreParts {
  vault: Vault;
  dataDir: string;
  storage: PlaceSettings;
  /** The folder of the transparency log in the storage. */
  logFolder: string;
  /** Null for the newest archived moment. */
  at: Date | null;
  signal: AbortSignal;
  onProgress(progress: RestoreProgress): void;
  log(text: string): void;
}

export interface RestoreProgress {
  /** The restored bytes of the base backup, of `totalBytes`. */
  bytes: number;
  totalBytes: number;
  /** The number of replayed segments of the log. */
  segments: number;
  /** The number of processed objects. */
  objects: number;
}

/** The result of restoring the files of the storage. */
export interface RestoredFiles extends RestoredObjects {
  log: RestoredLog;
}

export interface RestoreResult extends RestoredFiles {
  backup: Backup;
  /** Everything that was committed before this moment is restored. */
  until: string;
  /** The reason why archived commits after `until` are not restored; null if there are none. */
  gap: string | null;
  /** The restored files of the data folder, such as the secret key. */
  files: string[];
  /** The reason why these files are not restored; null if they are, or if the vault has none. */
  filesFault: string | null;
}

/**
 * Restores the database of a moment into an empty data folder, and into the storage the objects of this database.
 * During the restore, the folder is marked (`requireRestored`). After an interruption, a restore starts from the
 * beginning. Throws an OperatorError.
 */
export async function restore(parts: RestoreParts): Promise<RestoreResult> {
  const { vault, dataDir, storage: place, logFolder, at, signal, onProgress, log } = parts;
  const source = await vault.require();
  if (source.kind === "storage")
    throw new OperatorError(
      `The vault in ${vault.place} has the objects of an external database. Restore that with its own tools, then set DATABASE_URL to it.`,
    );
  const backupList = await readBackupList(vault);
  const backup = chooseBackup(backupList, at, vault.place);
  await requireEmpty(dataDir);
  const claim = await claimDataDir(dataDir);
  try {
    await markRestore(dataDir, vault.place);
    await discardRestore(dataDir);
    const progress: RestoreProgress = { bytes: 0, totalBytes: bytesOf(backup), segments: 0, objects: 0 };
    const show = (more: Partial<RestoreProgress>) => onProgress(Object.assign(progress, more));
    const reached = await restoreCluster({ vault, backupList, backup, at, dataDir, signal, onProgress: show, log });
    const { files, fault: filesFault } = await restoreDataDirFiles(vault, dataDir, backup);
    const restoredFiles = await withDatabase(dataDir, log, (db) =>
      restoreStorage({ db, vault, place, logFolder, dataDir, signal }, (count) => show({ objects: count })),
    );
    await unmarkRestore(dataDir);
    const moment = momentOf(backupList, backup, at, reached);
    return { backup, ...moment, files, filesFault, ...restoredFiles };
  } finally {
    await claim.release();
  }
}

/** The restored moment, which never includes commits that PostgreSQL did not replay. */
function momentOf(
  backupList: BackupList,
  backup: Backup,
  time: Date | null,
  { lastCommitAt, lsn }: RecoveryEnd,
): Pick<RestoreResult, "until" | "gap"> {
  // The recovery ended at this moment, or at the end of an unbroken log that reaches it.
  if (time !== null) return { until: time.toISOString(), gap: null };
  const endedAt = new Date(backup.ended_at);
  const replayed = lastCommitAt === null || lastCommitAt < endedAt ? endedAt : lastCommitAt;
  const { archived, timeline } = logOf(backupList, backup);
  if (archived === null)
    return { until: replayed.toISOString(), gap: "The vault does not say how far its log was archived." };
  const { until, segment } = archived;
  const isReplayed =
    segment === undefined || timelineOf(segment) !== timeline || positionOfLsn(lsn) >= positionOf(segment);
  if (isUnbroken(backupList, backup) && isReplayed)
    return { until: new Date(Math.max(Date.parse(until), replayed.getTime())).toISOString(), gap: null };
  return {
    until: replayed.toISOString(),
    gap: `The log in the vault has a gap after this moment, so what was committed from then to ${until} is missing.`,
  };
}

/**
 * Damaged files here do not end the restore: the operator may have another copy of the secret key, or continue without
 * it, but has no other copy of the database.
 */
async function restoreDataDirFiles(
  vault: Vault,
  dataDir: string,
  { data_dir_shipped_at: since }: Backup,
): Promise<{ files: string[]; fault: string | null }> {
  if (!vault.isEncrypted) return { files: [], fault: null };
  try {
    return { files: await new DataDirFiles(vault, dataDir).restore(since), fault: null };
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    return { files: [], fault: error.message };
  }
}

interface StorageParts {
  db: Queryable;
  vault: Vault;
  place: PlaceSettings;
  logFolder: string;
  dataDir: string;
  signal: AbortSignal;
}

/**
 * Restores the leaves of the transparency log and the objects that the database refers to, if the storage lacks them.
 * Works for an external database too. Throws an OperatorError if the storage belongs to another database.
 */
export async function restoreStorage(
  { db, vault, place, logFolder, dataDir, signal }: StorageParts,
  onProgress: (objects: number) => void,
): Promise<RestoredFiles> {
  const storage = await openStorage(place);
  await storage.check();
  await takeStorage(db, storage);
  const scratch = join(dataDir, "scratch");
  try {
    const objects = await restoreObjects({ db, storage, vault, scratch, signal }, onProgress);
    return { ...objects, log: await new LogCopy(vault, storage, logFolder).restore() };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Binds the storage to the identity in the database. Writes this identity into an empty storage. Throws an OperatorError
 * if the storage belongs to another database.
 */
async function takeStorage(db: BackupDatabase, storage: Storage & StorageUpkeep): Promise<void> {
  const databaseIdentity = await db.selectFrom("storage_identity").select("id").executeTakeFirst();
  if (databaseIdentity === undefined) return;
  const identity = await storage.readIdentity();
  if (identity === null) await storage.writeIdentity(databaseIdentity.id);
  else if (identity !== databaseIdentity.id)
    throw new OperatorError(
      `${storage.place} holds the files of another database. Set STORAGE_URL to the storage of the restored one, or to an empty folder or prefix.`,
    );
  storage.bindTo(databaseIdentity.id);
}

async function withDatabase<T>(
  dataDir: string,
  log: (text: string) => void,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const embedded = await openEmbedded(dataDir, log);
  const database = connect(embedded.addressFor(serviceRole), { max: 2, applicationName: "embedded backup" });
  try {
    return await work(database.query);
  } finally {
    await database.close();
    await embedded.close();
  }
}

/** A restore never overwrites existing files, except the files of an unfinished restore. */
async function requireEmpty(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    const why = error.code === "ENOTDIR" ? "is a file, or below one" : `cannot be read (${error.message})`;
    throw new OperatorError(`DATA_DIR ${dataDir} ${why}. Set DATA_DIR to a new folder.`, { cause: error });
  });
  if (names.every((name) => name === locksDir || name === "lost+found")) return;
  if ((await findUnfinishedRestore(dataDir)) !== null) return;
  throw new OperatorError(
    `DATA_DIR ${dataDir} is not empty, and a restore never overwrites files. Set DATA_DIR to a new folder, or move this one away.`,
  );
}

const bytesOf = ({ database }: Backup): number => database?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
