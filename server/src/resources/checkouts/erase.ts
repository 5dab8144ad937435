import type { Queryable } from "../../database/connect.ts";
import { selectCheckouts } from "./queries.ts";
import { end } from "./settle-checkout.ts";

/**
 * Deletes the basket of a user who is erased, ends their open checkouts, and takes address and name from all. What is paid on a page that
 * the provider still shows is refunded, since its buyer is gone.
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
    .set({ email: null, buyer_name: null, billing: null, time_zone: null })
    .where("user_id", "=", userId)
    .execute();
}

/** Receipts of an account that gets another address are of that one, and so are the orders in its library. */
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
