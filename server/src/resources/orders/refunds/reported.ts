import type { DisputeState, RefundState } from "@beatmarket/payments/provider.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../../database/connect.ts";
import { recordDispute, recordDisputeReversal, recordUnfulfilled } from "../../ledger/record.ts";
import { paymentOf, requireProvider, type SettlementDependencies } from "../checkout.ts";
import type { OrderWithPayment } from "../order.ts";
import { mailDispute } from "../order-mails.ts";
import { settle } from "../settle.ts";
import { applyRefund, lockOrder, type RefundContext, recountRefunded } from "./apply-refund.ts";
import { refundContextOf } from "./pursue-refund.ts";

/**
 * Applies a state of a dispute to its order, in the caller's transaction. Reports may come in any sequence. A lost
 * dispute counts as a refund of its amount. The ledger records the money that the provider withdraws and returns.
 */
async function applyDispute(
  transaction: Queryable,
  orderId: number,
  state: DisputeState,
  context: RefundContext,
): Promise<void> {
  const order = await lockOrder(transaction, orderId);
  const { reference, amountCents, reason, status, openedAt } = state;
  // The money of a lost dispute was withdrawn, even if that report comes later.
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
    closed_at: status === "open" ? null : context.now,
  };
  await transaction
    .insertInto("disputes")
    .values({ reference, order_id: orderId, opened_at: openedAt, ...facts })
    .onConflict((conflict) => conflict.column("reference").doUpdateSet(facts))
    .execute();
  if (before === undefined && status === "open")
    await mailDispute(transaction, order, { reason, publicUrl: context.publicUrl, now: context.now });
  const isUnfulfilled = order.status === "failed";
  const movement = { orderId, provider: order.payment_provider, currency: order.currency, at: context.now };
  if (isUnfulfilled) await recordUnfulfilled(transaction, { ...movement, amountCents: order.amount_cents });
  const entry = { ...movement, reference, amountCents, producerId: isUnfulfilled ? null : order.producer_id };
  const wasWithdrawn = before?.isWithdrawn ?? false;
  if (isWithdrawn && !wasWithdrawn) await recordDispute(transaction, entry);
  if (!isWithdrawn && wasWithdrawn) await recordDisputeReversal(transaction, entry);
  await recountRefunded(transaction, order, context);
}

/** Returns the progress of a dispute as a number. A report without progress is late or repeated. */
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

// These functions apply states that the provider's webhook has reported. Reports may be repeated and come in any
// sequence.

/**
 * Applies a refund's state to its order. The refund may be ours, or come from the provider's dashboard. Does nothing
 * for a state without a reference.
 */
export async function refundReported(
  checkout: SettlementDependencies,
  { order, state }: { order: OrderWithPayment; state: RefundState },
): Promise<void> {
  const { reference } = state;
  if (reference === null) return;
  await requireSettled(checkout, order);
  await transact(checkout.db, (transaction) =>
    applyRefund(transaction, order.id, { ...state, reference }, refundContextOf(checkout)),
  );
}

/** Applies a dispute's state to its order. */
export async function disputeReported(
  checkout: SettlementDependencies,
  { order, state }: { order: OrderWithPayment; state: DisputeState },
): Promise<void> {
  await requireSettled(checkout, order);
  await transact(checkout.db, (transaction) => applyDispute(transaction, order.id, state, refundContextOf(checkout)));
}

/**
 * Settles an order that is not completed. A refunded or disputed payment was paid, but the report about the payment may
 * come later. Throws while the payment is pending, so that the provider repeats the report about the refund or dispute.
 */
async function requireSettled(checkout: SettlementDependencies, order: OrderWithPayment): Promise<void> {
  if (order.status === "completed") return;
  const payment = await requireProvider(checkout, order).query(paymentOf(order));
  const settled = payment === null ? order : await settle(checkout, order.id, payment);
  if (settled.status === "pending")
    throw new Error(`Order ${order.id} has a refund or a dispute, and its payment is pending.`);
}
