import { currentTraceparent } from "@beatmarket/foundation/tracing/tracing.ts";
import type { PaymentState } from "@beatmarket/payments/provider.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { availabilityEvents, releaseExclusive, sellExclusive } from "../beats/licensing/exclusive.ts";
import { findTakenDown } from "../beats/write/taken-down.ts";
import { issueInvoices } from "../invoices/queries.ts";
import { recordSales } from "../ledger/record.ts";
import { emitEvents, type NewEvent } from "../webhooks/outbox.ts";
import type { SettlementDependencies } from "./checkout.ts";
import { type OrderWithPayment, orderWithPaymentColumns } from "./order.ts";
import { mailPurchases, type Purchase } from "./order-mails.ts";
import { failureReference, purchaseReference, upgradeReference } from "./present.ts";
import { selectOrdersWithPayment } from "./queries.ts";
import { pursueRefund } from "./refunds/pursue-refund.ts";
import { addUnfulfilledRefund } from "./refunds/request-refund.ts";
import { queueTally } from "./tally.ts";
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
  const [order] = await settleAll(checkout, [{ orderId, payment }], moment);
  if (order === undefined) throw new Error(`There is no order ${orderId}.`);
  return order;
}

/** A payment state to apply to its order. */
export interface Settlement {
  orderId: number;
  payment: PaymentState;
}

/** Like `settle`, for several orders with separate payments, in one transaction. */
export async function settleAll(
  checkout: SettlementDependencies,
  settlements: readonly Settlement[],
  moment: SettlingMoment,
): Promise<OrderWithPayment[]> {
  if (settlements.length === 0) return [];
  const payments = new Map(settlements.map(({ orderId, payment }) => [orderId, payment]));
  const settled = await transact(checkout.db, async (transaction) => {
    const { clock, publicUrl, seller } = checkout;
    const now = new Date(clock.nowMs());
    const rows = await selectOrdersWithPayment(transaction)
      .where(sql<boolean>`id = any(${[...payments.keys()]}::bigint[])`)
      .orderBy("id")
      .forUpdate()
      .execute();
    const paid = rows.flatMap((order) => {
      const payment = payments.get(order.id);
      return payment === undefined ? [] : [{ order, payment, now: moment === "together" ? order.created_at : now }];
    });
    const orders = await settleIn(transaction, paid, { publicUrl, seller, moment });
    const refundIds = new Map<number, number>();
    for (const [place, order] of orders.entries()) {
      if (order.status !== "failed" || paid[place]?.payment.status !== "succeeded") continue;
      const refundId = await addUnfulfilledRefund(transaction, order, paid[place].now);
      if (refundId !== null) refundIds.set(order.id, refundId);
    }
    return { orders, refundIds };
  });
  return Promise.all(
    settled.orders.map((order) => {
      const refundId = settled.refundIds.get(order.id);
      return refundId === undefined ? order : refundUnfulfilled(checkout, order, refundId);
    }),
  );
}

/**
 * `placing`: the request for the order still waits for the outcome, and its response will report it. `together`: the
 * requests for several orders wait, and each order is settled at the moment at which it was placed. `later`: no request
 * waits.
 */
export type SettlingMoment = "placing" | "together" | "later";

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

/** The dependencies of settling orders. */
export type SettlementContext = Pick<SettlementDependencies, "publicUrl" | "seller"> & { moment: SettlingMoment };

/** An order with the state of its payment, and the moment at which it is settled. */
export interface OrderWithOutcome {
  order: OrderWithPayment;
  payment: PaymentState;
  now: Date;
}

/**
 * Like `settleAll`, in the caller's transaction. The caller has locked the orders, and adds the refunds that
 * unfulfilled orders need. Returns the orders in their present state, in the sequence of `outcomes`.
 */
