import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { SingleBeat } from "../beats/production.ts";
import { findSingleBeats } from "../beats/queries.ts";
import { isShown } from "../beats/state.ts";

/** How long a mirror may be unreachable and still continue from where it was (docs/api/changes.md). */
export const retentionDays = 30;

/** Deletes old changes, except for the newest of them: the oldest row that is left is the horizon. */
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

/** A change of a listed beat, at its place in the order of commits. */
interface ChangeEntry {
  position: number;
  type: ChangeType;
  beatId: number;
}

/** A change with the beat as it is now, which may be newer; null when it is withdrawn. */
interface Change extends ChangeEntry {
  beat: SingleBeat | null;
}

/** A page of the stream. `next` is the position to continue from. */
export interface Changes {
  changes: Change[];
  next: number;
}

/** The most changes in a row of the table (migration 0024). */
const maxPerRow = 1_000;

/** What is kept of the stream: the changes behind `horizon`, up to `newest`. */
interface Extent {
  horizon: number;
  newest: number;
}

/** The newest position of the stream. Read in the snapshot of other rows, it is the position that they stand for. */
export async function newestPosition(db: Queryable): Promise<number> {
  const { rows } = await sql<{ newest: number }>`select max(position) as newest from catalogue_changes`.execute(db);
  return rows[0]?.newest ?? 0;
}

/** Whether a beat that was shown at this position has been taken down since, and still is. */
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
 * At most `limit` changes behind `after`, or behind the horizon when it is null, in the order of commits, with the beats as
 * they are now. Also says what is kept of the stream; nothing is read for an `after` outside of it.
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

/** Null for a withdrawal also of a beat that is on sale again: a later change brings it back. */
function beatOf({ type, beatId }: ChangeEntry, beats: ReadonlyMap<number, SingleBeat>): SingleBeat | null {
  const beat = type === "withdrawn" ? undefined : beats.get(beatId);
  return beat !== undefined && isShown(beat) ? beat : null;
}

/**
 * One statement, so that `newest` covers exactly the changes that it sees. Rows are taken apart until there are enough
 * changes, of the first of which up to all may be behind `after`.
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
