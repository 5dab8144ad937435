import type { RefundState } from "@beatmarket/payments/provider.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { paymentOf, requireProvider, type SettlementDependencies } from "../checkout.ts";
import type { OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { applyRefund, lockOrder, type ProviderRefund, type RefundContext } from "./apply-refund.ts";
import { findRefund, type Refund, type RefundOrigin, refundColumns, selectRefunds } from "./refund.ts";

/**
 * After this time a request without a response is no longer in progress. Our requests end within 30 seconds, and the
 * provider finishes its work soon after.
 */
const lostAfterMs = 120_000;

/**
 * The interval between queries for a refund that takes days, in case no webhook reports the outcome.
 */
const queryIntervalMs = 10 * 60_000;

/**
 * Returns pending refunds after an id. Leaves out refunds that the provider has accepted and that were queried
 * recently.
 */
export const nextPendingRefunds = (
  { db, clock }: SettlementDependencies,
  afterId: number,
  limit: number,
): Promise<Refund[]> =>
  selectRefunds(db)
    .where("status", "=", "pending")
    .where("id", ">", afterId)
    .where((refund) =>
      refund.or([
        refund("reference", "is", null),
        refund("asked_at", "is", null),
        refund("asked_at", "<=", new Date(clock.nowMs() - queryIntervalMs)),
      ]),
    )
    .orderBy("id")
    .limit(limit)
    .execute();

/**
 * Continues a pending refund: requests the refund from the provider, or queries its state, and applies the response.
 * May be called concurrently, and again after a crash. If a request had no response, looks for the refund among the
 * provider's refunds, and repeats the request only if the refund is neither there nor in progress. Throws if the
 * provider does not answer; then the refund stays pending.
 */
export async function pursueRefund(checkout: SettlementDependencies, refundId: number): Promise<Refund> {
  const refund = await findRefund(checkout.db, refundId);
  if (refund.status !== "pending") return refund;
  const order = await selectOrdersWithPayment(checkout.db).where("id", "=", refund.order_id).executeTakeFirstOrThrow();
  const provider = requireProvider(checkout, order);
  const payment = paymentOf(order);
  if (refund.reference !== null) {
    const asked_at = new Date(checkout.clock.nowMs());
    await checkout.db.updateTable("refunds").set({ asked_at }).where("id", "=", refundId).execute();
    await report(checkout, order.id, [await provider.queryRefund(payment, refund.reference)]);
    return findRefund(checkout.db, refundId);
  }
  if (refund.attempts > 0) {
    await report(checkout, order.id, await provider.listRefunds(payment));
    const refundRow = await findRefund(checkout.db, refundId);
    if (refundRow.reference !== null) return refundRow;
  }
  const begun = await beginAttempt(checkout, refund);
  return begun === null ? findRefund(checkout.db, refundId) : sendRefund(checkout, order, begun);
}

/** Sends the request of an attempt that has begun, and applies the response. Throws if the provider does not answer. */
export async function sendRefund(
  checkout: SettlementDependencies,
  order: OrderWithPayment,
  refund: Refund,
): Promise<Refund> {
  const provider = requireProvider(checkout, order);
  const payment = paymentOf(order);
  const key = `${order.payment_key}_refund_${refund.id}_${refund.attempts}`;
  const answer = await provider.refund(payment, { key, amountCents: refund.amount_cents });
  if (existsAtProvider(answer)) {
    const [applied] = await report(checkout, order.id, [answer]);
    // Of two refunds with the same amount, the other one may have got the reference (`findReported`).
    return applied?.id === refund.id ? applied : findRefund(checkout.db, refund.id);
  }
  // The payment may have been refunded in the provider's dashboard, and that refund is in this list.
  await report(checkout, order.id, await provider.listRefunds(payment));
  await markAsFailed(checkout, refund, answer.reason ?? "The provider gives no reason.");
  return findRefund(checkout.db, refund.id);
}

const existsAtProvider = (state: RefundState): state is ProviderRefund => state.reference !== null;

/** Applies the states from the provider. Returns the refunds in their present state. */
const report = (checkout: SettlementDependencies, orderId: number, states: readonly RefundState[]): Promise<Refund[]> =>
  transact(checkout.db, async (transaction) => {
    const refunds: Refund[] = [];
    for (const state of states.filter(existsAtProvider))
      refunds.push(await applyRefund(transaction, orderId, state, refundContextOf(checkout)));
    return refunds;
  });

/** Returns the refund whose request the caller must send. Returns null while another request may be in progress. */
async function beginAttempt({ db, clock }: SettlementDependencies, { id, attempts }: Refund): Promise<Refund | null> {
  const nowMs = clock.nowMs();
  const begun = await db
    .updateTable("refunds")
    .set({ attempts: attempts + 1, asked_at: new Date(nowMs) })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("reference", "is", null)
    .where("attempts", "=", attempts)
    .where((refund) =>
      refund.or([refund("asked_at", "is", null), refund("asked_at", "<=", new Date(nowMs - lostAfterMs))]),
    )
    .returning(refundColumns)
    .$narrowType<Refund>()
    .executeTakeFirst();
  return begun ?? null;
}

/**
 * For refunds that no person requested, a description for the log. No person would see that the provider refuses them.
 */
const descriptionsForLog: Partial<Record<RefundOrigin, string>> = {
  unfulfilled: "an order that could not be fulfilled",
  upgraded: "an order that upgraded a refunded license, so the upgrade stays valid",
};

/** Marks a refund that the provider has refused as failed. The order stays unchanged. */
async function markAsFailed(
  checkout: SettlementDependencies,
  { id, order_id, origin }: Refund,
  reason: string,
): Promise<void> {
  const changed = await transact(checkout.db, async (transaction) => {
    await lockOrder(transaction, order_id);
    return transaction
      .updateTable("refunds")
      .set({ status: "failed", failure_reason: reason, settled_at: new Date(checkout.clock.nowMs()) })
      .where("id", "=", id)
      .where("status", "=", "pending")
      .where("reference", "is", null)
      .returning("id")
      .executeTakeFirst();
  });
  const description = changed === undefined ? undefined : descriptionsForLog[origin];
  if (description !== undefined)
    checkout.log.error(
      { orderId: order_id, refundId: id, reason },
      `the provider refuses to refund ${description}: refund it in the provider's dashboard, or by \`beatmarket orders refund\``,
    );
}

export const refundContextOf = ({ publicUrl, log, clock }: SettlementDependencies): RefundContext => ({
  publicUrl,
  log,
  now: new Date(clock.nowMs()),
});
