import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { emitPayouts, mailPayouts } from "./events.ts";
import { type Payout, type PayoutRun, payoutColumns, selectPayouts } from "./payout.ts";
import { lockPayout, markFailed, markPaid } from "./settle.ts";

const payoutsPerBatch = 1_000;

/** The outcome of a transfer. `unfunded`: the marketplace's balance is too low. */
export type TransferOutcome =
  | { status: "paid"; reference: string }
  | { status: "failed"; reason: string }
  | { status: "unfunded"; reason: string };

/** The provider that pays connected accounts. */
export interface Transfers {
  /** Returns the reference of a payout's transfer, and null if there is no transfer. */
  find(payout: Payout): Promise<string | null>;
  /** Throws while the outcome is unknown. */
  make(payout: Payout): Promise<TransferOutcome>;
}

export interface SendingParts {
  db: Queryable;
  now(): Date;
  publicUrl: string;
  /** Null if no provider is configured. */
  transfers: Transfers | null;
}

/** The reason why a run stopped before its end. */
export interface Stopped {
  reason: string;
}

/**
 * Sends the payouts of a collected run and finishes the run. Returns the reason if the run stopped, and null if all
 * payouts were sent.
 */
export async function sendRun(parts: SendingParts, run: PayoutRun): Promise<Stopped | null> {
  const stopped = run.method === "stripe" ? await transferAll(parts, run.id) : await markFileSent(parts, run.id);
  if (stopped !== null) return stopped;
  await parts.db
    .updateTable("payout_runs")
    .set({ finished_at: parts.now() })
    .where("id", "=", run.id)
    .where("finished_at", "is", null)
    .execute();
  return null;
}

/**
 * Marks the payouts of a bank file as sent, before the file is written. The file can be written again at any time and
 * is always the same.
 */
async function markFileSent({ db, now, publicUrl }: SendingParts, runId: number): Promise<null> {
  for (;;) {
    const count = await transact(db, async (transaction) => {
      const sentAt = now();
      const updated = await transaction
        .updateTable("payouts")
        .set({ status: "sent", sent_at: sentAt })
        .where("id", "in", (pending) =>
          pending
            .selectFrom("payouts")
            .select("id")
            .where("run_id", "=", runId)
            .where("status", "=", "pending")
            .orderBy("id")
            .limit(payoutsPerBatch)
            .forUpdate(),
        )
        .returning(payoutColumns)
        .$narrowType<Payout>()
        .execute();
      // The update returns rows in any order, and events have the order of ids.
      const payouts = updated.toSorted((one, other) => one.id - other.id);
      await emitPayouts(transaction, "payout.sent", payouts, sentAt);
      await mailPayouts(transaction, "payout-sent", payouts, { publicUrl, now: sentAt });
      return payouts.length;
    });
    if (count < payoutsPerBatch) return null;
  }
}

/** Makes the transfers of a run one after the other. Makes each transfer once, even after a crash. */
async function transferAll(parts: SendingParts, runId: number): Promise<Stopped | null> {
  if (parts.transfers === null)
    return { reason: "Stripe is not configured: set STRIPE_SECRET_KEY, and resume the run." };
  for (let last = 0; ; ) {
    const open = await selectPayouts(parts.db)
      .where("run_id", "=", runId)
      .where("status", "in", ["pending", "sent"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(payoutsPerBatch)
      .execute();
    for (const payout of open) {
      const stopped = await transferOnce(parts, parts.transfers, payout);
      if (stopped !== null) return stopped;
    }
    if (open.length < payoutsPerBatch) return null;
    last = open.at(-1)?.id ?? last;
  }
}

/**
 * Makes a transfer. Marks the payout as `sent` before the request to the provider. If the payout is already `sent`, the
 * transfer may exist, so it is first looked up at the provider. If it is not there, the request is repeated with the
 * same Idempotency-Key.
 */
async function transferOnce(parts: SendingParts, transfers: Transfers, payout: Payout): Promise<Stopped | null> {
  const { db, now, publicUrl } = parts;
  await db
    .updateTable("payouts")
    .set({ status: "sent", sent_at: now() })
    .where("id", "=", payout.id)
    .where("status", "=", "pending")
    .execute();
  const transfer = payout.status === "sent" ? await transfers.find(payout) : null;
  const outcome = transfer === null ? await transfers.make(payout) : { status: "paid" as const, reference: transfer };
  return transact(db, async (transaction) => {
    const locked = await lockPayout(transaction, payout.id);
    if (locked.status !== "sent") return null;
    if (outcome.status === "failed") {
      await markFailed(transaction, locked, outcome.reason, { publicUrl, now: now() });
      return null;
    }
    if (outcome.status === "unfunded") {
      await transaction
        .updateTable("payouts")
        .set({ status: "pending", sent_at: null, refusals: locked.refusals + 1 })
        .where("id", "=", payout.id)
        .execute();
      return { reason: outcome.reason };
    }
    await transaction
      .updateTable("payouts")
      .set({ reference: outcome.reference })
      .where("id", "=", payout.id)
      .execute();
    await markPaid(transaction, [locked], now());
    await mailPayouts(transaction, "payout-sent", [locked], { publicUrl, now: now() });
    return null;
  });
}
