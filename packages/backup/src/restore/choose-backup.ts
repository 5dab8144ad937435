import { OperatorError } from "@beatmarket/foundation/errors.ts";
import {
  archivedUntil,
  type Backup,
  type BackupList,
  hasOwnLog,
  isOnNewestTimeline,
  isUnbroken,
  replayable,
} from "../backup-list.ts";

export interface Range {
  /** ISO 8601. */
  from: string;
  to: string;
  /** The system identifier of the cluster that has these moments. */
  cluster: string;
  /**
   * The segment after which the log has a gap; null without a gap. If there is a gap, `to` is the end of the last base
   * backup before it. Moments between `to` and the end of this segment can be restored, too.
   */
  gap_after: string | null;
}

/**
 * Returns the ranges of moments that can be restored, for each cluster in order of time. A gap of the log ends a range;
 * the next base backup begins a new range.
 */
export function restorable(backupList: BackupList): Range[] {
  const ranges: Range[] = [];
  for (const backup of backupList.backups) {
    const { database, ended_at: endedAt } = backup;
    if (database === null || !isOnNewestTimeline(backupList, backup)) continue;
    const { cluster } = database;
    const before = ranges.findLast((range) => range.cluster === cluster);
    if (before !== undefined && before.gap_after === null) continue;
    if (!hasOwnLog(backupList, backup)) continue;
    const gap_after = isUnbroken(backupList, backup) ? null : (replayable(backupList, backup).at(-1) ?? null);
    const until = archivedUntil(backupList, backup);
    const to = gap_after !== null || until === null || until < new Date(endedAt) ? endedAt : until.toISOString();
    if (before !== undefined && before.gap_after === gap_after) before.to = to;
    else ranges.push({ from: endedAt, to, cluster, gap_after });
  }
  return ranges.sort((a, b) => a.cluster.localeCompare(b.cluster) || (a.from < b.from ? -1 : 1));
}

/**
 * Chooses the backup from which to restore a moment: the newest backup before the moment, on the newest timeline of a
 * cluster whose log reaches the moment. Without a moment, chooses the newest backup of the cluster that was archived
 * last. If the moment cannot be restored, throws an OperatorError that names the moments that can.
 */
export function chooseBackup(backupList: BackupList, time: Date | null, place: string): Backup {
  const ranges = restorable(backupList);
  // The vault lacks a part of this backup's log. The restore reports which.
  const incomplete = backupList.backups.findLast((backup) => isOnNewestTimeline(backupList, backup));
  if (ranges.length === 0 && time === null && incomplete !== undefined) return incomplete;
  if (ranges.length === 0)
    throw new OperatorError(
      `The vault in ${place} has no backup of a database, so nothing can be restored from it. \`beatmarket backup verify\` says what it has.${damageIn(backupList)}`,
    );
  const newestOf = (isCandidate: (range: Range) => boolean, before: Date | null): Backup | undefined => {
    const clusters = new Set(ranges.filter(isCandidate).map(({ cluster }) => cluster));
    return backupList.backups.findLast(
      (backup) =>
        clusters.has(backup.database?.cluster ?? "") &&
        isOnNewestTimeline(backupList, backup) &&
        hasOwnLog(backupList, backup) &&
        (before === null || new Date(backup.ended_at) <= before),
    );
  };
  const last = ranges
    .map(({ to }) => to)
    .sort()
    .at(-1);
  if (time === null) return newestOf(({ to }) => to === last, null) as Backup;
  const newest = newestOf(({ to }) => time <= new Date(to), time);
  if (newest !== undefined) return newest;
  const which =
    newestOf(() => true, time) === undefined ? "before the first backup" : "after the last that was archived";
  const moments = ranges.map(rangeText).join(" and ");
  throw new OperatorError(
    `${time.toISOString()} is ${which} in ${place}. Moments ${moments} can be restored; leave out --at for the newest.${damageIn(backupList)}`,
  );
}

const rangeText = ({ from, to, gap_after }: Range): string =>
  `from ${from} to ${to}${gap_after === null ? "" : ` and as far as the segment ${gap_after}, after which the log has a gap,`}`;

const damageIn = ({ damaged }: BackupList): string => damaged.map(({ message }) => ` ${message}`).join("");

/** The error for a log that ends at a gap before the requested moment. */
export function endedEarly(backupList: BackupList, backup: Backup, time: Date): OperatorError {
  const last = replayable(backupList, backup).at(-1) ?? "";
  const next = backupList.backups.find(({ ended_at }) => ended_at > backup.ended_at);
  return new OperatorError(
    `The archived log has a gap after ${last}, before ${time.toISOString()}. Choose an earlier moment${next === undefined ? "" : `, or one from ${next.ended_at} on`}.`,
  );
}
