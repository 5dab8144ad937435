import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { spoolDir } from "@beatmarket/postgres/embedded/postgres/archive-command.ts";

export interface DataFolder {
  /** Relative to the cluster; parents come before their children. */
  folders: string[];
  files: string[];
}

/**
 * Folders whose contents PostgreSQL recreates at a start; the folders themselves must exist (PostgreSQL, Making a Base
 * Backup).
 */
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const leftOut = new Set([
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
 * Lists the files that a base backup of a running cluster copies. Files may be added, removed and resized in the
 * meantime: replaying the log corrects that.
 */
export async function listDataFiles(clusterDir: string): Promise<DataFolder> {
  const dataFolder: DataFolder = { folders: ["pg_wal/archive_status", "pg_wal/summaries"], files: [] };
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(clusterDir, folder), { withFileTypes: true }).catch(orGone);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (leftOut.has(path) || isTemporary(entry.name)) continue;
      if (entry.isFile()) dataFolder.files.push(path);
      if (!entry.isDirectory()) continue;
      dataFolder.folders.push(path);
      if (!emptied.has(path)) await walk(path);
    }
  };
  await walk("");
  dataFolder.folders.sort();
  return dataFolder;
}

const orGone = (error: NodeJS.ErrnoException): never[] => {
  if (error.code === "ENOENT") return [];
  throw error;
};
