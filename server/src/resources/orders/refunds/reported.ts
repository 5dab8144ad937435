import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type Checkout, paymentOf, requireProvider } from "../checkout.ts";
import type { PaidOrder } from "../order.ts";
import type { DisputeState, RefundState } from "../provider.ts";
import { settle } from "../settle.ts";
import { applyDispute } from "./apply-dispute.ts";
import { applyRefund } from "./apply-refund.ts";
import { settingOf } from "./pursue-refund.ts";

// What the provider's webhook tells, read again from the provider: any number of times, and in any order.

/** Applies a refund's state to its order: of one of ours, or of one made at the provider. */
export async function refundReported(
  checkout: Checkout,
  { order, state }: { order: PaidOrder; state: RefundState },
): Promise<void> {
  const { reference } = state;
  if (reference === null) return;
  await settleFirst(checkout, order);
  await transact(checkout.db, (transaction) =>
    applyRefund(transaction, order.id, { ...state, reference }, settingOf(checkout)),
  );
}

/** Applies a dispute's state to its order. */
export async function disputeReported(
  checkout: Checkout,
  { order, state }: { order: PaidOrder; state: DisputeState },
): Promise<void> {
  await settleFirst(checkout, order);
  await transact(checkout.db, (transaction) => applyDispute(transaction, order.id, state, settingOf(checkout)));
}

/**
 * What was refunded or disputed was paid, and the news of that may come later: first the sale, then its end. Throws while the
 * payment is pending all the same, so that the provider tells it again.
 */
async function settleFirst(checkout: Checkout, order: PaidOrder): Promise<void> {
  if (order.status === "completed") return;
  const payment = await requireProvider(checkout, order).query(paymentOf(order));
  const settled = payment === null ? order : await settle(checkout, order.id, payment);
  if (settled.status === "pending")
    throw new Error(`Order ${order.id} has a refund or a dispute, and its payment is pending.`);
}