export async function settleIn(
  db: Queryable,
  outcomes: readonly OrderWithOutcome[],
  context: SettlementContext,
): Promise<OrderWithPayment[]> {
  const changed: OrderWithPayment[] = [];
  const paid: OrderWithOutcome[] = [];
  const succeeded = outcomes.flatMap(({ order, payment }) => (payment.status === "succeeded" ? [order] : []));
  // Locks replaced licenses before beats, in the same sequence as the placing of orders.
  const replaced = await lockReplaced(
    db,
    succeeded.flatMap(({ id, status, upgrades_license }) =>
      upgrades_license === null || status !== "pending" ? [] : [id],
    ),
  );
  const beatIds = succeeded.map(({ beat_id }) => beat_id);
  const takenDown = beatIds.length === 0 ? new Set() : await findTakenDown(db, beatIds, { isLocked: true });
  for (const each of outcomes) {
    const { order, payment, now } = each;
    if (order.status !== "pending") changed.push(await keepLatePayment(db, order, payment));
    else if (payment.status === "pending") changed.push(await updatePending(db, order, payment));
    else if (payment.status === "failed") changed.push(await fail(db, each, payment.reason, context));
    else if (takenDown.has(order.beat_id)) changed.push(await fail(db, each, takenDownReason, context));
    else if (replaced.has(order.id)) changed.push(await fail(db, each, replacedRefundedReason, context));
    else if (await sellIfExclusive(db, order, now)) paid.push(each);
    else changed.push(await fail(db, each, exclusiveSoldReason, context));
  }
  changed.push(...(await complete(db, paid, context)));
  const settled = new Map(changed.map((order) => [order.id, order]));
  return outcomes.map(({ order }) => settled.get(order.id) ?? order);
}

/** Stores the reference of a payment that has to be refunded, because it succeeded after its order had failed. */
const keepLatePayment = async (
  db: Queryable,
  order: OrderWithPayment,
  payment: PaymentState,
): Promise<OrderWithPayment> =>
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
 * Sells an exclusive license to the order, and returns false if another buyer has it. Other licenses can always be
 * sold, so there is nothing to do for them.
 */
const sellIfExclusive = async (db: Queryable, { id, beat_id, license_type }: OrderWithPayment, now: Date) =>
  license_type !== "exclusive" || sellExclusive(db, { beatId: beat_id, orderId: id, now });

const exclusiveSoldReason =
  "The exclusive license went to another buyer before the payment came through. The payment is refunded.";

const replacedRefundedReason =
  "The license that this order replaces was refunded before the payment came through. The payment is refunded.";

const takenDownReason =
  "The operator of this marketplace took the beat down before the payment came through. The payment is refunded.";

