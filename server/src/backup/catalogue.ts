import { type Vault, whole } from "./vault/vault.ts";
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

/** A base backup, as its manifest in the vault says. The manifest is written last: without it there is no backup. */
export interface Backup {
  /** When it began, such as 20261123T062730Z. */
  id: string;
  started_at: string;
  /** The first moment that can be restored from it. */
  ended_at: string;
  /** Null: the objects of an external database alone. */
  database: DatabasePart | null;
  /** Objects that the database knew at its end. */
  objects: number;
}

export interface DatabasePart {
  postgres_major: number;
  timeline: number;
  /** Where the log has to be replayed from and to. */
  first_segment: string;
  last_segment: string;
  stop_lsn: string;
  /** In the order of their content, which is cut into packs. */
  files: { path: string; bytes: number; sha256: string }[];
  folders: string[];
  packs: { name: string; bytes: number }[];
}

/** How far the archived write-ahead log reaches, as the shipper says. */
export interface Archived {
  /** All that was committed by then is in the vault. */
  until: string;
}

export interface Catalogue {
  /** By time. */
  backups: Backup[];
  /** Names of the archived segments. */
  segments: ReadonlySet<string>;
  /** Names of the archived histories of timelines. */
  histories: ReadonlySet<string>;
  /** The newest timeline, and where its ancestors ended. */
  timeline: number;
  ancestors: Ancestor[];
  archived: Archived | null;
}

export const backupsPrefix = "backups/";
export const walPrefix = "wal/";
export const objectsPrefix = "objects/";
export const archivedName = "archived";
export const dataDirName = "data-dir";
export const manifestName = (id: string): string => `${backupsPrefix}${id}/manifest`;
export const objectListName = (id: string): string => `${backupsPrefix}${id}/objects`;
export const packName = (id: string, number: number): string =>
  `${backupsPrefix}${id}/data-${String(number).padStart(6, "0")}`;

/** Reads what a vault has, but for the objects. */
export async function readCatalogue(vault: Vault): Promise<Catalogue> {
  const backups: Backup[] = [];
  for await (const { key } of vault.list(backupsPrefix))
    if (key.endsWith("/manifest")) {
      const backup = await vault.getJson<Backup>(key);
      if (backup !== null) backups.push(backup);
    }
  const names: string[] = [];
  for await (const { key } of vault.list(walPrefix)) names.push(key.slice(walPrefix.length));
  const histories = names.filter(isHistory);
  const segments = names.filter(isSegment);
  const timeline = Math.max(1, ...histories.map(timelineOf), ...segments.map(timelineOf));
  const history = await vault.get(`${walPrefix}${segmentName(timeline, 0).slice(0, 8)}.history`);
  return {
    backups,
    segments: new Set(segments),
    histories: new Set(histories),
    timeline,
    ancestors: history === null ? [] : parseHistory((await whole(history)).toString()),
    archived: await vault.getJson<Archived>(archivedName),
  };
}

/** Whether the newest timeline leads through a backup. One from behind a branch belongs to a past that a restore has left. */
export function isOnNewestTimeline({ timeline, ancestors }: Catalogue, { database }: Backup): boolean {
  if (database === null) return false;
  if (database.timeline === timeline) return true;
  const ancestor = ancestors.find((its) => its.timeline === database.timeline);
  return ancestor !== undefined && lsnValue(database.stop_lsn) <= lsnValue(ancestor.endLsn);
}

/** The segments that can be replayed from a backup on: as far as none is missing. */
export function replayable(catalogue: Catalogue, { database }: Backup): string[] {
  if (database === null) return [];
  const { timeline, ancestors, segments } = catalogue;
  // An abandoned timeline may have gone on behind the branch.
  const path = [...ancestors, { timeline, endLsn: "FFFFFFFF/0" }].map((its) => ({
    timeline: its.timeline,
    last: positionOfLsn(its.endLsn),
  }));
  const lines = path.some((its) => its.timeline === database.timeline)
    ? path
    : [{ timeline: database.timeline, last: Number.POSITIVE_INFINITY }];
  const found: string[] = [];
  for (let position = positionOf(database.first_segment); ; position++) {
    const names = lines
      .filter(({ last }) => position <= last)
      .map((its) => segmentName(its.timeline, position))
      .filter((name) => segments.has(name));
    if (names.length === 0) return found;
    found.push(...names);
  }
}

/** Whether no segment is missing from a backup to the newest that was archived. */
export function isUnbroken(catalogue: Catalogue, backup: Backup): boolean {
  const last = replayable(catalogue, backup).at(-1);
  if (last === undefined || !isOnNewestTimeline(catalogue, backup)) return false;
  let newest = 0;
  for (const name of catalogue.segments)
    if (timelineOf(name) === catalogue.timeline) newest = Math.max(newest, positionOf(name));
  return positionOf(last) >= newest;
}
