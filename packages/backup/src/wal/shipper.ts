import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { readAll } from "@beatmarket/storage/whole.ts";
import { sql } from "kysely";
import { type ArchivedLog, type ArchiveProgress, archivedName, walName } from "../backup-list.ts";
import type { ObjectCopier } from "../objects.ts";
import type { Vault } from "../vault/vault.ts";
import { isSegment, positionOf, segmentName, timelineOf } from "./segments.ts";
import type { Spool } from "./spool.ts";

/** After this time, PostgreSQL finishes a segment that has a commit (`archive_timeout`). */
export const archiveTimeoutSeconds = 20;
/** After this time without writes, the current segment has no commits, because PostgreSQL would have finished it. */
const stillMs = (archiveTimeoutSeconds + 5) * 1_000;
/** How often the end of the archive is written to the vault. */
const recordEveryMs = 20_000;
/** If two segments are further apart, a base backup costs less than a check of the segments between them. */
const maxCheckedSegments = 1_000;

export interface ShipperParts {
  vault: Vault;
  /** The cluster's system identifier. */
  cluster: string;
  spool: Spool;
  /** Connected as PostgreSQL's superuser. */
  superuser: Queryable;
  copier: ObjectCopier;
}

interface Observation {
  at: Date;
  /** The segment that PostgreSQL was writing at that time. */
  segment: string;
  lsn: string;
}

/**
 * Ships finished segments of the write-ahead log from the spool to the vault. Several processes may ship concurrently.
 */
export class Shipper {
  readonly #parts: ShipperParts;
  /** The newest segment known to be archived. */
  #last: string | null;
  /** Observations whose segment is not archived yet. */
  #observed: Observation[] = [];
  /** The first observation at the current position of the log. */
  #stillSince: Observation | null = null;
  #recordedMs: number | null = null;
  #areHistoriesShipped = false;
  /**
   * Everything that was committed before this time is in the vault and can be replayed; null until the time is known.
   */
  until: Date | null;
  /** Everything that was committed before `until` is in this segment or an earlier one. */
  #untilSegment: string | null;
  /**
   * Whether the log has a gap or began another timeline. Later commits can then be restored only from a new base
   * backup.
   */
  isBroken: boolean;

  constructor(parts: ShipperParts, archived: ArchivedLog) {
    this.#parts = parts;
    this.#last = archived.last;
    this.until = archived.until;
    this.#untilSegment = archived.untilSegment;
    this.isBroken = archived.isBroken;
  }

  /**
   * Ships all finished segments. Copies objects first, because no archived log may refer to an object that the vault
   * lacks.
   */
  async ship(stopping?: AbortSignal): Promise<void> {
    const { spool, copier, superuser } = this.#parts;
    const now = await observe(superuser);
    const names = await spool.list();
    await copier.copyRecent(stopping);
    await this.#shipHistories();
    for (const name of names) {
      stopping?.throwIfAborted();
      await this.#shipFile(name);
    }
    await this.#updateUntil(now);
  }

  /** Ships the segments that PostgreSQL finished when it stopped, and updates `until`. */
  async shipRest(stopping: AbortSignal): Promise<void> {
    for (const name of await this.#parts.spool.list()) {
      stopping.throwIfAborted();
      await this.#shipFile(name);
    }
    this.#takeShipped();
    await this.#recordState();
  }

  /**
   * Notes the current position. Once its segment is shipped, `until` is at least the time of this call, unless the log
   * has a gap.
   */
  async observe(): Promise<void> {
    this.#observed.push(await observe(this.#parts.superuser));
  }

  /** Returns a file's name in the vault. */
  #vaultName(file: string): string {
    return walName(this.#parts.cluster, file);
  }

