import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

const keptYears = 3;

/** Deletes reports that were decided so long ago that no claim can follow from them. */
export async function deleteOldReports(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now);
  before.setUTCFullYear(before.getUTCFullYear() - keptYears);
  await sql`delete from beat_reports where decided_at < ${before}::timestamptz`.execute(db);
}

/** Erases what a user wrote, as a reporter or as a producer, before the address is erased. That a beat was reported, and why, stays. */
export async function eraseReports(transaction: Queryable, userId: number): Promise<void> {
  await sql`update beat_reports set details = null, email = null
    where email = (select email from users where id = ${userId})`.execute(transaction);
  await sql`update beat_reports set counter = null where beat_id in (select id from beats where user_id = ${userId})`.execute(
    transaction,
  );
}
