import type { RefundState } from "@beatmarket/payments/provider.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { availabilityEvents, returnExclusive, sellExclusive } from "../../beats/licensing/exclusive.ts";
import { issueCorrection } from "../../invoices/queries.ts";
import { recordRefund, recordRefundReversal, recordUnfulfilled } from "../../ledger/record.ts";
import { emitEvents } from "../../webhooks/outbox.ts";
import type { SettlementDependencies } from "../checkout.ts";
import { isFullyRefunded, type OrderWithPayment } from "../order.ts";
import { mailRefund } from "../order-mails.ts";
import { refundReference } from "../present.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { insertRefund, type Refund, refundableAmount, refundColumns, selectRefunds } from "./refund.ts";

/** The state of a refund that exists at the provider. */
export type ProviderRefund = RefundState & { reference: string };

/** A state replaces only a state with less progress, so late and repeated reports change nothing. */
const progress: Record<Refund["status"], number> = { pending: 0, succeeded: 1, failed: 2 };

/**
 * Applies a refund's state from the provider, in the caller's transaction. The state may be a response or a webhook's
 * report; reports may be repeated and come in any order. If a refund has the state's reference, updates that refund.
 * Otherwise, if one of our refunds has the same amount and no response yet, assigns the reference to it. Otherwise
 * inserts the refund, which was made in the provider's dashboard. Returns the refund in its present state.
 */
export async function applyRefund(
  transaction: Queryable,
  orderId: number,
  state: ProviderRefund,
  context: RefundContext,
): Promise<Refund> {
  const order = await lockOrder(transaction, orderId);
  const refund =
    (await findReported(transaction, order, state)) ??
    (await insertRefund(transaction, orderId, {
      amountCents: state.amountCents,
      origin: "provider",
      reference: state.reference,
      now: context.now,
    }));
  if (refund.order_id !== orderId)
    throw new Error(`Refund ${state.reference} belongs to order ${refund.order_id}, not to order ${orderId}.`);
  const hasProgress = progress[state.status] > progress[refund.status];
  if (!hasProgress && refund.reference === state.reference) return refund;
  const updated = await transaction
    .updateTable("refunds")
    .set({
      reference: state.reference,
      ...(hasProgress && {
        status: state.status,
        failure_reason: state.status === "failed" ? (state.reason ?? "The provider gives no reason.") : null,
        settled_at: context.now,
      }),
    })
    .where("id", "=", refund.id)
    .returning(refundColumns)
    .$narrowType<Refund>()
    .executeTakeFirstOrThrow();
  if (!hasProgress) return updated;
  await recordMovement(transaction, order, refund, state.status, context.now);
  await recountRefunded(transaction, order, context);
  return updated;
}

export const lockOrder = (transaction: Queryable, orderId: number): Promise<OrderWithPayment> =>
  selectOrdersWithPayment(transaction).where("id", "=", orderId).forUpdate().executeTakeFirstOrThrow();

/**
 * The refund with the reference. Otherwise the oldest refund of that amount that was sent and has no response yet,
 * since a report may arrive before the response. It does not matter which of two equal refunds gets the reference.
 */
const findReported = (
  transaction: Queryable,
  order: OrderWithPayment,
  { reference, amountCents }: ProviderRefund,
): Promise<Refund | undefined> =>
  selectRefunds(transaction)
    .where((refund) =>
      refund.or([
        refund("reference", "=", reference),
        refund.and([
          refund("order_id", "=", order.id),
          refund("status", "=", "pending"),
          refund("reference", "is", null),
          refund("attempts", ">", 0),
          refund("amount_cents", "=", amountCents),
        ]),
      ]),
    )
    .orderBy("reference", (order) => order.asc().nullsLast())
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();

/** Records in the ledger that money left the provider, or came back to it. */
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
  // Records the payment if a release without a ledger took it. Otherwise it is recorded already.
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

/** The dependencies of functions that apply a report. */
export type RefundContext = Pick<SettlementDependencies, "publicUrl" | "log"> & { now: Date };

/**
 * Sets the refunded amount of the order to the sum of its succeeded refunds and lost disputes, but at most to its
 * price. So the sequence of reports does not matter. If the amount has changed, emits order.refunded and corrects the
 * invoice. Sends mails only if the amount has increased. A full refund also refunds an upgrade of the license, and puts
 * an exclusive license on sale again, with beat.updated. If a refund was sent back after the exclusive license was sold
 * to another buyer, only logs an error: the order stays refunded. The caller has locked the order's row.
 */
