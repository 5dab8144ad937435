import { conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../../database/connect.ts";
import { readReason } from "../../audit/actions.ts";
import { type Operator, recordAudit } from "../../audit/queries.ts";
import { recordUnfulfilled } from "../../ledger/record.ts";
import { requireProvider, type SettlementDependencies } from "../checkout.ts";
import { isFullyRefunded, type OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { findReplacement } from "../upgrade.ts";
import { recountRefunded } from "./apply-refund.ts";
import { pursueRefund, sendRefund } from "./pursue-refund.ts";
import { findRefund, insertRefund, type Refund, type RefundOrigin, refundableAmount, selectRefunds } from "./refund.ts";

export interface RefundRequest {
  /** The amount in cents. Null refunds the rest of the order. */
  amountCents: number | null;
  origin: Exclude<RefundOrigin, "provider" | "upgraded">;
  /** The run of an Idempotency-Key (access/idempotency.ts). A repeated run returns the first refund. */
  run?: string | null;
  /** The author in the buyer's audit log. */
  author?: Operator;
  /** The reason in the buyer's audit log. */
  reason?: string | undefined;
}

interface RequestedRefund {
  refund: Refund;
  /** The order, if the refund is new and its request to the provider must follow. */
  newOf?: OrderWithPayment;
}

/**
 * Refunds a part of an order, or the rest if `amountCents` is null, and returns the refund. Stores the refund before
 * the request to the provider, so the reconciler can finish it after an error or a crash. A repeated request for the
 * rest continues a pending refund. Concurrent refunds together do not exceed the price. Throws 404 for an unknown
 * order, 400 for an amount below one cent or an invalid reason, and 409 for an order that cannot be refunded.
 */
export async function requestRefund(
  checkout: SettlementDependencies,
  orderId: number,
  request: RefundRequest,
): Promise<Refund> {
  const { amountCents, origin, run = null, author = "operator" } = request;
  const reason = request.reason === undefined ? undefined : readReason(request.reason);
  if (amountCents !== null && amountCents < 1)
    throw invalidRequest("The amount of a refund is 0.01 or more.", "amount");
  const { refund, newOf } = await transact(checkout.db, async (transaction): Promise<RequestedRefund> => {
    const order = await selectOrdersWithPayment(transaction).where("id", "=", orderId).forUpdate().executeTakeFirst();
    if (order === undefined) throw notFound(`Order ${orderId} does not exist.`);
    await requireNotReplaced(transaction, order);
    if (order.amount_cents === 0)
      return { refund: await refundFree(checkout, transaction, order, { ...request, reason }) };
    requireProvider(checkout, order);
    const earlier = run === null ? undefined : await refundOfRun(transaction, run);
    if (earlier !== undefined) return { refund: earlier };
    const { refundableCents, pendingId, count } = await refundableAmount(transaction, order);
    if (order.status === "pending")
      throw conflict(`Order ${orderId} is not paid yet; it is completed or fails within 15 minutes.`);
    if (order.status === "failed" && count === 0)
      throw conflict(`Order ${orderId} failed and no payment of it is known, so there is nothing to refund.`);
    if (refundableCents <= 0 && amountCents === null && pendingId !== null)
      return { refund: await findRefund(transaction, pendingId) };
    if (refundableCents <= 0) throw conflict(await reasonForNothingLeft(transaction, order));
    if (amountCents !== null && amountCents > refundableCents)
      throw conflict(
        `Order ${orderId} has ${formatAmount(refundableCents, order.currency)} left to refund, which is less than ${formatAmount(amountCents, order.currency)}.`,
      );
    const now = new Date(checkout.clock.nowMs());
    const refunded = amountCents ?? refundableCents;
    await recordInAuditLog(transaction, order, { amountCents: refunded, reason, author, now });
    const added = await insertRefund(transaction, orderId, { amountCents: refunded, origin, run, isSent: true, now });
    return { refund: added, newOf: order };
  });
  try {
    return await (newOf === undefined ? pursueRefund(checkout, refund.id) : sendRefund(checkout, newOf, refund));
  } catch (error) {
    checkout.log.warn(
      { err: error, orderId, refundId: refund.id },
      "the refund is not complete yet; the reconciler retries it",
    );
    return findRefund(checkout.db, refund.id);
  }
}

/**
 * Throws 409 if a completed or pending order replaces the license of the order, because the price of an upgrade was
 * reduced by the price of the order.
 */
async function requireNotReplaced(transaction: Queryable, { id, status }: OrderWithPayment): Promise<void> {
  const replacement = status === "completed" ? await findReplacement(transaction, id) : undefined;
  if (replacement !== undefined)
    throw conflict(
      `The license of order ${id} was replaced by order ${replacement.id}, which is ${replacement.status}. Refund that order first.`,
    );
}

/** Refunds a free order. The refund moves no money, but ends the license. */
async function refundFree(
  { clock, publicUrl, log }: SettlementDependencies,
  transaction: Queryable,
  order: OrderWithPayment,
  { amountCents, run = null, author = "operator", reason }: RefundRequest,
): Promise<Refund> {
  const earlier = run === null ? undefined : await refundOfRun(transaction, run);
  if (earlier !== undefined) return earlier;
  if (order.status !== "completed")
    throw conflict(`Order ${order.id} is ${order.status}, so there is nothing to refund.`);
  if (amountCents !== null)
    throw conflict(`Order ${order.id} was free: refund it without an amount, which ends its license.`);
  if (isFullyRefunded(order)) throw conflict(`Order ${order.id} is refunded in full already.`);
  const now = new Date(clock.nowMs());
  await recordInAuditLog(transaction, order, { amountCents: 0, reason, author, now });
  const { id } = await insertRefund(transaction, order.id, { amountCents: 0, origin: "operator", run, now });
  await transaction.updateTable("refunds").set({ status: "succeeded", settled_at: now }).where("id", "=", id).execute();
  await recountRefunded(transaction, order, { publicUrl, log, now });
  return findRefund(transaction, id);
}

const refundOfRun = (transaction: Queryable, run: string): Promise<Refund | undefined> =>
  selectRefunds(transaction).where("idempotency_run", "=", run).executeTakeFirst();

const recordInAuditLog = (
  transaction: Queryable,
  { id, user_id, currency }: OrderWithPayment,
  {
    amountCents,
    reason,
    author,
    now,
  }: { amountCents: number; reason: string | undefined; author: Operator; now: Date },
): Promise<void> =>
  recordAudit(transaction, {
    userId: user_id,
    action: "order.refunded",
    author,
    at: now,
    subject: `Order ${id}: ${formatAmount(amountCents, currency)}`,
    reason,
  });

async function reasonForNothingLeft(transaction: Queryable, { id }: OrderWithPayment): Promise<string> {
  const dispute = await transaction
    .selectFrom("disputes")
    .select(["reference", "status"])
    .where("order_id", "=", id)
    .where("is_withdrawn", "=", true)
    .executeTakeFirst();
  if (dispute !== undefined)
    return `The buyer's bank has taken the payment of order ${id} back (dispute ${dispute.reference}, ${dispute.status}), so nothing of it is left to refund.`;
  const pending = await selectRefunds(transaction)
    .where("order_id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return pending === undefined
    ? `Order ${id} is refunded in full already.`
    : `Refund ${pending.id} of order ${id} is under way, and no other amount is left to refund.`;
}

/**
 * Inserts the refund for an order that failed although its payment succeeded, in the caller's transaction. Returns the
 * refund's id, or null if the order already has a refund or cost nothing. The caller has locked the order's row, and
 * then pursues the refund.
 */
export async function addUnfulfilledRefund(
  transaction: Queryable,
  { id, amount_cents, payment_provider, currency }: OrderWithPayment,
  now: Date,
): Promise<number | null> {
  if (amount_cents === 0) return null;
  const earlier = await selectRefunds(transaction).where("order_id", "=", id).executeTakeFirst();
  if (earlier !== undefined) return null;
  await recordUnfulfilled(transaction, {
    orderId: id,
    provider: payment_provider,
    amountCents: amount_cents,
    currency,
    at: now,
  });
  const refund = await insertRefund(transaction, id, { amountCents: amount_cents, origin: "unfulfilled", now });
  return refund.id;
}
