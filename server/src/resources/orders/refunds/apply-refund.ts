import type { RefundState } from "@beatmarket/payments/provider.ts";
import type { Queryable } from "../../../database/connect.ts";
import { recordRefund, recordRefundReversal, recordUnfulfilled } from "../../ledger/record.ts";
import type { OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { type RefundContext, recountRefunded } from "./recount.ts";
import { insertRefund, type Refund, refundColumns, selectRefunds } from "./refund.ts";

/** A state of a refund that the provider has made. */
export type MadeRefund = RefundState & { reference: string };

const progress: Record<Refund["status"], number> = { pending: 0, succeeded: 1, failed: 2 };

/**
 * Applies a state that the provider reports for a refund of the order, in the caller's transaction. It may be a
 * response, or a report in any order and repeated. The refund is the one with that reference; or one of ours with that
 * amount whose response is missing; or one made at the provider, which is added.
 */
export async function applyRefund(
  transaction: Queryable,
  orderId: number,
  state: MadeRefund,
  setting: RefundContext,
): Promise<void> {
  const order = await lockOrder(transaction, orderId);
  const refund =
    (await selectRefunds(transaction).where("reference", "=", state.reference).executeTakeFirst()) ??
    (await adoptSent(transaction, order, state)) ??
    (await insertRefund(transaction, orderId, {
      amountCents: state.amountCents,
      origin: "provider",
      reference: state.reference,
      now: setting.now,
    }));
  if (refund.order_id !== orderId)
    throw new Error(`Refund ${state.reference} belongs to order ${refund.order_id}, not to order ${orderId}.`);
  if (progress[state.status] <= progress[refund.status]) return;
  await transaction
    .updateTable("refunds")
    .set({
      status: state.status,
      failure_reason: state.status === "failed" ? (state.reason ?? "The provider gives no reason.") : null,
      settled_at: setting.now,
    })
    .where("id", "=", refund.id)
    .execute();
  await recordMovement(transaction, order, refund, state.status, setting.now);
  await recountRefunded(transaction, order, setting);
}

export const lockOrder = (transaction: Queryable, orderId: number): Promise<OrderWithPayment> =>
  selectOrdersWithPayment(transaction).where("id", "=", orderId).forUpdate().executeTakeFirstOrThrow();

/**
 * Assigns the reference to the oldest refund of that amount that was sent and whose response is missing, since a report
 * may arrive before the response. Two equal refunds are interchangeable.
 */
async function adoptSent(
  transaction: Queryable,
  order: OrderWithPayment,
  { reference, amountCents }: MadeRefund,
): Promise<Refund | undefined> {
  return transaction
    .updateTable("refunds")
    .set({ reference })
    .where("id", "=", (refunds) =>
      refunds
        .selectFrom("refunds")
        .select("id")
        .where("order_id", "=", order.id)
        .where("status", "=", "pending")
        .where("reference", "is", null)
        .where("attempts", ">", 0)
        .where("amount_cents", "=", amountCents)
        .orderBy("id")
        .limit(1),
    )
    .returning(refundColumns)
    .$narrowType<Refund>()
    .executeTakeFirst();
}

/** Money that left the provider, or that came back to it. */
async function recordMovement(
  transaction: Queryable,
  order: OrderWithPayment,
  refund: Refund,
  status: RefundState["status"],
  now: Date,
): Promise<void> {
  const isUnfulfilled = order.status === "failed";
  const movement = {
    orderId: order.id,
    provider: order.payment_provider,
    currency: order.currency,
    at: now,
  };
  // Already recorded, unless an instance of a release before the ledger marked the order as failed.
  if (isUnfulfilled) await recordUnfulfilled(transaction, { ...movement, amountCents: order.amount_cents });
  const refunded = {
    ...movement,
    refundId: refund.id,
    amountCents: refund.amount_cents,
    producerId: isUnfulfilled ? null : order.producer_id,
  };
  if (status === "succeeded") await recordRefund(transaction, refunded);
  else if (refund.status === "succeeded") await recordRefundReversal(transaction, refunded);
}
