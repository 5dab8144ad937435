import { isSegment } from "./wal/segments.ts";

/** The fields of a manifest that `manifestFault` checks. */
interface Manifest {
  id: string;
  started_at: string;
  ended_at: string;
  objects: number;
  database: ManifestDatabase | null;
}

interface ManifestDatabase {
  cluster: string;
  first_segment: string;
  last_segment: string;
  stop_lsn: string;
  files: { path: string; bytes: number; sha256: string }[];
  folders: string[];
  packs: { name: string }[];
}

const packPattern = (id: string, number: number): string => `backups/${id}/data-${String(number).padStart(6, "0")}`;

export const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));

const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Whether a path stays below the folder to which it is joined: no absolute path, no `..`, no control characters. */
function isPathInside(path: unknown): boolean {
  if (typeof path !== "string" || /[\p{Cc}\\]/u.test(path)) return false;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}

/**
 * Returns the reason why a manifest cannot belong to this backup, as a clause; null if it is valid. In a vault without
 * a key, anyone may have written the manifest.
 */
export function manifestFault(id: string, backup: Manifest): string | null {
  try {
    if (backup.id !== id) return "it belongs to another backup";
    const { started_at, ended_at, database, objects } = backup;
    if (!isTime(started_at) || !isTime(ended_at) || !isSize(objects)) return "it lacks its times or counts";
    return database === null ? null : databaseFault(id, database);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return "it is not a manifest";
  }
}

function databaseFault(id: string, database: ManifestDatabase): string | null {
  const { cluster, first_segment, last_segment, stop_lsn, files, folders, packs } = database;
  if (
    !/^\d{1,20}$/.test(cluster) ||
    !isSegment(first_segment) ||
    !isSegment(last_segment) ||
    !/^[0-9A-F]+\/[0-9A-F]+$/.test(stop_lsn)
  )
    return "it names no part of a log";
  const stray = [...files.map(({ path }) => path), ...folders].find((path) => !isPathInside(path));
  if (stray !== undefined) return `it names a file outside of the database: ${JSON.stringify(stray).slice(0, 200)}`;
  if (files.some(({ path }) => path === "tablespace_map")) return "it names tablespaces, which no backup has";
  if (!files.every(({ bytes, sha256 }) => isSize(bytes) && /^[0-9a-f]{64}$/.test(sha256)))
    return "it lacks sizes or hashes";
  if (!packs.every(({ name }, number) => name === packPattern(id, number)))
    return "its packs belong to another backup, or are in another order";
  return null;
}
