import type { Queryable } from "../../../database/connect.ts";
import { recordDispute, recordDisputeReversal, recordUnfulfilled } from "../../ledger/record.ts";
import type { DisputeState } from "../provider.ts";
import { lockOrder } from "./apply-refund.ts";
import { recountRefunded, type Setting } from "./recount.ts";

/**
 * Applies a state of a dispute of the order, in the caller's transaction, by any order of reports: a lost dispute is a refund of
 * its amount, and what the provider withdraws and gives back is in the ledger.
 */
export async function applyDispute(
  transaction: Queryable,
  orderId: number,
  state: DisputeState,
  setting: Setting,
): Promise<void> {
  const order = await lockOrder(transaction, orderId);
  const { reference, amountCents, reason, status, openedAt } = state;
  // What is lost was withdrawn, whichever of the two is reported first.
  const isWithdrawn = state.isWithdrawn || status === "lost";
  const before = await transaction
    .selectFrom("disputes")
    .select(["order_id", "status", "is_withdrawn as isWithdrawn"])
    .$narrowType<Pick<DisputeState, "status">>()
    .where("reference", "=", reference)
    .executeTakeFirst();
  if (before !== undefined && before.order_id !== orderId)
    throw new Error(`Dispute ${reference} belongs to order ${before.order_id}, not to order ${orderId}.`);
  if (before !== undefined && progressOf({ status, isWithdrawn }) <= progressOf(before)) return;
  const facts = {
    amount_cents: amountCents,
    reason,
    status,
    is_withdrawn: isWithdrawn,
    closed_at: status === "open" ? null : setting.now,
  };
  await transaction
    .insertInto("disputes")
    .values({ reference, order_id: orderId, opened_at: openedAt, ...facts })
    .onConflict((conflict) => conflict.column("reference").doUpdateSet(facts))
    .execute();
  const isUnfulfilled = order.status === "failed";
  const movement = { orderId, provider: order.payment_provider, currency: order.currency, at: setting.now };
  if (isUnfulfilled) await recordUnfulfilled(transaction, { ...movement, amountCents: order.amount_cents });
  const its = { ...movement, reference, amountCents, producerId: isUnfulfilled ? null : order.producer_id };
  const wasWithdrawn = before?.isWithdrawn ?? false;
  if (isWithdrawn && !wasWithdrawn) await recordDispute(transaction, its);
  if (!isWithdrawn && wasWithdrawn) await recordDisputeReversal(transaction, its);
  await recountRefunded(transaction, order, setting);
}

/** How far a dispute has come. A report that is not further was overtaken by another, or is told again. */
function progressOf({ status, isWithdrawn }: Pick<DisputeState, "status" | "isWithdrawn">): number {
  switch (status) {
    case "open":
      return isWithdrawn ? 1 : 0;
    case "lost":
      return 2;
    case "won":
      return isWithdrawn ? 3 : 4;
  }
}
