import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** The number of days shown, including today. */
const shownDays = 30;
const keptDays = 90;
const dayMs = 86_400_000;

/** The plays and sales of a beat in the last days. */
export interface Reach {
  /** One entry for each day (UTC), oldest first. */
  days: { day: string; plays: number; sales: number }[];
}

/** Plays and completed orders of a beat in the last 30 days. */
export async function findReach(db: Queryable, beatId: number, now: Date): Promise<Reach> {
  const from = new Date(now.getTime() - (shownDays - 1) * dayMs).toISOString().slice(0, 10);
  const { rows } = await sql<Reach["days"][number]>`
    with sold as (
      select (completed_at at time zone 'UTC')::date as day, count(*)::int as sales from orders
      where beat_id = ${beatId} and status = 'completed' and completed_at >= ${`${from}T00:00:00Z`}::timestamptz
      group by 1)
    select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(played.plays, 0) as plays, coalesce(sold.sales, 0) as sales
    from generate_series(${from}::date, ${from}::date + ${shownDays - 1}::int, interval '1 day') as days (day)
    left join beat_plays played on played.beat_id = ${beatId} and played.day = days.day
    left join sold on sold.day = days.day
    order by days.day`.execute(db);
  return { days: rows };
}

/** Deletes plays of days that no page shows any more. */
export async function deleteOldPlays(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs).toISOString().slice(0, 10);
  await inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from beat_plays where (day, beat_id) in (
        select day, beat_id from beat_plays where day < ${before}::date limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}
