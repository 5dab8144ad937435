import type { Queryable } from "../../database/connect.ts";
import { erasedName } from "../users/erase.ts";

/** Whether a payment of a user is not final. Its outcome would be written with the user's name. */
export async function hasPendingOrder(db: Queryable, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where("user_id", "=", userId)
    .where("status", "=", "pending")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes the name of a user who is erased from the user's orders. */
export async function eraseBuyer(transaction: Queryable, userId: number): Promise<void> {
  await transaction
    .updateTable("orders")
    .set({ buyer_name: erasedName })
    .where("user_id", "=", userId)
    .where("buyer_name", "is not", null)
    .execute();
}
