import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { recordPayouts } from "../ledger/record-payouts.ts";
import { selectDue } from "./balances.ts";
import {
  findFailed,
  movementOf,
  type Payout,
  type PayoutMethod,
  type PayoutRun,
  payoutColumns,
  reachedBy,
  selectPayouts,
  selectRuns,
} from "./payout.ts";
import { blockPayoutAccount } from "./payout-accounts.ts";
import { type SendingParts, type Stopped, sendRun } from "./send.ts";

export interface RunOutcome {
  run: PayoutRun;
  count: number;
  cents: number;
  /** Null if all payouts were sent. */
  stopped: Stopped | null;
}

/** Pays the due balances. Continues the open run, or starts a new run. May be killed and repeated at any moment. */
export async function runPayouts(parts: SendingParts, request: Omit<NewRun, "now">): Promise<RunOutcome> {
  const run = await openRun(parts.db, { ...request, now: parts.now() });
  return finishRun(parts, run);
}

/** Collects and sends the payouts of a run, from the step that an earlier attempt reached. */
export async function finishRun(parts: SendingParts, run: PayoutRun): Promise<RunOutcome> {
  await collect(parts.db, run.id, parts.now);
  const stopped = await sendRun(parts, run);
  const { count, cents } = await sumOf(parts.db, run.id);
  return { run: { ...run, finished_at: stopped === null ? parts.now() : null }, count, cents, stopped };
}

/**
 * Background job, in one process at a time. Continues a run that an operator has started in the portal, or that was
 * interrupted.
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
 * Pays the due amount to a producer whose payout failed, in a separate run, to the current details. The failed payout
 * stays unchanged. Its money is in the balance again, so the new payout contains that money once. Throws like
 * `openRetry`.
 */
export const retryPayout = async (
  parts: SendingParts,
  id: number,
  { cleared }: { cleared: Date },
): Promise<RunOutcome> => finishRun(parts, await openRetry(parts.db, id, { cleared, now: parts.now() }));

/**
 * Starts the run of a retry. Throws 404 for an unknown payout. Throws 409 for a payout that did not fail, for a payout
 * with a later payout that did not fail, and while another run is open.
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

const accountsPerBatch = 1_000;

interface NewRun {
  method: PayoutMethod;
  currency: string;
  /** Sales before this time are cleared. */
  cleared: Date;
  onlyUserId?: number | null;
  now: Date;
}

/**
 * Returns the open run, or starts a new run. Throws 409 while a run of another method or for other producers is open.
 */
export async function openRun(db: Queryable, run: NewRun): Promise<PayoutRun> {
  const onlyUserId = run.onlyUserId ?? null;
  await db
    .insertInto("payout_runs")
    .values({
      method: run.method,
      currency: run.currency,
      cleared_before: run.cleared,
      only_user_id: onlyUserId,
      created_at: run.now,
    })
    .onConflict((unfinished) => unfinished.doNothing())
    .execute();
  const open = await selectRuns(db).where("finished_at", "is", null).executeTakeFirst();
  if (open === undefined) return openRun(db, run);
  if (open.method !== run.method || open.only_user_id !== onlyUserId)
    throw conflict(
      `Run ${open.id} (${open.method}) is not finished. Finish it first with \`beatmarket payouts resume\`.`,
    );
  return open;
}

/**
 * Inserts the payouts of a run, and moves each balance out of the producer's ledger account in the same transaction.
 * May continue after a crash, and may run in several processes. Leaves out accounts that are suspended, blocked, or
 * without details for the method.
 */
export async function collect(db: Queryable, runId: number, now: () => Date): Promise<void> {
  while (await transact(db, (transaction) => collectBatch(transaction, runId, now())));
}

/** Returns whether another batch may follow. */
async function collectBatch(transaction: Queryable, runId: number, now: Date): Promise<boolean> {
  const run = await selectRuns(transaction).where("id", "=", runId).forUpdate().executeTakeFirstOrThrow();
  if (run.collected_at !== null) return false;
  const isStripe = run.method === "stripe";
  const userCondition = run.only_user_id === null ? sql`` : sql`and details.user_id = ${run.only_user_id}`;
  const accounts = sql`
    select details.user_id from payout_accounts as details join users on users.id = details.user_id
    where details.user_id > ${run.collected_to} ${userCondition} and ${reachedBy(run.method)} and details.blocked_reason is null
      and users.suspended_at is null
    order by details.user_id limit ${accountsPerBatch}`;
  const scope = { currency: run.currency, cleared: run.cleared_before };
  const { rows } = await sql<{ user_id: number; due: number }>`${selectDue(accounts, scope)}`.execute(transaction);
  const dueBalances = rows.filter(({ due: cents }) => cents > 0);
  const { rows: payouts } = await sql<Payout>`
    insert into payouts (run_id, user_id, amount_cents, currency, holder, iban, stripe_account, created_at)
    select ${runId}, details.user_id, due.cents, ${run.currency},
      ${isStripe ? sql`null, null, details.stripe_account` : sql`details.holder, details.iban, null`}, ${now}::timestamptz
    from unnest(${dueBalances.map(({ user_id }) => user_id)}::bigint[], ${dueBalances.map(({ due: cents }) => cents)}::bigint[]) as due (user_id, cents)
      join payout_accounts as details on details.user_id = due.user_id
    order by details.user_id
    returning ${sql.join(payoutColumns.map((column) => sql.ref(column)))}`.execute(transaction);
  await recordPayouts(transaction, "payout", payouts.map(movementOf), now);
  const isLast = rows.length < accountsPerBatch;
  await transaction
    .updateTable("payout_runs")
    .set({ collected_to: rows.at(-1)?.user_id ?? run.collected_to, collected_at: isLast ? now : null })
    .where("id", "=", runId)
    .execute();
  return !isLast;
}