async function fail(
  db: Queryable,
  { order, payment, now }: OrderWithOutcome,
  reason: string,
  { moment }: SettlementContext,
): Promise<OrderWithPayment> {
  if (order.license_type === "exclusive") await releaseExclusive(db, order.beat_id, order.id);
  const failed = await updateFailed(db, order, { reason, reference: payment.reference, now });
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
 * Returns null for an order without a trace. Otherwise returns the trace of the current span, which is the payment's,
 * or the order's trace if there is no span, as in a command.
 */
const traceOf = ({ trace_context }: OrderWithPayment): string | null =>
  trace_context === null ? null : (currentTraceparent() ?? trace_context);

/** Completes paid orders. The number of statements does not depend on the number of orders. */
async function complete(
  db: Queryable,
  paid: readonly OrderWithOutcome[],
  context: SettlementContext,
): Promise<OrderWithPayment[]> {
  if (paid.length === 0) return [];
  const completed = await updateCompleted(db, paid);
  await recordCompleted(db, completed, context);
  return completed.map(({ order }) => order);
}

/**
 * Records what follows from the completion of orders, in the transaction that completes them: ledger, events, invoices,
 * mails.
 */
export async function recordCompleted(
  db: Queryable,
  completed: readonly CompletedOrder[],
  { publicUrl, seller }: Pick<SettlementContext, "publicUrl" | "seller">,
): Promise<void> {
  if (completed.length === 0) return;
  await recordSales(
    db,
    completed.map(({ order, now }) => ({
      orderId: order.id,
      provider: order.payment_provider,
      producerId: order.producer_id,
      amountCents: order.amount_cents,
      currency: order.currency,
      at: now,
    })),
    { areNew: true },
  );
  const events: NewEvent[] = [];
  for (const { order, now } of completed) {
    const traceContext = traceOf(order);
    events.push({
      type: "beat.purchased",
      data: purchaseReference(order),
      at: now,
      audience: [order.producer_id, order.user_id],
      requestId: order.request_id,
      traceContext,
    });
    if (order.upgrades_license !== null)
      events.push({
        type: "license.upgraded",
        data: upgradeReference(order, order.upgrades_license),
        at: now,
        audience: [order.producer_id, order.user_id],
        requestId: order.request_id,
        traceContext,
      });
    if (order.license_type === "exclusive")
      for (const event of await availabilityEvents(db, order.beat_id, { now, publicUrl }))
        events.push({ ...event, traceContext });
  }
  await emitEvents(db, events);
  const purchases: Purchase[] = [];
  // The orders of a checkout share one payment. Every other order has a separate payment.
  for (const [key, each] of Map.groupBy(completed, ({ order }) => order.checkout_key ?? order.id)) {
    const [first, orders] = [each[0] as CompletedOrder, each.map(({ order }) => order)];
    const { now } = first;
    await issueInvoices(db, orders, { seller, now });
    // The key is a checkout's, or the id of a single order. A checkout queues the receipt for all its orders itself.
    const isSingleOrder = key === first.order.id;
    if (isSingleOrder) purchases.push({ orders, link: `${publicUrl}/portal/library?order=${key}`, now });
  }
  await mailPurchases(db, purchases, { publicUrl, seller });
}

interface CompletedOrder {
  order: OrderWithPayment;
  now: Date;
}

async function updateCompleted(db: Queryable, paid: readonly OrderWithOutcome[]): Promise<CompletedOrder[]> {
  const moments = new Map(paid.map(({ order, now }) => [order.id, now]));
  const { rows } = await sql<OrderWithPayment>`
    with final as (
      update orders set status = 'completed', completed_at = paid.at, client_secret = null, awaits_buyer = false,
        tallied = true, payment_reference = coalesce(paid.reference, orders.payment_reference)
      from unnest(${[...moments.keys()]}::bigint[], ${paid.map(({ payment }) => payment.reference)}::text[],
        ${paid.map(({ now }) => now.toISOString())}::timestamptz[]) as paid (id, reference, at)
      where orders.id = paid.id
      returning ${allColumns}
    ), queued as (${queueTally})
    select * from final order by id`.execute(db);
  return rows.map((order) => ({ order, now: moments.get(order.id) as Date }));
}

const allColumns = sql.join(orderWithPaymentColumns.map((column) => sql.ref(column)));

async function updateFailed(
  db: Queryable,
  order: OrderWithPayment,
  { reason, reference, now }: { reason: string; reference: string | null; now: Date },
): Promise<OrderWithPayment> {
  const { rows } = await sql<OrderWithPayment>`
    with final as (
      update orders set status = 'failed', failed_at = ${now}::timestamptz, failure_reason = ${reason}, client_secret = null,
        awaits_buyer = false, tallied = true, payment_reference = coalesce(${reference}, payment_reference)
      where id = ${order.id}
      returning ${allColumns}
    ), queued as (${queueTally})
    select * from final`.execute(db);
  return rows[0] ?? order;
}

interface Change {
  payment_reference?: string | null;
  awaits_buyer?: boolean;
}

async function updateOne(db: Queryable, order: OrderWithPayment, change: Change): Promise<OrderWithPayment> {
  const changed = await db
    .updateTable("orders")
    .set(change)
    .where("id", "=", order.id)
    .returning(orderWithPaymentColumns)
    .$narrowType<OrderWithPayment>()
    .executeTakeFirst();
  return changed ?? order;
}
