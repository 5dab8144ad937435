import { inSpan } from "@beatmarket/foundation/tracing/tracing.ts";
import type { CreatedPayment, PaymentState } from "@beatmarket/payments/provider.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findTakenDown } from "../../beats/write/taken-down.ts";
import { paymentOf, requireProvider, type SettlementDependencies } from "../checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns, paymentPagePath } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { type SettlingMoment, settle } from "../settle.ts";

/**
 * Runs work on an order's payment in a span of the trace in which the order was placed, in any request or job. For an
 * order placed without a trace, the span belongs to the request or job that does the work.
 */
export function inPaymentSpan<T>(order: OrderWithPayment, work: () => Promise<T>): Promise<T> {
  const attributes = { "beatmarket.order_id": order.id, "beatmarket.payment_provider": order.payment_provider };
  return inSpan("payment", { attributes, ...(order.trace_context !== null && { parent: order.trace_context }) }, work);
}

/**
 * Charges a pending order once, from the step that an earlier attempt reached, and settles it. The payment is created,
 * its reference is stored, then it is confirmed. Only a confirmed payment moves money, and one reference is confirmed
 * for an order, so no crash or lost response between the steps charges twice. Throws if the outcome is unknown.
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
    return settle(checkout, order.id, { status: "failed", reason: takenDown, reference: null }, moment);
  if (order.amount_cents === 0) return settle(checkout, order.id, nothingToPay, moment);
  const provider = requireProvider(checkout, order);
  const payment = order.payment_reference === null ? null : await provider.query(paymentOf(order));
  if (payment !== null) return settle(checkout, order.id, payment, moment);
  let begun = order;
  if (order.payment_reference === null) {
    const created = await provider.create(paymentOf(order));
    if (created.status === "failed") return settle(checkout, order.id, created, moment);
    begun = created.mustBeStored
      ? await keepPayment(checkout.db, order.id, created)
      : { ...order, payment_reference: created.reference };
    if (begun.status !== "pending") return begun;
  }
  const returnUrl = checkout.publicUrl + paymentPagePath(begun.payment_key);
  return settle(checkout, order.id, await provider.confirm(paymentOf(begun), returnUrl), moment);
}

const takenDown = "The operator of this marketplace took the beat down. Nothing was charged.";

/** A free order needs no provider. */
const nothingToPay: PaymentState = { status: "succeeded", reference: null };

/** Stores a created payment with its order, unless another process stored one first. Returns the order as stored. */
async function keepPayment(
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
