import { readAll } from "@beatmarket/storage/whole.ts";
import { isTime, manifestFault } from "./manifest.ts";
import { DamagedFile } from "./vault/sealing.ts";
import type { Vault } from "./vault/vault.ts";
import {
  type Ancestor,
  isHistory,
  isSegment,
  lsnValue,
  parseHistory,
  positionOf,
  positionOfLsn,
  segmentName,
  timelineOf,
} from "./wal/segments.ts";

/** The manifest of a base backup. It is written last, so a backup without a manifest is unfinished. */
export interface Backup {
  /** The time at which the backup began, such as 20261123T062730Z. */
  id: string;
  started_at: string;
  /** The first moment that can be restored from the backup. */
  ended_at: string;
  /** Null for an external database, of which only the objects are backed up. */
  database: DatabasePart | null;
  /** The number of objects in the database at the end of the backup. */
  objects: number;
  /**
   * When the secret files that the vault had at the end of the backup were shipped. Absent without a key, and in
   * backups of earlier releases.
   */
  data_dir_shipped_at?: string;
}

export interface DatabasePart {
  /** The cluster's system identifier. */
  cluster: string;
  postgres_major: number;
  timeline: number;
  /** The first and last segments of the log that must be replayed. */
  first_segment: string;
  last_segment: string;
  stop_lsn: string;
  /** In the order of their contents in the packs. */
  files: { path: string; bytes: number; sha256: string }[];
  folders: string[];
  packs: { name: string; bytes: number }[];
}

/** How far the write-ahead log is archived. The shipper writes this file. */
export interface ArchiveProgress {
  /** Everything that was committed before this time is in the vault. */
  until: string;
  /** What was committed before `until` is in this segment or earlier. Absent if an earlier release wrote the file. */
  segment?: string;
}

/** The archived write-ahead log of a cluster. An upgrade of PostgreSQL creates another cluster with a new log. */
export interface Log {
  /** The names of the archived segments. */
  segments: ReadonlySet<string>;
  /** The names of the archived timeline histories. */
  histories: ReadonlySet<string>;
  /** The newest timeline, and the ends of its ancestors. */
  timeline: number;
  ancestors: Ancestor[];
  archived: ArchiveProgress | null;
}

export interface BackupList {
  /** In ascending order of time. */
  backups: Backup[];
  /** The logs by cluster. */
  logs: ReadonlyMap<string, Log>;
  /** Index files of the vault that cannot be read. The list lacks their contents. */
  damaged: DamagedFile[];
  /** The ids of backups without a manifest, with the time of their newest file. One of them may be in progress. */
  unfinished: ReadonlyMap<string, Date>;
}

export const backupsPrefix = "backups/";
export const walPrefix = "wal/";
export const objectsPrefix = "objects/";
/** The transparency log is not the write-ahead log. */
export const transparencyLogPrefix = "transparency-log/";
export const dataDirName = "data-dir";
export const walName = (cluster: string, file: string): string => `${walPrefix}${cluster}/${file}`;
export const archivedName = (cluster: string): string => walName(cluster, "archived");
/** A backup without a manifest may be in progress until its newest file has this age. */
export const unfinishedMs = 86_400_000;
export const manifestName = (id: string): string => `${backupsPrefix}${id}/manifest`;
export const objectListName = (id: string): string => `${backupsPrefix}${id}/objects`;
export const packName = (id: string, number: number): string =>
  `${backupsPrefix}${id}/data-${String(number).padStart(6, "0")}`;

/** The id of a backup in the name of a file. */
export const idInName = (name: string): string => name.slice(backupsPrefix.length).split("/")[0] ?? "";

/** The cluster and the file in the name of a log file. */
export function partsOfWalName(name: string): { cluster: string; file: string } {
  const [cluster = "", file = ""] = name.slice(walPrefix.length).split("/");
  return { cluster, file };
}

/** Reads which backups and logs a vault has. */
export async function readBackupList(vault: Vault): Promise<BackupList> {
  const damaged: DamagedFile[] = [];
  const readable = <T>(reading: Promise<T | null>): Promise<T | null> =>
    reading.catch((error) => {
      if (!(error instanceof DamagedFile)) throw error;
      damaged.push(error);
      return null;
    });
  const backups: Backup[] = [];
  const unfinished = new Map<string, Date>();
  const manifests: string[] = [];
  for await (const { key, putAt } of vault.list(backupsPrefix)) {
    if (key.endsWith("/manifest")) manifests.push(key);
    const id = idInName(key);
    const newest = unfinished.get(id);
    if (newest === undefined || newest < putAt) unfinished.set(id, putAt);
  }
  for (const key of manifests) {
    unfinished.delete(idInName(key));
    const backup = await readable(readManifest(vault, idInName(key)));
    if (backup !== null) backups.push(backup);
  }
  const files = new Map<string, string[]>();
  for await (const { key } of vault.list(walPrefix)) {
    const { cluster, file } = partsOfWalName(key);
    files.set(cluster, [...(files.get(cluster) ?? []), file]);
  }
  const logs = new Map<string, Log>();
  for (const [cluster, names] of files) logs.set(cluster, await readLog(vault, cluster, names, readable));
  return { backups, logs, damaged, unfinished };
}

async function readLog(
  vault: Vault,
  cluster: string,
  names: readonly string[],
  readable: <T>(reading: Promise<T | null>) => Promise<T | null>,
): Promise<Log> {
  const histories = names.filter(isHistory);
  const segments = names.filter(isSegment);
  const timeline = [...histories, ...segments].reduce((newest, name) => Math.max(newest, timelineOf(name)), 1);
  const history = walName(cluster, `${segmentName(timeline, 0).slice(0, 8)}.history`);
  const branches = await readable(vault.get(history).then((content) => (content === null ? null : readAll(content))));
  return {
    segments: new Set(segments),
    histories: new Set(histories),
    timeline,
    ancestors: branches === null ? [] : parseHistory(branches.toString()),
    archived: await readable(readArchived(vault, cluster)),
  };
}

