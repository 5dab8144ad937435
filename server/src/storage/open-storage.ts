import type { Config } from "../config.ts";
import { FolderStorage } from "./folder-storage.ts";
import type { Storage, StorageUpkeep } from "./storage.ts";

/** Opens a storage. Nothing is written, and nothing sent. */
export async function openStorage(settings: Config["storage"]): Promise<Storage & StorageUpkeep> {
  if ("folder" in settings) return new FolderStorage(settings.folder);
  // Loaded when needed: most servers keep objects in a folder.
  const { S3Storage } = await import("./s3-storage.ts");
  return new S3Storage(settings);
}
