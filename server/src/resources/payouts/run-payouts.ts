import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { Queryable } from "../../database/connect.ts";
import { collect, type NewRun, openRun } from "./collect.ts";
import { type PayoutRun, selectRuns } from "./payout.ts";
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
