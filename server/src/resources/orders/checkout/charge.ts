import { inSpan } from "@beatmarket/foundation/tracing/tracing.ts";
import type { CreatedPayment, PaymentState } from "@beatmarket/payments/provider.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findTakenDown } from "../../beats/write/taken-down.ts";
import { paymentOf, requireProvider, type SettlementDependencies } from "../checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns, paymentPagePath } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { type SettlingMoment, settleAll } from "../settle.ts";

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
export async function charge(
  checkout: SettlementDependencies,
  order: OrderWithPayment,
  moment: SettlingMoment,
): Promise<OrderWithPayment> {
  const { charged, unknown } = await chargeAll(checkout, [order], moment);
  for (const { error } of unknown) throw error;
  return charged[0] ?? order;
}

/** The results of several charges. */
interface Charges {
  charged: OrderWithPayment[];
  /** The orders whose payment has an unknown outcome, which the reconciler will query. */
  unknown: { order: OrderWithPayment; error: unknown }[];
}

/**
 * As `charge`, for several orders, which are settled in one transaction. The others are settled if the outcome of one is
 * unknown. Throws if they cannot be settled.
 */
export async function chargeAll(
  checkout: SettlementDependencies,
  orders: readonly OrderWithPayment[],
  moment: SettlingMoment,
): Promise<Charges> {
  const [first, ...others] = orders;
  if (first === undefined) return { charged: [], unknown: [] };
  // Work for several orders gets no span, since it belongs to no single order's trace.
  return others.length === 0
    ? inPaymentSpan(first, () => chargeInSpan(checkout, orders, moment))
    : chargeInSpan(checkout, orders, moment);
}

async function chargeInSpan(
  checkout: SettlementDependencies,
  orders: readonly OrderWithPayment[],
  moment: SettlingMoment,
): Promise<Charges> {
  const unpaid = orders.filter(({ payment_reference }) => payment_reference === null);
  const beatIds = unpaid.map(({ beat_id }) => beat_id);
  const takenDownBeats = beatIds.length === 0 ? new Set() : await findTakenDown(checkout.db, beatIds);
  const mustBeRefused = (order: OrderWithPayment) =>
    order.payment_reference === null && takenDownBeats.has(order.beat_id);
  const unknown: Charges["unknown"] = [];
  const payments = await Promise.all(
    orders.map(async (order) => {
      try {
        return { order, payment: mustBeRefused(order) ? takenDown : await pay(checkout, order) };
      } catch (error) {
        unknown.push({ order, error });
        return null;
      }
    }),
  );
  const outcomes = payments.filter((outcome) => outcome !== null);
  const settled = await settleAll(
    checkout,
    outcomes.flatMap(({ order, payment }) => (payment === null ? [] : [{ orderId: order.id, payment }])),
    moment,
  );
  const final = outcomes.flatMap(({ order, payment }) => (payment === null ? [order.id] : []));
  const finalOrders =
    final.length === 0 ? [] : await selectOrdersWithPayment(checkout.db).where("id", "in", final).execute();
  return { charged: [...settled, ...finalOrders], unknown };
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
