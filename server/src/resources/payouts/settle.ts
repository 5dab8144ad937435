import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { recordPayouts } from "../ledger/record-payouts.ts";
import { emitPayouts, mailPayouts } from "./events.ts";
import { movementOf, type Payout, payoutColumns, selectPayouts } from "./payout.ts";
import { blockPayoutAccount } from "./payout-accounts.ts";

export interface SettlementContext {
  publicUrl: string;
  now: Date;
}

/**
 * Marks sent payouts as paid, and returns their number. Paid payouts stay unchanged. Throws 409 for payouts in other
 * states.
 */
export async function markPaid(transaction: Queryable, payouts: readonly Payout[], now: Date): Promise<number> {
  const unpayable = payouts.find(({ status }) => status !== "sent" && status !== "paid");
  if (unpayable !== undefined)
    throw conflict(
      `Payout ${unpayable.id} is ${unpayable.status}, and only one that was sent can be paid. Nothing was changed.`,
    );
  const sentPayouts = payouts.filter(({ status }) => status === "sent");
  if (sentPayouts.length === 0) return 0;
  const updated = await transaction
    .updateTable("payouts")
    .set({ status: "paid", settled_at: now })
    .where(
      "id",
      "in",
      sentPayouts.map(({ id }) => id),
    )
    .returning(payoutColumns)
    .$narrowType<Payout>()
    .execute();
  // The update returns rows in any order, and events have the order of ids.
  const paidPayouts = updated.toSorted((one, other) => one.id - other.id);
  await recordPayouts(transaction, "payout_paid", paidPayouts.map(movementOf), now);
  await emitPayouts(transaction, "payout.paid", paidPayouts, now);
  return sentPayouts.length;
}

/**
 * Marks a payout as failed: the money did not arrive, or came back. Returns its money to the producer's balance. Blocks
 * payouts to the same details until the details change or an operator retries. Returns whether the state has changed.
 */
export async function markFailed(
  transaction: Queryable,
  payout: Payout,
  reason: string,
  { publicUrl, now }: SettlementContext,
): Promise<boolean> {
  if (payout.status === "failed") return false;
  const failed = await transaction
    .updateTable("payouts")
    .set({ status: "failed", failure_reason: reason, settled_at: now })
    .where("id", "=", payout.id)
    .returning(payoutColumns)
    .$narrowType<Payout>()
    .executeTakeFirstOrThrow();
  const step = payout.status === "paid" ? "payout_returned" : "payout_failed";
  await recordPayouts(transaction, step, [movementOf(payout)], now);
  await emitPayouts(transaction, "payout.failed", [failed], now);
  await blockPayoutAccount(transaction, payout.user_id, reason);
  await mailPayouts(transaction, "payout-failed", [failed], { publicUrl, now });
  return true;
}

/** Locks a payout until the transaction ends, and returns the payout. Throws 404 for an unknown id. */
export async function lockPayout(transaction: Queryable, id: number): Promise<Payout> {
  const [payout] = await lockPayouts(transaction, [id]);
  return payout as Payout;
}

/** Does the same as `lockPayout` for several payouts. Returns them in the order of their ids. */
async function lockPayouts(transaction: Queryable, ids: readonly number[]): Promise<Payout[]> {
  const payouts = await selectPayouts(transaction)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy("id")
    .forUpdate()
    .execute();
  const known = new Set(payouts.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw notFound(`Payout ${unknown} does not exist.`);
  return payouts;
}

/**
 * Applies the operator's confirmation that payouts of a bank file have arrived: all payouts of a run, or some payouts.
 * Throws like `markPaid`, and 404 for an unknown id. Throws 409 for a transfer whose outcome is unknown. Returns the
 * number of changed payouts.
 */
export const confirmPaid = (
  db: Queryable,
  which: { runId: number } | { ids: readonly number[] },
  now: Date,
): Promise<number> =>
  transact(db, async (transaction) => {
    if ("ids" in which) {
      const payouts = await lockPayouts(transaction, which.ids);
      requireKnownOutcome(payouts);
      return markPaid(transaction, payouts, now);
    }
    const sentPayouts = await selectPayouts(transaction)
      .where("run_id", "=", which.runId)
      .where("status", "=", "sent")
      .orderBy("id")
      .forUpdate()
      .execute();
    requireKnownOutcome(sentPayouts);
    return markPaid(transaction, sentPayouts, now);
  });

/**
 * Applies the operator's report that a payout failed or came back. Throws 404 for an unknown payout. Throws 409 for a
 * payout that was not sent or has failed, and for a transfer whose outcome is unknown. Returns the payout as it was
 * before the change.
 */
export const confirmFailed = (db: Queryable, id: number, reason: string, parts: SettlementContext): Promise<Payout> =>
  transact(db, async (transaction) => {
    const payout = await lockPayout(transaction, id);
    if (payout.status === "pending" || payout.status === "failed")
      throw conflict(`Payout ${id} is ${payout.status}; only one that was sent or paid can come back.`);
    requireKnownOutcome([payout]);
    await markFailed(transaction, payout, reason, parts);
    return payout;
  });

/**
 * Throws 409 for a transfer whose outcome is unknown. If Stripe has made it and the operator reports it as failed, the
 * next run would pay the money again. If Stripe has not made it and the operator reports it as paid, it would never be
 * made.
 */
function requireKnownOutcome(payouts: readonly Payout[]): void {
  const unknown = payouts.find(({ status, stripe_account }) => status === "sent" && stripe_account !== null);
  if (unknown !== undefined)
    throw conflict(
      `It is not known yet whether Stripe made payout ${unknown.id}. Run \`beatmarket payouts resume\`, which asks Stripe. Nothing was changed.`,
    );
}
