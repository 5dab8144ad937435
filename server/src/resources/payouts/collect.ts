import { conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { recordPayouts } from "../ledger/record-payouts.ts";
import { balanceColumns } from "./balances.ts";
import {
  movementOf,
  type Payout,
  type PayoutMethod,
  type PayoutRun,
  payoutColumns,
  reachedBy,
  selectRuns,
} from "./payout.ts";

const accountsPerBatch = 1_000;

export interface NewRun {
  method: PayoutMethod;
  currency: string;
  /** Earlier sales are cleared. */
  cleared: Date;
  onlyUserId?: number | null;
  now: Date;
}

/** The open run, or a new one. Throws 409 while a run of another method, or a retry, is open. */
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
    throw conflict(`Run ${open.id} (${open.method}) is not finished. Finish it first: beatmarket payouts resume.`);
  return open;
}

/**
 * Makes the payouts of a run, and moves each balance out of its producer's account in the same transaction. Continues a
 * run that was killed; two processes take turns. Leaves out accounts that are suspended, lack details for the method,
 * or were refused before.
 */
export async function collect(db: Queryable, runId: number, now: () => Date): Promise<void> {
  while (await transact(db, (transaction) => collectBatch(transaction, runId, now())));
}

/** Returns whether more may follow. */
async function collectBatch(transaction: Queryable, runId: number, now: Date): Promise<boolean> {
  const run = await selectRuns(transaction).where("id", "=", runId).forUpdate().executeTakeFirstOrThrow();
  if (run.collected_at !== null) return false;
  const isStripe = run.method === "stripe";
  const only = run.only_user_id === null ? sql`` : sql`and details.user_id = ${run.only_user_id}`;
  const { rows } = await sql<{ user_id: number; due: number }>`
    select account.user_id, money.due from (
      select details.user_id from payout_accounts as details join users on users.id = details.user_id
      where details.user_id > ${run.collected_to} ${only} and ${reachedBy(run.method)} and details.blocked_reason is null
        and users.suspended_at is null
      order by details.user_id limit ${accountsPerBatch}) as account,
      lateral (${balanceColumns(sql`account.user_id`, { currency: run.currency, cleared: run.cleared_before })}) as money
    order by account.user_id`.execute(transaction);
  const due = rows.filter(({ due: cents }) => cents > 0);
  const { rows: payouts } = await sql<Payout>`
    insert into payouts (run_id, user_id, amount_cents, currency, holder, iban, stripe_account, created_at)
    select ${runId}, details.user_id, due.cents, ${run.currency},
      ${isStripe ? sql`null, null, details.stripe_account` : sql`details.holder, details.iban, null`}, ${now}::timestamptz
    from unnest(${due.map(({ user_id }) => user_id)}::bigint[], ${due.map(({ due: cents }) => cents)}::bigint[]) as due (user_id, cents)
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
