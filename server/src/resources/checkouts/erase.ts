import type { Queryable } from "../../database/connect.ts";
import { selectCheckouts } from "./queries.ts";
import { end } from "./settle-checkout.ts";

/**
 * Deletes the basket of an erased user, ends open checkouts, and removes address and name from all checkouts. A payment
 * that still arrives from the provider's page is refunded, since its buyer no longer exists.
 */
export async function eraseCheckouts(transaction: Queryable, userId: number, now: Date): Promise<void> {
  await transaction.deleteFrom("basket_items").where("user_id", "=", userId).execute();
  const open = await selectCheckouts(transaction)
    .where("user_id", "=", userId)
    .where("status", "=", "open")
    .forUpdate()
    .execute();
  for (const checkout of open)
    await end(transaction, checkout, {
      status: "cancelled",
      failureReason: "The account of the buyer was deleted.",
      now,
    });
  await transaction
    .updateTable("checkouts")
    .set({ email: null, buyer_name: null, billing: null, time_zone: null, language: null })
    .where("user_id", "=", userId)
    .execute();
}

/** When an account changes its address, its receipts and the orders in its library move to the new address. */
export async function moveCheckouts(
  transaction: Queryable,
  userId: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await transaction
    .updateTable("checkouts")
    .set({ email: to })
    .where("user_id", "=", userId)
    .where("email", "=", from)
    .execute();
}
