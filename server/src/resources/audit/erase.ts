import type { Queryable } from "../../database/connection/connect.ts";

/** Deletes the audit log of a user who is erased. */
export async function eraseAudit(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("audit_entries").where("user_id", "=", userId).execute();
}
