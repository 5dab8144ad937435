import { currentTraceparent } from "@beatmarket/foundation/tracing/tracing.ts";
import type { PaymentState } from "@beatmarket/payments/provider.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { availabilityEvents, releaseExclusive, sellExclusive } from "../beats/licensing/exclusive.ts";
import { findTakenDown } from "../beats/write/taken-down.ts";
import { issueInvoices } from "../invoices/queries.ts";
import { recordSales } from "../ledger/record.ts";
import { emitEvents, type NewEvent } from "../webhooks/outbox.ts";
import type { SettlementDependencies } from "./checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns } from "./order.ts";
import { mailPurchase } from "./order-mails.ts";
import { failureReference, purchaseReference, upgradeReference } from "./present.ts";
import { selectOrdersWithPayment } from "./queries.ts";
import { pursueRefund } from "./refunds/pursue-refund.ts";
import { addUnfulfilledRefund } from "./refunds/request-refund.ts";
import { lockReplaced } from "./upgrade.ts";

/**
 * Applies a payment state to its order and returns the order. May be called repeatedly and concurrently: the first
 * final state of an order stays. Emits an event for a completed order, and for an order that fails after the response
 * to its request. Refunds the payment if it succeeded but the order cannot be fulfilled.
 */
export async function settle(
  checkout: SettlementDependencies,
  orderId: number,
  payment: PaymentState,
  moment: SettlingMoment = "later",
): Promise<OrderWithPayment> {
  const { order, refundId } = await transact(checkout.db, async (transaction) => {
    const { clock, publicUrl, seller } = checkout;
    const setting = { now: new Date(clock.nowMs()), publicUrl, seller };
    const orderRow = await selectOrdersWithPayment(transaction)
      .where("id", "=", orderId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const [order = orderRow] = await settleIn(transaction, [orderRow], payment, { ...setting, moment });
    const isUnfulfilled = order.status === "failed" && payment.status === "succeeded";
    return { order, refundId: isUnfulfilled ? await addUnfulfilledRefund(transaction, order, setting.now) : null };
  });
  return refundId === null ? order : refundUnfulfilled(checkout, order, refundId);
}

/** `placing`: the request that placed the order still waits, and its response will contain the outcome. */
export type SettlingMoment = "placing" | "later";

/**
 * Pursues the refund and returns the order in its current state. Only logs an error, because the reconciler continues
 * the refund.
 */
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
      "the refund is not complete yet; the reconciler retries it",
    );
  }
  return selectOrdersWithPayment(checkout.db).where("id", "=", order.id).executeTakeFirstOrThrow();
}

/** The dependencies of `settleIn`. */
export type SettlementContext = Pick<SettlementDependencies, "publicUrl" | "seller"> & {
  now: Date;
  moment: SettlingMoment;
};

/**
 * Works like `settle`, for the orders of one payment, in the caller's transaction. The caller has locked the orders,
 * and inserts the refunds of unfulfilled orders. Returns the orders in their current state, in the same sequence as
 * `orders`.
 */
export async function settleIn(
  db: Queryable,
  orders: readonly OrderWithPayment[],
  payment: PaymentState,
  setting: SettlementContext,
): Promise<OrderWithPayment[]> {
  const changed: OrderWithPayment[] = [];
  const payable: OrderWithPayment[] = [];
  // Locks licenses before beats. The placement of orders has the same sequence of locks.
  const replaced =
    payment.status === "succeeded"
      ? await lockReplaced(
          db,
          orders.flatMap(({ id, status, upgrades_license }) =>
            upgrades_license === null || status !== "pending" ? [] : [id],
          ),
        )
      : new Set();
  const takenDown =
    payment.status === "succeeded"
      ? await findTakenDown(
          db,
          orders.map(({ beat_id }) => beat_id),
          { isLocked: true },
        )
      : new Set();
  for (const order of orders)
    if (order.status !== "pending") changed.push(await settleFinal(db, order, payment));
    else if (payment.status === "pending") changed.push(await updatePending(db, order, payment));
    else if (payment.status === "failed") changed.push(await fail(db, order, payment, payment.reason, setting));
    else if (takenDown.has(order.beat_id)) changed.push(await fail(db, order, payment, takenDownReason, setting));
    else if (replaced.has(order.id)) changed.push(await fail(db, order, payment, replacedRefundedReason, setting));
    else if (await isFulfillable(db, order, setting.now)) payable.push(order);
    else changed.push(await fail(db, order, payment, exclusiveSoldReason, setting));
  if (payment.status === "succeeded") changed.push(...(await complete(db, payable, payment.reference, setting)));
  const settled = new Map(changed.map((order) => [order.id, order]));
  return orders.map((order) => settled.get(order.id) ?? order);
}

