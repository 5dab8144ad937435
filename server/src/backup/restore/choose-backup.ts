import { OperatorError } from "../../errors.ts";
import { type Backup, type Catalogue, isOnNewestTimeline, isUnbroken, replayable } from "../catalogue.ts";

/**
 * The backup from which a moment is restored: the newest one before it, on the way to the newest timeline. Throws an
 * OperatorError that says which moments can be restored when this one cannot.
 */
export function chooseBackup(catalogue: Catalogue, at: Date | null, place: string): Backup {
  const usable = catalogue.backups.filter((backup) => isOnNewestTimeline(catalogue, backup));
  const [first] = usable;
  if (first === undefined)
    throw new OperatorError(
      `The vault in ${place} has no backup of a database. Where only BACKUP_VAULT was set for an external database, restore that with its own tools first.`,
    );
  const until = catalogue.archived === null ? null : new Date(catalogue.archived.until);
  const range = `Moments from ${first.ended_at} to ${until?.toISOString() ?? first.ended_at} can be restored`;
  const chosen = at === null ? usable.at(-1) : usable.findLast(({ ended_at }) => new Date(ended_at) <= at);
  if (chosen === undefined)
    throw new OperatorError(`${at?.toISOString()} is before the first backup in ${place}. ${range}.`);
  if (at === null) return chosen;
  if (isUnbroken(catalogue, chosen) && (until === null || at > until))
    throw new OperatorError(
      `${at.toISOString()} is after the last that was archived in ${place}. ${range}; leave out --at for the newest.`,
    );
  return chosen;
}

/** What to say when the log ended before the moment: behind a gap of it. */
export function endedEarly(catalogue: Catalogue, backup: Backup, at: Date): OperatorError {
  const last = replayable(catalogue, backup).at(-1) ?? "";
  const next = catalogue.backups.find(({ ended_at }) => ended_at > backup.ended_at);
  return new OperatorError(
    `The archived log has a gap behind ${last}, before ${at.toISOString()}. Choose an earlier moment${next === undefined ? "" : `, or one from ${next.ended_at} on`}.`,
  );
}
