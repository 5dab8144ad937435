import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PlaceSettings } from "../../config-places.ts";
import { connect, type Queryable } from "../../database/connection/connect.ts";
import { claimDataDir } from "../../database/embedded/claim.ts";
import { locksDir } from "../../database/embedded/data-dir.ts";
import { openEmbedded } from "../../database/embedded/open-embedded.ts";
import { findUnfinishedRestore, markRestore, unmarkRestore } from "../../database/embedded/restore-marker.ts";
import { serviceRole } from "../../database/embedded/roles.ts";
import { OperatorError } from "../../errors.ts";
import { openStorage } from "../../storage/open-storage.ts";
import type { Storage, StorageUpkeep } from "../../storage/storage.ts";
import { archivedUntil, type Backup, readCatalogue } from "../catalogue.ts";
import { DataDirFiles } from "../data-dir-files.ts";
import { type RestoredObjects, restoreObjects } from "../objects.ts";
import type { Vault } from "../vault/vault.ts";
import { chooseBackup } from "./choose-backup.ts";
import { discardRestore, restoreCluster } from "./restore-cluster.ts";

export interface RestoreParts {
  vault: Vault;
  dataDir: string;
  storage: PlaceSettings;
  /** Null: the newest moment that was archived. */
  at: Date | null;
  signal: AbortSignal;
  onProgress(done: RestoreProgress): void;
  log(text: string): void;
}

export interface RestoreProgress {
  /** Of the base backup, whose size `totalBytes` is. */
  bytes: number;
  totalBytes: number;
  /** Of the log, that were replayed. */
  segments: number;
  objects: number;
}

export interface Restored extends RestoredObjects {
  backup: Backup;
  /** The moment that is restored; null: nobody says how far the log was archived. */
  until: string | null;
  /** Files of the data folder, such as the secret key. */
  files: string[];
}

/**
 * Fills an empty data folder with the database of a moment, and the storage with the objects that it names. While it lasts the
 * folder is marked (`requireRestored`); a restore that did not end is begun anew. Throws an OperatorError.
 */
export async function restore(parts: RestoreParts): Promise<Restored> {
  const { vault, dataDir, storage: place, at, signal, onProgress, log } = parts;
  const source = await vault.require();
  if (source.kind === "storage")
    throw new OperatorError(
      `The vault in ${vault.place} has the objects of an external database. Restore that with its own tools, then set DATABASE_URL to it.`,
    );
  const catalogue = await readCatalogue(vault);
  const backup = chooseBackup(catalogue, at, vault.place);
  await requireEmpty(dataDir);
  const claim = await claimDataDir(dataDir);
  try {
    await markRestore(dataDir, vault.place);
    await discardRestore(dataDir);
    const done: RestoreProgress = { bytes: 0, totalBytes: bytesOf(backup), segments: 0, objects: 0 };
    const show = (more: Partial<RestoreProgress>) => onProgress(Object.assign(done, more));
    await restoreCluster({ vault, catalogue, backup, at, dataDir, signal, onProgress: show, log });
    const files = vault.isEncrypted ? await new DataDirFiles(vault, dataDir).restore() : [];
    const objects = await withDatabase(dataDir, log, (db) =>
      restoreObjectsOf({ db, vault, place, dataDir }, (count) => show({ objects: count })),
    );
    await unmarkRestore(dataDir);
    return { backup, until: (at ?? archivedUntil(catalogue, backup))?.toISOString() ?? null, files, ...objects };
  } finally {
    await claim.release();
  }
}

interface ObjectParts {
  db: Queryable;
  vault: Vault;
  place: PlaceSettings;
  dataDir: string;
}

/**
 * Puts into the storage what the database names and the storage lacks, also for an external database. Throws an OperatorError
 * when the storage is another database's.
 */
export async function restoreObjectsOf(
  { db, vault, place, dataDir }: ObjectParts,
  onProgress: (objects: number) => void,
): Promise<RestoredObjects> {
  const storage = await openStorage(place);
  await storage.check();
  await takeStorage(db, storage);
  const scratch = join(dataDir, "scratch");
  try {
    return await restoreObjects({ db, storage, vault, scratch }, onProgress);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Makes an empty storage the one that the database knows. */
async function takeStorage(db: Queryable, storage: Storage & StorageUpkeep): Promise<void> {
  const known = await db.selectFrom("storage_identity").select("id").executeTakeFirst();
  if (known === undefined) return;
  const found = await storage.readIdentity();
  if (found === null) return storage.writeIdentity(known.id);
  if (found !== known.id)
    throw new OperatorError(
      `${storage.place} holds the files of another database. Set STORAGE_URL to the storage of the restored one, or to an empty folder or prefix.`,
    );
}

async function withDatabase<T>(
  dataDir: string,
  log: (text: string) => void,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const embedded = await openEmbedded(dataDir, log);
  const database = connect(embedded.addressFor(serviceRole), { max: 2, applicationName: "beatmarket backup" });
  try {
    return await work(database.query);
  } finally {
    await database.close();
    await embedded.close();
  }
}

/** A restore never writes over what is there; what an unfinished one left is its own. */
async function requireEmpty(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.every((name) => name === locksDir || name === "lost+found")) return;
  if ((await findUnfinishedRestore(dataDir)) !== null) return;
  throw new OperatorError(
    `DATA_DIR ${dataDir} is not empty, and a restore writes over nothing. Set DATA_DIR to a new folder, or move this one away.`,
  );
}

const bytesOf = ({ database }: Backup): number => database?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
