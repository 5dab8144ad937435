import type { Queryable } from "../../../database/connect.ts";
import { recordUnfulfilled } from "../../ledger/record.ts";
import type { PaidOrder } from "../order.ts";
import { insertRefund, selectRefunds } from "./refund.ts";

/**
 * Adds the refund of a payment that succeeded for an order that failed, once, in the caller's transaction; null if there is one.
 * The caller has locked the order's row, and then pursues the refund.
 */
export async function addUnfulfilledRefund(
  transaction: Queryable,
  { id, amount_cents, payment_provider, currency }: PaidOrder,
  now: Date,
): Promise<number | null> {
  if (amount_cents === 0) return null;
  const earlier = await selectRefunds(transaction).where("order_id", "=", id).executeTakeFirst();
  if (earlier !== undefined) return null;
  await recordUnfulfilled(transaction, {
    orderId: id,
    provider: payment_provider,
    amountCents: amount_cents,
    currency,
    at: now,
  });
  const refund = await insertRefund(transaction, id, { amountCents: amount_cents, origin: "unfulfilled", now });
  return refund.id;
}