/** Stores the reference of a payment that has to be refunded. */
const settleFinal = async (db: Queryable, order: OrderWithPayment, payment: PaymentState): Promise<OrderWithPayment> =>
  order.status === "failed" && payment.status === "succeeded" && payment.reference !== null
    ? updateOne(db, order, { payment_reference: payment.reference })
    : order;

async function updatePending(
  db: Queryable,
  order: OrderWithPayment,
  { reference, redirectUrl }: PaymentState & { status: "pending" },
): Promise<OrderWithPayment> {
  const payment_reference = reference ?? order.payment_reference;
  const awaits_buyer = redirectUrl !== null;
  return payment_reference === order.payment_reference && awaits_buyer === order.awaits_buyer
    ? order
    : updateOne(db, order, { payment_reference, awaits_buyer });
}

/**
 * Sells the exclusive license to the order. Returns false if another buyer has it. Other licenses are always
 * fulfillable.
 */
const isFulfillable = async (db: Queryable, { id, beat_id, license_type }: OrderWithPayment, now: Date) =>
  license_type !== "exclusive" || sellExclusive(db, { beatId: beat_id, orderId: id, now });

const exclusiveSoldReason =
  "The exclusive license went to another buyer before the payment came through; it is refunded.";

const replacedRefundedReason =
  "The license that this order upgrades was refunded before the payment came through; it is refunded.";

const takenDownReason =
  "The operator of this marketplace took the beat down before the payment came through; it is refunded.";

async function fail(
  db: Queryable,
  order: OrderWithPayment,
  payment: PaymentState,
  reason: string,
  { now, moment }: SettlementContext,
): Promise<OrderWithPayment> {
  if (order.license_type === "exclusive") await releaseExclusive(db, order.beat_id, order.id);
  const failed = await updateOne(db, order, {
    ...finished,
    status: "failed",
    failed_at: now,
    failure_reason: reason,
    payment_reference: payment.reference ?? order.payment_reference,
  });
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

/**
 * Returns the trace of the current span, which is the payment's span. Returns the order's trace if there is no span, as
 * in a command.
 */
const traceOf = ({ trace_context }: OrderWithPayment): string | null =>
  trace_context && (currentTraceparent() ?? trace_context);

/**
 * Completes the paid orders of one payment. Needs one statement each for orders, ledger, mails and events, independent
 * of the number of orders.
 */
async function complete(
  db: Queryable,
  orders: readonly OrderWithPayment[],
  reference: string | null,
  { now, publicUrl, seller }: SettlementContext,
): Promise<OrderWithPayment[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const payment_reference = reference ?? first.payment_reference;
  const completed = await update(db, orders, {
    ...finished,
    status: "completed",
    completed_at: now,
    payment_reference,
  });
  await recordSales(
    db,
    completed.map((order) => ({
      orderId: order.id,
      provider: order.payment_provider,
      producerId: order.producer_id,
      amountCents: order.amount_cents,
      currency: order.currency,
      at: now,
    })),
  );
  const facts: NewEvent[] = [];
  for (const order of completed) {
    const traceContext = traceOf(order);
    facts.push({
      type: "beat.purchased",
      data: purchaseReference(order),
      at: now,
      audience: [order.producer_id, order.user_id],
      requestId: order.request_id,
      traceContext,
    });
    if (order.upgrades_license !== null)
      facts.push({
        type: "license.upgraded",
        data: upgradeReference(order, order.upgrades_license),
        at: now,
        audience: [order.producer_id, order.user_id],
        requestId: order.request_id,
        traceContext,
      });
    if (order.license_type === "exclusive")
      for (const event of await availabilityEvents(db, order.beat_id, { now, publicUrl }))
        facts.push({ ...event, traceContext });
  }
  await emitEvents(db, facts);
  await issueInvoices(db, completed, { seller, now });
  // The orders of a checkout have one receipt, which the checkout queues.
  if (first.checkout_key === null)
    await mailPurchase(db, completed, { link: `${publicUrl}/portal/library?order=${first.id}`, publicUrl, now });
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

/** The fields of an order whose buyer has no next step. */
const finished = { client_secret: null, awaits_buyer: false } as const;

const update = (db: Queryable, orders: readonly OrderWithPayment[], change: Change): Promise<OrderWithPayment[]> =>
  db
    .updateTable("orders")
    .set(change)
    .where(
      "id",
      "in",
      orders.map(({ id }) => id),
    )
    .returning(orderWithPaymentColumns)
    .$narrowType<OrderWithPayment>()
    .execute();

async function updateOne(db: Queryable, order: OrderWithPayment, change: Change): Promise<OrderWithPayment> {
  const [changed = order] = await update(db, [order], change);
  return changed;
}