export async function recountRefunded(
  transaction: Queryable,
  order: OrderWithPayment,
  context: RefundContext,
): Promise<void> {
  const { refunded_cents, has_any } = await sumOf(transaction, order);
  if (refunded_cents === order.refunded_cents && has_any === (order.refunded_at !== null)) return;
  const recounted = { refunded_cents, refunded_at: has_any ? context.now : null };
  const wasFull = isFullyRefunded(order);
  const isFull = isFullyRefunded({ ...order, ...recounted });
  if (order.license_type === "exclusive" && order.status === "completed" && wasFull !== isFull) {
    const beat = { beatId: order.beat_id, orderId: order.id, now: context.now };
    const hasChanged = isFull ? await returnExclusive(transaction, beat) : await sellExclusive(transaction, beat);
    if (hasChanged) await emitEvents(transaction, await availabilityEvents(transaction, order.beat_id, context));
    else if (!isFull) {
      context.log.error(
        { orderId: order.id, beatId: order.beat_id },
        "a refund was sent back, and the exclusive license no longer belongs to the order; the order stays refunded: pay its buyer another way",
      );
      return;
    }
  }
  await transaction.updateTable("orders").set(recounted).where("id", "=", order.id).execute();
  if (isFull && !wasFull && order.status === "completed") await refundUpgrade(transaction, order, context);
  if (refunded_cents > order.refunded_cents) await mailRefund(transaction, { ...order, ...recounted }, context.now);
  await emitEvents(transaction, [
    {
      type: "order.refunded",
      data: refundReference({ ...order, ...recounted }),
      at: context.now,
      // A failed order was never a sale, so its producer gets no event.
      audience: order.status === "completed" ? [order.producer_id, order.user_id] : [order.user_id],
    },
  ]);
  await issueCorrection(transaction, {
    orderId: order.id,
    beforeCents: order.amount_cents - order.refunded_cents,
    afterCents: order.amount_cents - refunded_cents,
    now: context.now,
  });
}

/**
 * Inserts a refund of the order that upgraded the license of a refunded order. An upgrade costs only the difference, so
 * without the first payment it is not paid in full. A renewal costs the full price, so it stays valid. The reconciler
 * requests the refund from the provider.
 */
async function refundUpgrade(transaction: Queryable, order: OrderWithPayment, context: RefundContext): Promise<void> {
  const upgrade = await selectOrdersWithPayment(transaction)
    .innerJoin("licenses", "licenses.id", "orders.upgrades_license")
    .where("licenses.order_id", "=", order.id)
    .where("orders.license_type", "<>", order.license_type)
    .where("orders.status", "=", "completed")
    .where(sql<boolean>`not is_full_refund(orders.refunded_at, orders.refunded_cents, orders.amount_cents)`)
    .forUpdate("orders")
    .executeTakeFirst();
  if (upgrade === undefined) return;
  const isFree = upgrade.amount_cents === 0;
  const { refundableCents } = await refundableAmount(transaction, upgrade);
  if (refundableCents <= 0 && !isFree) return;
  const { now } = context;
  const { id } = await insertRefund(transaction, upgrade.id, { amountCents: refundableCents, origin: "upgraded", now });
  if (!isFree) return;
  // A free upgrade needs no request, but its license ends too.
  await transaction.updateTable("refunds").set({ status: "succeeded", settled_at: now }).where("id", "=", id).execute();
  await recountRefunded(transaction, upgrade, context);
}

async function sumOf(
  transaction: Queryable,
  { id, amount_cents }: OrderWithPayment,
): Promise<{ refunded_cents: number; has_any: boolean }> {
  const { rows } = await sql<{ cents: number; has_any: boolean }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents, count(*) > 0 as has_any
    from (select amount_cents from refunds where order_id = ${id} and status = 'succeeded'
          union all select amount_cents from disputes where order_id = ${id} and status = 'lost') as returned`.execute(
    transaction,
  );
  const { cents = 0, has_any = false } = rows[0] ?? {};
  return { refunded_cents: Math.min(cents, amount_cents), has_any };
}
