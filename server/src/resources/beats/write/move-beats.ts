import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";

/** Gives the beats of producers that an account has claimed to that account, in batches. Returns how many. No event is sent. */
export const moveJoinedBeats = (db: Queryable, now: Date): Promise<number> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      update beats set user_id = producer.joined_user_id, updated_at = ${now}
      from users producer
      where producer.id = beats.user_id and producer.joined_user_id is not null and beats.id in (
        select beats.id from users join beats on beats.user_id = users.id
        where joined_user_id is not null order by beats.id limit ${batchSize} for update of beats)`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
