import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { Queryable } from "../../database/connect.ts";
import { collect, type NewRun, openRun } from "./collect.ts";
import { findFailed, type PayoutRun, selectPayouts, selectRuns } from "./payout.ts";
import { blockPayoutAccount } from "./payout-accounts.ts";
import { type SendingParts, type Stopped, sendRun } from "./send.ts";

export interface RunOutcome {
  run: PayoutRun;
  count: number;
  cents: number;
  /** Null when all payouts were sent. */
  stopped: Stopped | null;
}

/** Pays the due balances: continues the open run, or begins one. Safe to kill and to repeat at any moment. */
export async function runPayouts(parts: SendingParts, request: Omit<NewRun, "now">): Promise<RunOutcome> {
  const run = await openRun(parts.db, { ...request, now: parts.now() });
  return finishRun(parts, run);
}

/** Continues a run that was killed or stopped. */
export async function finishRun(parts: SendingParts, run: PayoutRun): Promise<RunOutcome> {
  await collect(parts.db, run.id, parts.now);
  const stopped = await sendRun(parts, run);
  const { count, cents } = await sumOf(parts.db, run.id);
  return { run: { ...run, finished_at: stopped === null ? parts.now() : null }, count, cents, stopped };
}

/**
 * Background job: continues with the run that an operator began in the portal, or that was interrupted. One process at
 * a time.
 */
export async function continueRun(parts: SendingParts): Promise<void> {
  await runInOneProcess(parts.db, "beatmarket:payouts", async (db) => {
    const run = await selectRuns(db).where("finished_at", "is", null).executeTakeFirst();
    if (run !== undefined) await finishRun({ ...parts, db }, run);
  });
}

async function sumOf(db: Queryable, runId: number): Promise<{ count: number; cents: number }> {
  const { count, cents } = await db
    .selectFrom("payouts")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.sum<number | null>("amount_cents").as("cents")])
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();
  return { count: Number(count), cents: Number(cents ?? 0) };
}

/**
 * Pays a producer whose payout failed, in a separate run: the amount that is due now, to the current details. The
 * failed payout stays unchanged: its money went back to the balance, so the new payout contains it once. Throws as
 * `openRetry`.
 */
export const retryPayout = async (
  parts: SendingParts,
  id: number,
  { cleared }: { cleared: Date },
): Promise<RunOutcome> => finishRun(parts, await openRetry(parts.db, id, { cleared, now: parts.now() }));

/**
 * Begins the run of a retry. Throws 404, and 409 for a payout that did not fail or was followed by another one, and
 * while a run is open.
 */
export async function openRetry(
  db: Queryable,
  id: number,
  { cleared, now }: { cleared: Date; now: Date },
): Promise<PayoutRun> {
  const failed = await findFailed(db, id);
  if (failed === undefined) {
    const other = await selectPayouts(db).where("id", "=", id).executeTakeFirst();
    if (other === undefined) throw notFound(`Payout ${id} does not exist.`);
    throw conflict(`Payout ${id} is ${other.status}; only one that failed is tried again.`);
  }
  const later = await selectPayouts(db)
    .where("user_id", "=", failed.user_id)
    .where("id", ">", id)
    .where("status", "!=", "failed")
    .limit(1)
    .executeTakeFirst();
  if (later !== undefined)
    throw conflict(`The money of payout ${id} is in payout ${later.id}, which is ${later.status}.`);
  const run = await selectRuns(db).where("id", "=", failed.run_id).executeTakeFirstOrThrow();
  const retry = await openRun(db, {
    method: run.method,
    currency: run.currency,
    cleared,
    onlyUserId: failed.user_id,
    now,
  });
  await blockPayoutAccount(db, failed.user_id, null);
  return retry;
}
