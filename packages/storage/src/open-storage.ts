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
 * Opens the configured storage for this database. Throws an OperatorError if it cannot be written, read and deleted
 * from, or is not the one that the database knows.
 */
export async function openObjects(
  db: Queryable,
  { storage: settings, databaseUrl }: StorageSettings,
): Promise<StoredObjects> {
  const storage = await openStorage(settings);
  await storage.check();
  // With the embedded database there is only one server.
  const mayReplace = databaseUrl === undefined || !("folder" in settings) || settings.isNamed;
  const identity = await claimStorage(db, storage, { mayReplace });
  storage.keepTo(identity);
  return new StoredObjects(db, storage, identity);
}

/**
 * Opens the storage that the database knows, for a process that must not choose one. Returns null until a server has
 * claimed it, and if this process's settings lead elsewhere.
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
  storage.keepTo(databaseIdentity.id);
  return new StoredObjects(db, storage, databaseIdentity.id);
}

/** Opens a storage object, without writing or sending anything. */
export async function openStorage(settings: PlaceSettings): Promise<ObjectStorage> {
  return new ObjectStorage(await openFiles(settings, "STORAGE_URL"));
}

/** Opens a place of files, which the operator named by this setting; without writing or sending anything. */
export async function openFiles(settings: PlaceSettings, setting: PlaceSetting): Promise<Files> {
  if ("folder" in settings) return new FolderFiles(settings.folder, setting);
  // Loaded on demand: most servers keep files in a folder.
  const { S3Files } = await import("./s3-files.ts");
  return new S3Files(settings, setting);
}
