import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { spoolDir } from "@beatmarket/postgres/embedded/postgres/archive-command.ts";

export interface DataFolder {
  /** Paths relative to the cluster, each parent before its children. */
  folders: string[];
  files: string[];
}

/**
 * Folders that must exist, and whose contents PostgreSQL recreates at its start (PostgreSQL manual, Making a Base
 * Backup).
 */
const emptyFolders = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const excludedPaths = new Set([
  spoolDir,
  "postmaster.pid",
  "postmaster.opts",
  "postgres.log",
  "postgres.log.1",
  "backup_label",
  "tablespace_map",
  "current_logfiles.tmp",
]);
const isTemporary = (name: string): boolean =>
  name.startsWith("pgsql_tmp") || name.startsWith(".s.PGSQL.") || name === "pg_internal.init" || name.endsWith(".tmp");

/**
 * Lists the folders and files that a base backup of a running cluster copies. PostgreSQL may add, remove and resize
 * files during the backup: replaying the log repeats these changes.
 */
export async function listDataFiles(clusterDir: string): Promise<DataFolder> {
  const dataFolder: DataFolder = { folders: ["pg_wal/archive_status", "pg_wal/summaries"], files: [] };
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(clusterDir, folder), { withFileTypes: true }).catch(emptyIfMissing);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (excludedPaths.has(path) || isTemporary(entry.name)) continue;
      if (entry.isFile()) dataFolder.files.push(path);
      if (!entry.isDirectory()) continue;
      dataFolder.folders.push(path);
      if (!emptyFolders.has(path)) await walk(path);
    }
  };
  await walk("");
  dataFolder.folders.sort();
  return dataFolder;
}

const emptyIfMissing = (error: NodeJS.ErrnoException): never[] => {
  if (error.code === "ENOENT") return [];
  throw error;
};