async function readManifest(vault: Vault, id: string): Promise<Backup | null> {
  const backup = await vault.getJson<Backup>(manifestName(id));
  const fault = backup === null ? null : manifestFault(id, backup);
  if (fault !== null) throw new DamagedFile(manifestName(id), fault);
  return backup;
}

async function readArchived(vault: Vault, cluster: string): Promise<ArchiveProgress | null> {
  const archived = await vault.getJson<ArchiveProgress>(archivedName(cluster));
  if (archived === null) return null;
  const { until, segment } = archived;
  if (!isTime(until) || (segment !== undefined && !isSegment(segment)))
    throw new DamagedFile(archivedName(cluster), "it names no time, or no segment of the log");
  return archived;
}

const emptyLog: Log = { segments: new Set(), histories: new Set(), timeline: 1, ancestors: [], archived: null };

/** The log of a backup's cluster. */
export const logOf = ({ logs }: BackupList, { database }: Backup): Log => logs.get(database?.cluster ?? "") ?? emptyLog;

/** The time up to which everything committed in a backup's cluster is in the vault; null if that is unknown. */
export function archivedUntil(backupList: BackupList, backup: Backup): Date | null {
  const { archived } = logOf(backupList, backup);
  return archived === null ? null : new Date(archived.until);
}

/**
 * Whether a backup belongs to the history of the newest timeline. A restore to an earlier moment abandons the backups
 * after that moment.
 */
export function isOnNewestTimeline(backupList: BackupList, backup: Backup): boolean {
  const { database } = backup;
  if (database === null) return false;
  const { timeline, ancestors } = logOf(backupList, backup);
  if (database.timeline === timeline) return true;
  const ancestor = ancestors.find((ancestor) => ancestor.timeline === database.timeline);
  return ancestor !== undefined && lsnValue(database.stop_lsn) <= lsnValue(ancestor.endLsn);
}

/** Returns the segments that can be replayed after a backup, up to the first missing segment. */
export function replayable(backupList: BackupList, backup: Backup): string[] {
  const { database } = backup;
  if (database === null) return [];
  const { timeline, ancestors, segments } = logOf(backupList, backup);
  // An abandoned timeline may have continued after the branch.
  const path = [...ancestors, { timeline, endLsn: "FFFFFFFF/0" }].map((each) => ({
    timeline: each.timeline,
    last: positionOfLsn(each.endLsn),
  }));
  const lines = path.some((each) => each.timeline === database.timeline)
    ? path
    : [{ timeline: database.timeline, last: Number.POSITIVE_INFINITY }];
  const replayableNames: string[] = [];
  for (let position = positionOf(database.first_segment); ; position++) {
    const names = lines
      .filter(({ last }) => position <= last)
      .map((line) => segmentName(line.timeline, position))
      .filter((name) => segments.has(name));
    if (names.length === 0) return replayableNames;
    replayableNames.push(...names);
  }
}

/** How much of a cluster's log is in the vault. */
export interface ArchivedLog {
  /** The newest archived segment; null if there is none. */
  last: string | null;
  /**
   * Everything that was committed before this time is in the vault, in `untilSegment` or an earlier segment. Null until
   * the time is known.
   */
  until: Date | null;
  untilSegment: string | null;
  /** Whether a segment after the newest base backup is missing, or that backup is on an abandoned timeline. */
  isBroken: boolean;
}

export function archivedLogOf(backupList: BackupList, cluster: string): ArchivedLog {
  const log = backupList.logs.get(cluster) ?? emptyLog;
  const newest = newestBackupOf(backupList, cluster);
  return {
    last: newestSegment(log),
    until: log.archived === null ? null : new Date(log.archived.until),
    untilSegment: log.archived?.segment ?? null,
    isBroken: newest !== undefined && !isUnbroken(backupList, newest),
  };
}

export const newestBackupOf = ({ backups }: BackupList, cluster: string): Backup | undefined =>
  backups.findLast(({ database }) => database?.cluster === cluster);

/**
 * Whether a backup is on the newest timeline, and no segment is missing between the backup and the newest segment of
 * this timeline that the vault has or that the shipper recorded as archived.
 */
export function isUnbroken(backupList: BackupList, backup: Backup): boolean {
  const last = replayable(backupList, backup).at(-1);
  if (last === undefined || !isOnNewestTimeline(backupList, backup)) return false;
  const log = logOf(backupList, backup);
  const recorded = log.archived?.segment;
  // A timeline that a restore has abandoned may have continued after the branch.
  const archived = recorded !== undefined && timelineOf(recorded) === log.timeline ? recorded : last;
  return positionOf(last) >= Math.max(positionOf(newestSegment(log) ?? last), positionOf(archived));
}

/** Whether the vault has the part of the log that every restore of the backup needs. */
export function hasOwnLog(backupList: BackupList, backup: Backup): boolean {
  const last = replayable(backupList, backup).at(-1);
  return backup.database !== null && last !== undefined && positionOf(last) >= positionOf(backup.database.last_segment);
}

/** The newest segment of the newest timeline; null if there is none. */
function newestSegment({ segments, timeline }: Log): string | null {
  let newest: string | null = null;
  for (const name of segments) if (timelineOf(name) === timeline && (newest === null || name > newest)) newest = name;
  return newest;
}
