import type { Queryable } from "../../database/connection/connect.ts";

/** Makes an account a producer, which it stays, with its first beat on sale. */
export async function markProducer(transaction: Queryable, userId: number, now: Date): Promise<void> {
  await transaction
    .updateTable("users")
    .set({ is_producer: true, updated_at: now })
    .where("id", "=", userId)
    .where("is_producer", "=", false)
    .execute();
}
