import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

const retentionMs = 400 * 86_400_000;
/** An attacker would need seven hours, at the portal's limit of 120 changes a minute, to push older entries out. */
const maxEntriesPerAccount = 50_000;

/**
 * Deletes audit entries after 400 days, and the oldest entries of an account that has more than `maxEntries`. Returns
 * the number of deleted entries.
 */
export async function deleteOldAudit(
  db: Queryable,
  now: Date,
  maxEntries: number = maxEntriesPerAccount,
): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  // Ids rise with time. So the first batch with an entry that is not old deletes fewer rows, and is the last batch.
  const expired = await inBatches(() =>
    deleteEntries(
      db,
      sql`select id from (select id, time from audit_entries order by id limit ${batchSize}) oldest
          where time < ${before}`,
    ),
  );
  const { rows: accounts } = await sql<{ userId: number }>`
    select user_id as "userId" from audit_entries group by user_id having count(*) > ${maxEntries}`.execute(db);
  let total = expired;
  for (const { userId } of accounts)
    total += await inBatches(() =>
      deleteEntries(
        db,
        sql`select id from audit_entries
            where user_id = ${userId} and id < (
              select id from audit_entries where user_id = ${userId} order by id desc offset ${maxEntries - 1} limit 1)
            limit ${batchSize}`,
      ),
    );
  return total;
}

async function deleteEntries(db: Queryable, ids: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await sql`delete from audit_entries where id in (${ids})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The ids of the accounts that were erased since a time. */
export async function accountsErasedSince(db: Queryable, time: Date): Promise<number[]> {
  const rows = await db
    .selectFrom("audit_entries")
    .select("user_id")
    .where("action", "=", "account.erased")
    .where("time", ">=", time)
    .execute();
  return rows.map(({ user_id }) => user_id);
}
