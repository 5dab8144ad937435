import type { RefundState } from "@beatmarket/payments/provider.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { paymentOf, requireProvider, type SettlementDependencies } from "../checkout.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { applyRefund, lockOrder, type MadeRefund, type RefundContext } from "./apply-refund.ts";
import { findRefund, type Refund, type RefundOrigin, selectRefunds } from "./refund.ts";

/**
 * The age after which a request without a response cannot be in progress any more. Ours end within 30 seconds, and the
 * provider's work on them soon after.
 */
const lostAfterMs = 120_000;

/** How often the provider is asked about a refund that the bank needs days for, in case its webhook does not report it. */
const askAgainMs = 10 * 60_000;

/** Pending refunds after an id, except those that the provider has accepted and was asked about recently. */
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
        refund("asked_at", "<=", new Date(clock.nowMs() - askAgainMs)),
      ]),
    )
    .orderBy("id")
    .limit(limit)
    .execute();

/**
 * Continues a pending refund: requests it from the provider, or asks for its state, and applies the response. Safe to
 * call concurrently and again after a crash. If a request got no response, the refund is searched among the provider's
 * refunds. The request is repeated only when the refund is neither found nor in progress. Throws if the provider cannot
 * be asked; the refund then stays pending.
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
  const attempt = await beginAttempt(checkout, refund);
  if (attempt === null) return findRefund(checkout.db, refundId);
  const key = `${order.payment_key}_refund_${refundId}_${attempt}`;
  const answer = await provider.refund(payment, { key, amountCents: refund.amount_cents });
  if (isMade(answer)) await report(checkout, order.id, [answer]);
  else {
    // The payment may have been refunded in the provider's dashboard, and that refund is in this list.
    await report(checkout, order.id, await provider.listRefunds(payment));
    await refuse(checkout, refund, answer.reason ?? "The provider gives no reason.");
  }
  return findRefund(checkout.db, refundId);
}

const isMade = (state: RefundState): state is MadeRefund => state.reference !== null;

const report = (checkout: SettlementDependencies, orderId: number, states: readonly RefundState[]): Promise<void> =>
  transact(checkout.db, async (transaction) => {
    for (const state of states.filter(isMade))
      await applyRefund(transaction, orderId, state, refundContextOf(checkout));
  });

/** The number of the request that the caller must send; null while another one may be in progress. */
async function beginAttempt({ db, clock }: SettlementDependencies, { id, attempts }: Refund): Promise<number | null> {
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
    .returning("attempts")
    .executeTakeFirst();
  return begun?.attempts ?? null;
}

/** What nobody asked for, so that nobody sees its refusal. */
const refusedReasons: Partial<Record<RefundOrigin, string>> = {
  unfulfilled: "an order that could not be fulfilled",
  upgraded: "an order whose license upgrades one that was paid back, so this license stays valid",
};

/** Ends a refund that the provider did not make. The order stays unchanged. */
async function refuse(
  checkout: SettlementDependencies,
  { id, order_id, origin }: Refund,
  reason: string,
): Promise<void> {
  const refused = await transact(checkout.db, async (transaction) => {
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
  const why = refused === undefined ? undefined : refusedReasons[origin];
  if (why !== undefined)
    checkout.log.error(
      { orderId: order_id, refundId: id, reason },
      `the provider refuses to refund ${why}: refund it in the provider's dashboard, or by \`beatmarket orders refund\``,
    );
}

export const refundContextOf = ({ publicUrl, log, clock }: SettlementDependencies): RefundContext => ({
  publicUrl,
  log,
  now: new Date(clock.nowMs()),
});
