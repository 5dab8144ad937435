import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

const keptYears = 3;

/** Deletes reports whose decision is too old for any claim. */
export async function deleteOldReports(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now);
  before.setUTCFullYear(before.getUTCFullYear() - keptYears);
  await sql`delete from beat_reports where decided_at < ${before}::timestamptz`.execute(db);
}

/**
 * Erases the texts of a user, as reporter and as producer. Call it before the address is erased. The report and its
 * reason stay.
 */
export async function eraseReports(transaction: Queryable, userId: number): Promise<void> {
  await sql`update beat_reports set details = null, email = null
    where email = (select email from users where id = ${userId})`.execute(transaction);
  await sql`update beat_reports set counter = null where beat_id in (select id from beats where user_id = ${userId})`.execute(
    transaction,
  );
}
