import { OperatorError } from "../../errors.ts";
import { archivedUntil, type Backup, type Catalogue, isOnNewestTimeline, replayable } from "../catalogue.ts";

export interface Range {
  /** ISO 8601. */
  from: string;
  to: string;
  /** The system identifier of the cluster whose moments these are. */
  cluster: string;
}

/** The moments that can be restored, of each cluster by time. Within them the log may have gaps. */
export function restorable(catalogue: Catalogue): Range[] {
  const ranges = new Map<string, Range>();
  for (const backup of catalogue.backups) {
    const cluster = backup.database?.cluster;
    if (cluster === undefined || ranges.has(cluster) || !isOnNewestTimeline(catalogue, backup)) continue;
    const from = backup.ended_at;
    const until = archivedUntil(catalogue, backup);
    const to = until === null || until < new Date(from) ? from : until.toISOString();
    ranges.set(cluster, { from, to, cluster });
  }
  return [...ranges.values()];
}

/**
 * The backup from which a moment is restored: the newest one before it, on the way to the newest timeline of a cluster whose log
 * reaches so far. Without a moment it is the newest of the cluster that was archived last. Throws an OperatorError that says
 * which moments can be restored when this one cannot.
 */
export function chooseBackup(catalogue: Catalogue, at: Date | null, place: string): Backup {
  const ranges = restorable(catalogue);
  if (ranges.length === 0)
    throw new OperatorError(
      `The vault in ${place} has no backup of a database, so nothing can be restored from it. beatmarket backup verify says what it has.${damageIn(catalogue)}`,
    );
  const newestOf = (wanted: (range: Range) => boolean, before: Date | null): Backup | undefined => {
    const clusters = new Set(ranges.filter(wanted).map(({ cluster }) => cluster));
    return catalogue.backups.findLast(
      (backup) =>
        clusters.has(backup.database?.cluster ?? "") &&
        isOnNewestTimeline(catalogue, backup) &&
        (before === null || new Date(backup.ended_at) <= before),
    );
  };
  const last = ranges
    .map(({ to }) => to)
    .sort()
    .at(-1);
  if (at === null) return newestOf(({ to }) => to === last, null) as Backup;
  const chosen = newestOf(({ to }) => at <= new Date(to), at);
  if (chosen !== undefined) return chosen;
  const which = newestOf(() => true, at) === undefined ? "before the first backup" : "after the last that was archived";
  const told = ranges.map(({ from, to }) => `from ${from} to ${to}`).join(" and ");
  throw new OperatorError(
    `${at.toISOString()} is ${which} in ${place}. Moments ${told} can be restored; leave out --at for the newest.${damageIn(catalogue)}`,
  );
}

const damageIn = ({ damaged }: Catalogue): string => damaged.map(({ message }) => ` ${message}`).join("");

/** What to say when the log ended before the moment: behind a gap of it. */
export function endedEarly(catalogue: Catalogue, backup: Backup, at: Date): OperatorError {
  const last = replayable(catalogue, backup).at(-1) ?? "";
  const next = catalogue.backups.find(({ ended_at }) => ended_at > backup.ended_at);
  return new OperatorError(
    `The archived log has a gap behind ${last}, before ${at.toISOString()}. Choose an earlier moment${next === undefined ? "" : `, or one from ${next.ended_at} on`}.`,
  );
}
