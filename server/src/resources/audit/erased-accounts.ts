import type { Queryable } from "../../database/connect.ts";

/** The accounts that were erased since then. */
export async function accountsErasedSince(db: Queryable, time: Date): Promise<number[]> {
  const rows = await db
    .selectFrom("audit_entries")
    .select("user_id")
    .where("action", "=", "account.erased")
    .where("time", ">=", time)
    .execute();
  return rows.map(({ user_id }) => user_id);
}
