import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../database/connect.ts";
import { openRun } from "./collect.ts";
import { findFailed } from "./list-payouts.ts";
import { type PayoutRun, selectPayouts, selectRuns } from "./payout.ts";
import { blockPayoutAccount } from "./payout-accounts.ts";
import { finishRun, type RunOutcome } from "./run-payouts.ts";
import type { SendingParts } from "./send.ts";

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
