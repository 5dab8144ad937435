import type { Queryable } from "../../database/connect.ts";
import { announceChanges } from "./profile.ts";
import { findProfile } from "./queries.ts";

/** Makes an account a producer, which it stays, with its first beat on sale, and emits user.updated. */
export async function markProducer(transaction: Queryable, userId: number, now: Date): Promise<void> {
  const before = await findProfile(transaction, userId);
  if (before.is_producer) return;
  const { numUpdatedRows } = await transaction
    .updateTable("users")
    .set({ is_producer: true, updated_at: now })
    .where("id", "=", userId)
    .where("is_producer", "=", false)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await announceChanges(transaction, before, { requestId: null, now });
}
