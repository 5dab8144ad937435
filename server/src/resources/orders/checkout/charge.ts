import { inSpan } from "@beatmarket/foundation/tracing/tracing.ts";
import type { CreatedPayment, PaymentState } from "@beatmarket/payments/provider.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findTakenDown } from "../../beats/write/taken-down.ts";
import { paymentOf, requireProvider, type SettlementDependencies } from "../checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns, paymentPagePath } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { type SettlingMoment, settle } from "../settle.ts";

/**
 * Runs work on an order's payment in a span. The span belongs to the trace in which the order was placed. If the order
 * has no trace, the span belongs to the current request or job.
 */
export function inPaymentSpan<T>(order: OrderWithPayment, work: () => Promise<T>): Promise<T> {
  const attributes = { "beatmarket.order_id": order.id, "beatmarket.payment_provider": order.payment_provider };
  return inSpan("payment", { attributes, ...(order.trace_context !== null && { parent: order.trace_context }) }, work);
}

/**
 * Charges a pending order once and settles it. Continues from the step that an earlier attempt reached. The steps:
 * create the payment, store its reference, confirm it. Only a confirmed payment moves money, and only one reference is
 * confirmed for an order. So a crash or a lost response between the steps does not charge twice. Throws if the outcome
 * is unknown.
 */
export const charge = (
  checkout: SettlementDependencies,
  order: OrderWithPayment,
  moment: SettlingMoment,
): Promise<OrderWithPayment> => inPaymentSpan(order, () => chargeOnce(checkout, order, moment));

async function chargeOnce(
  checkout: SettlementDependencies,
  order: OrderWithPayment,
  moment: SettlingMoment,
): Promise<OrderWithPayment> {
  if (order.payment_reference === null && (await findTakenDown(checkout.db, [order.beat_id])).size > 0)
    return settle(checkout, order.id, { status: "failed", reason: takenDownReason, reference: null }, moment);
  if (order.amount_cents === 0) return settle(checkout, order.id, nothingToPay, moment);
  const provider = requireProvider(checkout, order);
  const payment = order.payment_reference === null ? null : await provider.query(paymentOf(order));
  if (payment !== null) return settle(checkout, order.id, payment, moment);
  let started = order;
  if (order.payment_reference === null) {
    const created = await provider.create(paymentOf(order));
    if (created.status === "failed") return settle(checkout, order.id, created, moment);
    started = created.mustBeStored
      ? await storePayment(checkout.db, order.id, created)
      : { ...order, payment_reference: created.reference };
    if (started.status !== "pending") return started;
  }
  const returnUrl = checkout.publicUrl + paymentPagePath(started.payment_key);
  return settle(checkout, order.id, await provider.confirm(paymentOf(started), returnUrl), moment);
}

const takenDownReason = "The operator of this marketplace took the beat down. Nothing was charged.";

/** The payment of a free order, which needs no provider. */
const nothingToPay: PaymentState = { status: "succeeded", reference: null };

/** Stores a created payment with its order, unless another process has stored one first. Returns the stored order. */
async function storePayment(
  db: Queryable,
  id: number,
  { reference, clientSecret }: CreatedPayment,
): Promise<OrderWithPayment> {
  const stored = await db
    .updateTable("orders")
    .set({ payment_reference: reference, client_secret: clientSecret })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("payment_reference", "is", null)
    .returning(orderWithPaymentColumns)
    .$narrowType<OrderWithPayment>()
    .executeTakeFirst();
  return stored ?? selectOrdersWithPayment(db).where("id", "=", id).executeTakeFirstOrThrow();
}