  async #shipFile(name: string): Promise<void> {
    const { vault, spool } = this.#parts;
    const target = this.#vaultName(name);
    if ((await vault.head(target)) === null) await vault.put(target, spool.read(name)).catch(ignoreIfTaken);
    else await this.#requireSame(name);
    await spool.remove(name);
    if (!isSegment(name)) return;
    if (this.#last !== null && !(await this.#hasSegmentsBetween(this.#last, name))) this.isBroken = true;
    if (this.#last === null || name > this.#last) this.#last = name;
  }

  /** Whether the vault has all segments between two others. Another process may have shipped some of them. */
  async #hasSegmentsBetween(from: string, to: string): Promise<boolean> {
    if (timelineOf(from) !== timelineOf(to) || positionOf(to) - positionOf(from) > maxCheckedSegments) return false;
    for (let position = positionOf(from) + 1; position < positionOf(to); position++)
      if ((await this.#parts.vault.head(this.#vaultName(segmentName(timelineOf(to), position)))) === null) return false;
    return true;
  }

  /**
   * Throws if the vault has the file with other content. PostgreSQL archives a segment a second time if it was killed
   * before it recorded the first time.
   */
  async #requireSame(name: string): Promise<void> {
    const { vault, spool } = this.#parts;
    const content = await readAll(spool.read(name)).catch(ignoreIfTaken);
    const archived = content === undefined ? null : await vault.get(this.#vaultName(name));
    if (content === undefined || archived === null || (await readAll(archived)).equals(content)) return;
    throw new OperatorError(
      `The vault in ${vault.place} has a file ${name} that differs from the one of this database. Another database with the same history archives into this vault. Set BACKUP_VAULT of this database to another folder or prefix.`,
    );
  }

  /** Ships the timeline histories, since a restored cluster begins its timeline before it archives anything. */
  async #shipHistories(): Promise<void> {
    if (this.#areHistoriesShipped) return;
    const { vault, spool } = this.#parts;
    for (const { name, content } of await spool.histories())
      if ((await vault.head(this.#vaultName(name))) === null) await vault.put(this.#vaultName(name), content());
    this.#areHistoriesShipped = true;
  }

  /** Updates `until` after all segments that were finished at `now` have been shipped. */
  async #updateUntil(now: Observation): Promise<void> {
    this.#observed.push(now);
    if (this.#stillSince?.lsn !== now.lsn) this.#stillSince = now;
    const before = segmentName(timelineOf(now.segment), positionOf(now.segment) - 1);
    if (
      (this.#last === null || this.#last < before) &&
      (await this.#parts.vault.head(this.#vaultName(before))) !== null
    ) {
      if (this.#last !== null && !(await this.#hasSegmentsBetween(this.#last, before))) this.isBroken = true;
      this.#last = before;
    }
    this.#takeShipped();
    const isStill = now.at.getTime() - this.#stillSince.at.getTime() >= stillMs;
    if (isStill && !this.isBroken && this.#last !== null && this.#last >= before) {
      this.until = now.at;
      this.#untilSegment = before;
    }
    if (this.#recordedMs === null || performance.now() - this.#recordedMs >= recordEveryMs) await this.#recordState();
  }

  /**
   * Sets `until` to the newest observation whose segment is shipped: that segment and the earlier ones have all commits
   * before the observation.
   */
  #takeShipped(): void {
    const last = this.#last;
    if (last === null || this.isBroken) return;
    const isShipped = ({ segment }: Observation) => timelineOf(segment) === timelineOf(last) && segment <= last;
    const newest = this.#observed.findLast(isShipped);
    if (newest !== undefined && (this.until === null || newest.at > this.until)) {
      this.until = newest.at;
      this.#untilSegment = newest.segment;
    }
    this.#observed = this.#observed.filter((each) => !isShipped(each));
  }

  /** Ignores the gaps before a base backup that this or another process made. `segment` is the backup's last one. */
  async closeGap(segment: string): Promise<void> {
    if (this.#last === null || this.#last < segment) this.#last = segment;
    let last: string;
    let isContinuous: boolean;
    do {
      last = this.#last;
      isContinuous = last === segment || (await this.#hasSegmentsBetween(segment, last));
    } while (last !== this.#last); // A segment was shipped during the check.
    this.isBroken = !isContinuous;
    this.#takeShipped();
    await this.#recordState();
  }

  /** Notes a gap in the vault's log, which arises if archived files are deleted or an older copy replaces the vault. */
  review(archived: ArchivedLog): void {
    if (archived.isBroken) this.isBroken = true;
  }

  async #recordState(): Promise<void> {
    if (this.until === null) return;
    await this.#parts.vault.putJson(archivedName(this.#parts.cluster), {
      until: this.until.toISOString(),
      ...(this.#untilSegment !== null && { segment: this.#untilSegment }),
    } satisfies ArchiveProgress);
    this.#recordedMs = performance.now();
  }
}

async function observe(superuser: Queryable): Promise<Observation> {
  const { rows } = await sql<Observation>`
    select clock_timestamp() as at, lsn::text as lsn, pg_walfile_name(lsn) as segment
    from pg_current_wal_insert_lsn() as lsn`.execute(superuser);
  return rows[0] as Observation;
}

/** Ignores a missing file: another process that ships from the same spool took it first. */
const ignoreIfTaken = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT") throw error;
};
