import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** How long a mirror may be away and still go on from where it was (docs/api/changes.md). */
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
