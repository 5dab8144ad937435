import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/**
 * Deletes the producers whom an import made and who have no beat any more, listed or not; those that were claimed stay.
 * Returns how many.
 */
export const deleteBeatlessProducers = (db: Queryable): Promise<number> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from users where id in (
        select users.id from users join producer_counts on user_id = users.id
        where import_name is not null and email is null and joined_user_id is null and beats_count = 0
          and not exists (select from beats where beats.user_id = users.id)
        order by users.id limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
