import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { SingleBeat } from "../beats/production.ts";
import { findSingleBeats } from "../beats/queries.ts";
import { isShown } from "../beats/state.ts";

/** Changes are stored for this time, in which a mirror may be unreachable (docs/api/changes.md). */
export const retentionDays = 30;

/**
 * Deletes changes older than `retentionDays`, but keeps the last of them: from its position on, the stream is complete
 * (`horizon`).
 */
export const deleteOldChanges = (db: Queryable, now: Date): Promise<number> => {
  const before = new Date(now.getTime() - retentionDays * 24 * 3_600_000);
  return inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from catalogue_changes where position in (
        select position from (
          select position, lead(position) over oldest_first as next,
                 max(changed_at) over (oldest_first rows between unbounded preceding and 1 following) as changed_by_next
          from (select position, changed_at from catalogue_changes order by position limit ${batchSize + 1}) as oldest
          window oldest_first as (order by position)
        ) as oldest
        where next is not null and changed_by_next < ${before})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
};

export const changeTypes = ["published", "updated", "sold", "withdrawn"] as const;
type ChangeType = (typeof changeTypes)[number];

/** A change of a beat, with its position in the order of commits. */
interface ChangeEntry {
  position: number;
  type: ChangeType;
  beatId: number;
}

/** A change with the current beat, which may be newer than the change. `beat`: see `beatOf`. */
interface Change extends ChangeEntry {
  beat: SingleBeat | null;
}

/** A page of the stream. `next` is the position to continue from. */
export interface Changes {
  changes: Change[];
  next: number;
}

/** The maximum number of changes in a row of the table (migration 0024). */
const maxPerRow = 1_000;

/** The stored part of the stream: the changes after `horizon`, up to `newest`. */
interface Extent {
  horizon: number;
  newest: number;
}

/**
 * The newest position of the stream. Read it in the same transaction snapshot as the beats: then a mirror that has
 * these beats can continue with the changes after this position.
 */
export async function newestPosition(db: Queryable): Promise<number> {
  const { rows } = await sql<{ newest: number }>`select max(position) as newest from catalogue_changes`.execute(db);
  return rows[0]?.newest ?? 0;
}

/** Whether any beat was withdrawn after this position and is taken down now. */
export async function hasTakedownSince(db: Queryable, position: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from catalogue_changes cross join unnest(ids) as withdrawn (beat_id) join beats on beats.id = beat_id
      where position > ${position}::bigint and subject = 'beats' and catalogue_changes.type = 'withdrawn'
        and beats.is_taken_down
    ) as found`.execute(db);
  return rows[0]?.found === true;
}

/**
 * At most `limit` changes after `after` (null: after the horizon), in the order of commits, with the current beats.
 * Also returns the extent of the stream, since an `after` outside of the extent has no changes.
 */
export async function readChanges(
  db: Queryable,
  after: number | null,
  limit: number,
): Promise<{ page: Changes; extent: Extent }> {
  const { extent, entries } = await readEntries(db, after, limit);
  const beats = await findSingleBeats(db, [...new Set(entries.map(({ beatId }) => beatId))]);
  const isFull = entries.length === limit;
  const next = isFull ? entries.at(-1)?.position : Math.max(after ?? 0, extent.newest);
  return {
    extent,
    page: {
      changes: entries.map((entry) => ({ ...entry, beat: beatOf(entry, beats) })),
      next: next ?? extent.newest,
    },
  };
}

/**
 * The beat of a change. Null for every withdrawal, even if a later change puts the beat on sale again, and for any
 * change of a beat that is not public now.
 */
function beatOf({ type, beatId }: ChangeEntry, beats: ReadonlyMap<number, SingleBeat>): SingleBeat | null {
  const beat = type === "withdrawn" ? undefined : beats.get(beatId);
  return beat !== undefined && isShown(beat) ? beat : null;
}

/**
 * Reads entries and extent in one statement, so that `newest` includes exactly the changes that the statement sees.
 * A row holds up to `maxPerRow` changes, and `after` can lie inside the first row. So the query stops unnesting rows at
 * `limit + maxPerRow` changes, and skips the changes up to `after`.
 */
async function readEntries(
  db: Queryable,
  after: number | null,
  limit: number,
): Promise<{ extent: Extent; entries: ChangeEntry[] }> {
  const { rows } = await sql<Extent & { entries: [number, ChangeType, number][] | null }>`
    with extent as (select min(position) as horizon, max(position) as newest from catalogue_changes)
    select extent.*, (
      select json_agg(json_build_array(position, type, beat_id)) from (
        select batch.position - count + place as position, type, beat_id
        from (
          select *, sum(count) over (order by position) - count as changes_before from (
            select position, type, ids, count from catalogue_changes
            where position > coalesce(${after}::bigint, extent.horizon) and subject = 'beats'
            order by position limit ${limit}
          ) as next
        ) as batch cross join unnest(ids) with ordinality as changed (beat_id, place)
        where changes_before < ${limit + maxPerRow}
          and batch.position - count + place > coalesce(${after}::bigint, extent.horizon)
        order by batch.position, place limit ${limit}
      ) as page
    ) as entries
    from extent`.execute(db);
  const { entries, horizon, newest } = rows[0] ?? { entries: null, horizon: 0, newest: 0 };
  return {
    extent: { horizon, newest },
    entries: (entries ?? []).map(([position, type, beatId]) => ({ position, type, beatId })),
  };
}
