import { currentTraceparent } from "@beatmarket/foundation/tracing/tracing.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { availabilityEvent, releaseExclusive, sellExclusive } from "../beats/licensing/exclusive.ts";
import { recordSale } from "../ledger/record.ts";
import { emitEvents, type NewEvent } from "../webhooks/events/outbox.ts";
import type { SettlementDependencies } from "./checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns } from "./order.ts";
import { mailPurchase } from "./order-mails.ts";
import { failureReference, purchaseReference } from "./present.ts";
import type { PaymentState } from "./provider.ts";
import { selectOrdersWithPayment } from "./queries.ts";
import { pursueRefund } from "./refunds/pursue-refund.ts";
import { addUnfulfilledRefund } from "./refunds/request-refund.ts";

/**
 * Applies a payment state to its order and returns the order. Idempotent and safe to call concurrently: the first final
 * state wins, and a completed order emits one event, as does one that fails after the request for it was answered. Refunds a
 * payment that succeeded for an order that cannot be fulfilled.
 */
export async function settle(
  checkout: SettlementDependencies,
  orderId: number,
  payment: PaymentState,
  moment: SettlingMoment = "later",
): Promise<OrderWithPayment> {
  const { order, refundId } = await transact(checkout.db, async (transaction) => {
    const setting = { now: new Date(checkout.clock.nowMs()), publicUrl: checkout.publicUrl };
    const order = await settleIn(transaction, orderId, payment, { ...setting, moment });
    const isUnfulfilled = order.status === "failed" && payment.status === "succeeded";
    return { order, refundId: isUnfulfilled ? await addUnfulfilledRefund(transaction, order, setting.now) : null };
  });
  return refundId === null ? order : refundUnfulfilled(checkout, order, refundId);
}

/** `placing`: while the request for the order waits for the outcome, which its response says. */
export type SettlingMoment = "placing" | "later";

/** Returns the order as it is then. Logs an error; the reconciler goes on with the refund. */
async function refundUnfulfilled(
  checkout: SettlementDependencies,
  order: OrderWithPayment,
  refundId: number,
): Promise<OrderWithPayment> {
  try {
    await pursueRefund(checkout, refundId);
  } catch (error) {
    checkout.log.error(
      { err: error, orderId: order.id, refundId },
      "refund not made yet; the reconciler will go on with it",
    );
  }
  return selectOrdersWithPayment(checkout.db).where("id", "=", order.id).executeTakeFirstOrThrow();
}

/** What settling needs next to the order. */
export type SettlementContext = Pick<SettlementDependencies, "publicUrl"> & { now: Date; moment: SettlingMoment };

/** `settle` in the caller's transaction, which also adds the refund that an unfulfilled order needs. */
export async function settleIn(
  db: Queryable,
  id: number,
  payment: PaymentState,
  setting: SettlementContext,
): Promise<OrderWithPayment> {
  const { now } = setting;
  const order = await selectOrdersWithPayment(db).where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
  if (order.status !== "pending")
    // The payment that is to be refunded.
    return order.status === "failed" && payment.status === "succeeded" && payment.reference !== null
      ? update(db, id, { payment_reference: payment.reference })
      : order;
  const payment_reference = payment.reference ?? order.payment_reference;
  switch (payment.status) {
    case "pending": {
      const awaits_buyer = payment.redirectUrl !== null;
      return payment_reference === order.payment_reference && awaits_buyer === order.awaits_buyer
        ? order
        : update(db, id, { payment_reference, awaits_buyer });
    }
    case "failed":
      if (order.license_type === "exclusive") await releaseExclusive(db, order.beat_id, id);
      return fail(db, id, { failure_reason: payment.reason, payment_reference }, setting);
    case "succeeded":
      if (order.license_type === "exclusive" && !(await sellExclusive(db, { beatId: order.beat_id, orderId: id, now })))
        return fail(db, id, { failure_reason: exclusiveGone, payment_reference }, setting);
      return complete(db, order, payment_reference, setting);
  }
}

const exclusiveGone = "The exclusive license went to another buyer before the payment came through; it is refunded.";

async function fail(
  db: Queryable,
  id: number,
  change: Pick<Change, "failure_reason" | "payment_reference">,
  { now, moment }: SettlementContext,
): Promise<OrderWithPayment> {
  const failed = await finish(db, id, { ...change, status: "failed", failed_at: now });
  if (moment === "later")
    await emitEvents(db, [
      {
        type: "order.failed",
        data: failureReference(failed),
        at: now,
        audience: [failed.user_id],
        requestId: failed.request_id,
        traceContext: traceOf(failed),
      },
    ]);
  return failed;
}

/** The current span is that of the payment, in the trace of the order; a command has none. */
const traceOf = ({ trace_context }: OrderWithPayment): string | null =>
  trace_context && (currentTraceparent() ?? trace_context);

async function complete(
  db: Queryable,
  order: OrderWithPayment,
  reference: string | null,
  { now, publicUrl }: SettlementContext,
): Promise<OrderWithPayment> {
  const completed = await finish(db, order.id, {
    status: "completed",
    completed_at: now,
    payment_reference: reference,
  });
  await recordSale(db, {
    orderId: order.id,
    provider: order.payment_provider,
    producerId: order.producer_id,
    amountCents: order.amount_cents,
    currency: order.currency,
    at: now,
  });
  // The orders of a checkout have one receipt, which the checkout queues.
  if (order.checkout_key === null)
    await mailPurchase(db, [completed], { link: `${publicUrl}/portal/library?order=${order.id}`, publicUrl, now });
  const facts: NewEvent[] = [
    {
      type: "beat.purchased",
      data: purchaseReference(completed),
      at: now,
      audience: [order.producer_id, order.user_id],
      requestId: order.request_id,
    },
    ...(order.license_type === "exclusive" ? await availabilityEvent(db, order.beat_id, { now, publicUrl }) : []),
  ];
  const traceContext = traceOf(order);
  await emitEvents(
    db,
    facts.map((fact) => ({ ...fact, traceContext })),
  );
  return completed;
}

interface Change {
  status?: "completed" | "failed";
  failure_reason?: string;
  completed_at?: Date;
  failed_at?: Date;
  payment_reference?: string | null;
  client_secret?: null;
  awaits_buyer?: boolean;
}

/** Nothing is left for the buyer's browser to do. */
const finish = (db: Queryable, id: number, change: Change): Promise<OrderWithPayment> =>
  update(db, id, { ...change, client_secret: null, awaits_buyer: false });

const update = (db: Queryable, id: number, change: Change): Promise<OrderWithPayment> =>
  db
    .updateTable("orders")
    .set(change)
    .where("id", "=", id)
    .returning(orderWithPaymentColumns)
    .$narrowType<OrderWithPayment>()
    .executeTakeFirstOrThrow();
