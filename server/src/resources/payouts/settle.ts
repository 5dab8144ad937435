import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { recordPayouts } from "../ledger/record-payouts.ts";
import { mailPayouts } from "./mails.ts";
import { movementOf, type Payout, selectPayouts } from "./payout.ts";
import { blockPayoutAccount } from "./payout-accounts.ts";

export interface SettlingParts {
  publicUrl: string;
  now: Date;
}

/** Takes payouts that were sent as arrived. Those that are paid already stay so. Throws 409 for others. */
export async function markPaid(transaction: Queryable, payouts: readonly Payout[], now: Date): Promise<number> {
  const wrong = payouts.find(({ status }) => status !== "sent" && status !== "paid");
  if (wrong !== undefined)
    throw conflict(
      `Payout ${wrong.id} is ${wrong.status}, and only one that was sent can be paid. Nothing was changed.`,
    );
  const sent = payouts.filter(({ status }) => status === "sent");
  if (sent.length === 0) return 0;
  await transaction
    .updateTable("payouts")
    .set({ status: "paid", settled_at: now })
    .where(
      "id",
      "in",
      sent.map(({ id }) => id),
    )
    .execute();
  await recordPayouts(transaction, "payout_paid", sent.map(movementOf), now);
  return sent.length;
}

/**
 * A payout that did not arrive, or that came back: its money is the producer's again, and nothing is paid to the same details until
 * they change or an operator tries again. Returns whether it was not failed before.
 */
export async function markFailed(
  transaction: Queryable,
  payout: Payout,
  reason: string,
  { publicUrl, now }: SettlingParts,
): Promise<boolean> {
  if (payout.status === "failed") return false;
  await transaction
    .updateTable("payouts")
    .set({ status: "failed", failure_reason: reason, settled_at: now })
    .where("id", "=", payout.id)
    .execute();
  const step = payout.status === "paid" ? "payout_returned" : "payout_failed";
  await recordPayouts(transaction, step, [movementOf(payout)], now);
  await blockPayoutAccount(transaction, payout.user_id, reason);
  await mailPayouts(transaction, "payout-failed", [{ ...payout, failure_reason: reason }], { publicUrl, now });
  return true;
}

/** A payout, locked until the transaction ends. Throws 404. */
export async function lockPayout(transaction: Queryable, id: number): Promise<Payout> {
  const payout = await selectPayouts(transaction).where("id", "=", id).forUpdate().executeTakeFirst();
  if (payout === undefined) throw notFound(`Payout ${id} does not exist.`);
  return payout;
}

/** An operator's word that payouts of a bank file arrived: those of a run, or some. Returns how many changed. */
export const confirmPaid = (
  db: Queryable,
  which: { runId: number } | { ids: readonly number[] },
  now: Date,
): Promise<number> =>
  transact(db, async (transaction) => {
    if ("ids" in which) {
      const payouts: Payout[] = [];
      for (const id of which.ids) payouts.push(await lockPayout(transaction, id));
      return markPaid(transaction, payouts, now);
    }
    const sent = await selectPayouts(transaction)
      .where("run_id", "=", which.runId)
      .where("status", "=", "sent")
      .forUpdate()
      .execute();
    return markPaid(transaction, sent, now);
  });

/** An operator's word that a payout failed or came back. Throws 404, and 409 for one that was not sent or failed before. */
export const confirmFailed = (db: Queryable, id: number, reason: string, parts: SettlingParts): Promise<Payout> =>
  transact(db, async (transaction) => {
    const payout = await lockPayout(transaction, id);
    if (payout.status === "pending" || payout.status === "failed")
      throw conflict(`Payout ${id} is ${payout.status}; only one that was sent or paid can come back.`);
    await markFailed(transaction, payout, reason, parts);
    return payout;
  });
