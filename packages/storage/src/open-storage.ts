import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { claimStorage } from "./claim-storage.ts";
import type { Files, PlaceSetting } from "./files.ts";
import { FolderFiles } from "./folder-files.ts";
import { ObjectStorage } from "./object-storage.ts";
import type { PlaceSettings } from "./places.ts";
import { StoredObjects } from "./stored-objects.ts";
import type { StorageDatabase } from "./tables.ts";

export interface StorageSettings {
  storage: PlaceSettings;
  /** Undefined: the embedded database, which has only one server. */
  databaseUrl: string | undefined;
}

/**
 * Opens the configured storage for this database. Throws an OperatorError if files cannot be written, read and deleted,
 * or if it is not the storage of the database.
 */
export async function openObjects(
  db: Queryable,
  { storage: settings, databaseUrl }: StorageSettings,
): Promise<StoredObjects> {
  const storage = await openStorage(settings);
  await storage.check();
  const isDefaultFolder = "folder" in settings && !settings.isNamed;
  // Each server has its own default folder: with a shared database, it must not replace the claimed storage.
  const mayReplace = databaseUrl === undefined || !isDefaultFolder;
  const identity = await claimStorage(db, storage, { mayReplace });
  storage.bindTo(identity);
  return new StoredObjects(db, storage, identity);
}

/**
 * Opens the claimed storage, for a process that must not claim a storage. Returns null if no server has claimed a
 * storage, or if this process's settings name another storage.
 */
export async function openKnownObjects(
  db: Queryable,
  { storage: settings }: Pick<StorageSettings, "storage">,
): Promise<StoredObjects | null> {
  const storage = await openStorage(settings);
  const tables: StorageDatabase = db;
  const databaseIdentity = await tables.selectFrom("storage_identity").select("id").executeTakeFirst();
  const identity = await storage.readIdentity();
  if (databaseIdentity === undefined || identity !== databaseIdentity.id) return null;
  storage.bindTo(databaseIdentity.id);
  return new StoredObjects(db, storage, databaseIdentity.id);
}

/** Opens a storage. Writes no file and sends no request. */
export async function openStorage(settings: PlaceSettings): Promise<ObjectStorage> {
  return new ObjectStorage(await openFiles(settings, "STORAGE_URL"));
}

/** Opens the place for files that a setting names. Writes no file and sends no request. */
export async function openFiles(settings: PlaceSettings, setting: PlaceSetting): Promise<Files> {
  if ("folder" in settings) return new FolderFiles(settings.folder, setting);
  // Loaded on demand: most servers keep files in a folder.
  const { S3Files } = await import("./s3-files.ts");
  return new S3Files(settings, setting);
}
