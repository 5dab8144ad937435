import { inSpan, type Span } from "@beatmarket/foundation/tracing/tracing.ts";
import type { CreatedPayment, PaymentState } from "@beatmarket/payments/provider.ts";
import { refusesValues } from "@beatmarket/postgres/connection/database-error.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findTakenDown } from "../../beats/write/taken-down.ts";
import { paymentOf, requireProvider, type SettlementDependencies } from "../checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns, paymentPagePath } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { type Settlement, type SettlingMoment, settleAll } from "../settle.ts";

/**
 * Runs work on an order's payment in a span. The span belongs to the trace in which the order was placed. If the order
 * has no trace, the span belongs to the current request or job.
 */
export function inPaymentSpan<T>(order: OrderWithPayment, work: (span: Span) => Promise<T>): Promise<T> {
  const attributes = { "beatmarket.order_id": order.id, "beatmarket.payment_provider": order.payment_provider };
  return inSpan("payment", { attributes, ...(order.trace_context !== null && { parent: order.trace_context }) }, work);
}

/**
 * Charges a pending order once and settles it. Continues from the step that an earlier attempt reached. The steps:
 * create the payment, store its reference, confirm it. Only a confirmed payment moves money, and only one reference is
 * confirmed for an order. So a crash or a lost response between the steps does not charge twice. Throws if the outcome
 * is unknown or cannot be stored.
 */
export async function charge(
  checkout: SettlementDependencies,
  order: OrderWithPayment,
  moment: SettlingMoment,
): Promise<OrderWithPayment> {
  const { charged, open } = await chargeAll(checkout, [order], moment);
  for (const { error } of open) throw error;
  return charged[0] ?? order;
}

/** The results of several charges. */
interface Charges {
  /** The orders after their charge: settled, or pending while the provider waits for the buyer or the bank. */
  charged: OrderWithPayment[];
  /** The orders that an error left pending, with the step that failed. The reconciler will query their payments. */
  open: { order: OrderWithPayment; error: unknown; step: "payment" | "settlement" }[];
}

/**
 * Like `charge`, but for several orders, which are settled in one transaction. If the outcome of one order is unknown
 * or cannot be stored, the others are settled nevertheless.
 */
export async function chargeAll(
  checkout: SettlementDependencies,
  orders: readonly OrderWithPayment[],
  moment: SettlingMoment,
): Promise<Charges> {
  const [first, ...others] = orders;
  if (first === undefined) return { charged: [], open: [] };
  // Work for several orders gets no span, since it belongs to no single order's trace.
  if (others.length > 0) return payAndSettle(checkout, orders, moment);
  return inPaymentSpan(first, async (span) => {
    const charges = await payAndSettle(checkout, orders, moment);
    for (const { error } of charges.open) span.fail(error instanceof Error ? error.message : String(error));
    return charges;
  });
}

async function payAndSettle(
  checkout: SettlementDependencies,
  orders: readonly OrderWithPayment[],
  moment: SettlingMoment,
): Promise<Charges> {
  const unpaid = orders.filter(({ payment_reference }) => payment_reference === null);
  const beatIds = unpaid.map(({ beat_id }) => beat_id);
  const takenDownBeats = beatIds.length === 0 ? new Set() : await findTakenDown(checkout.db, beatIds);
  const mustBeRefused = (order: OrderWithPayment) =>
    order.payment_reference === null && takenDownBeats.has(order.beat_id);
  const unknown: Charges["open"] = [];
  const payments = await Promise.all(
    orders.map(async (order) => {
      try {
        return { order, payment: mustBeRefused(order) ? takenDown : await pay(checkout, order) };
      } catch (error) {
        unknown.push({ order, error, step: "payment" });
        return null;
      }
    }),
  );
  const outcomes = payments.filter((outcome) => outcome !== null);
  const { charged, open } = await settleOrLeave(
    checkout,
    outcomes.flatMap(({ order, payment }) => (payment === null ? [] : [{ order, orderId: order.id, payment }])),
    moment,
  );
  const finalIds = outcomes.flatMap(({ order, payment }) => (payment === null ? [order.id] : []));
  const finalOrders =
    finalIds.length === 0 ? [] : await selectOrdersWithPayment(checkout.db).where("id", "in", finalIds).execute();
  return { charged: [...charged, ...finalOrders], open: [...unknown, ...open] };
}

/**
 * Settles orders in one transaction. If the database refuses it, settles each order in its own transaction, so that
 * only the refused order stays pending.
 */
async function settleOrLeave(
  checkout: SettlementDependencies,
  settlements: readonly (Settlement & { order: OrderWithPayment })[],
  moment: SettlingMoment,
): Promise<Charges> {
  try {
    return { charged: await settleAll(checkout, settlements, moment), open: [] };
  } catch (error) {
    if (settlements.length === 1 || !refusesValues(error))
      return { charged: [], open: settlements.map(({ order }) => ({ order, error, step: "settlement" })) };
  }
  const charges: Charges = { charged: [], open: [] };
  for (const settlement of settlements) {
    const { charged, open } = await settleOrLeave(checkout, [settlement], moment);
    charges.charged.push(...charged);
    charges.open.push(...open);
  }
  return charges;
}

/**
 * Creates and confirms the payment, starting at the step that an earlier attempt reached. Null if the order is final
 * already.
 */
async function pay(checkout: SettlementDependencies, order: OrderWithPayment): Promise<PaymentState | null> {
  if (order.amount_cents === 0) return nothingToPay;
  const provider = requireProvider(checkout, order);
  const payment = order.payment_reference === null ? null : await provider.query(paymentOf(order));
  if (payment !== null) return payment;
  let begun = order;
  if (order.payment_reference === null) {
    const created = await provider.create(paymentOf(order));
    if (created.status === "failed") return created;
    begun = created.mustBeStored
      ? await storePayment(checkout.db, order.id, created)
      : { ...order, payment_reference: created.reference };
    if (begun.status !== "pending") return null;
  }
  const returnUrl = checkout.publicUrl + paymentPagePath(begun.payment_key);
  return provider.confirm(paymentOf(begun), returnUrl);
}

const takenDown: PaymentState = {
  status: "failed",
  reason: "The operator of this marketplace took the beat down. Nothing was charged.",
  reference: null,
};

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
