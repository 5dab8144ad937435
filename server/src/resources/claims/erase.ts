import type { Queryable } from "../../database/connect.ts";

/** Takes the address from the claims of a user who is erased. That a producer was claimed is kept. */
export async function eraseClaims(transaction: Queryable, userId: number): Promise<void> {
  await transaction
    .updateTable("producer_claims")
    .set({ email: `erased-${userId}` })
    .where("user_id", "=", userId)
    .execute();
}
