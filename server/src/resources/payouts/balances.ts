import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { producerAccountPrefix } from "../ledger/order-money.ts";
import { reachedBy, selectRuns } from "./payout.ts";

const dayMs = 86_400_000;
/**
 * The maximum difference between the clocks of two instances. If the clock of the instance that records a movement is
 * behind, the movement is dated before the completion of its order.
 */
const maxClockSkewMs = dayMs;

/** Returns the time before which sales are cleared. */
export const clearedBefore = (nowMs: number, clearingDays: number): Date => new Date(nowMs - clearingDays * dayMs);

/** The amounts that the marketplace owes a producer, in cents. */
export interface Balance {
  /** Negative after refunds of money that was paid out. Later sales first settle the debt. */
  balanceCents: number;
  /** The amount of a payout at this moment: the balance without sales that are not cleared. 0 for a debt. */
  dueCents: number;
}

/** Whether a movement has a clearing time. Other movements, such as payouts, count immediately. */
const clears = sql`(movement.order_id is not null or movement.kind = 'producer_merged')`;

/** The moment at which the clearing time of a movement begins. */
const clearsFrom = sql`coalesce(orders.completed_at, movement.at)`;

/**
 * Selects the columns `balance` and `due` for an account. A refund clears together with its sale, so a refund of a sale
 * that is not cleared does not affect other sales. Payouts count immediately.
 */
const balanceColumns = (
  userId: RawBuilder<unknown>,
  { currency, cleared }: { currency: string; cleared: Date },
): RawBuilder<unknown> => sql`
  select balance, greatest(least(balance, settled), 0) as due from (
    select -coalesce(sum(entry.amount_cents), 0)::bigint as balance,
      -coalesce(sum(entry.amount_cents) filter (
        where not (${clears} and ${clearsFrom} >= ${cleared}::timestamptz)), 0)::bigint as settled
    from ledger_entries as entry join ledger_transactions as movement on movement.id = entry.transaction_id
      left join orders on orders.id = movement.order_id
    where entry.account = ${producerAccountPrefix} || ${userId} and entry.currency = ${currency}) as summed`;

/**
 * Selects `user_id` and `due` for the rows of `accounts`, as `balanceColumns` does. Reads all entries of the accounts,
 * but only the movements of the clearing time, so that a long history slows a run down little.
 */
export const selectDue = (
  accounts: RawBuilder<unknown>,
  { currency, cleared }: { currency: string; cleared: Date },
): RawBuilder<unknown> => {
  // `<= 'infinity'` is always true. Because of it, a plan that PostgreSQL makes without knowing `since` expects few
  // movements, and reads them from the index.
  const since = new Date(cleared.getTime() - maxClockSkewMs);
  return sql`
    with account as materialized (
      select user_id, ${producerAccountPrefix} || user_id as name from (${accounts}) as chosen
    ), clearing as (
      select entry.account, sum(entry.amount_cents) as cents
      from ledger_transactions as movement join ledger_entries as entry on entry.transaction_id = movement.id
        left join orders on orders.id = movement.order_id
      where movement.at >= ${since}::timestamptz and movement.at <= 'infinity' and entry.currency = ${currency}
        and entry.account in (select name from account) and ${clears} and ${clearsFrom} >= ${cleared}::timestamptz
      group by entry.account
    )
    select account.user_id, greatest(least(held.balance, held.balance + coalesce(clearing.cents, 0)), 0)::bigint as due
    from account left join clearing on clearing.account = account.name,
      lateral (
        select -coalesce(sum(entry.amount_cents), 0)::bigint as balance from ledger_entries as entry
        where entry.account = account.name and entry.currency = ${currency}) as held
    order by account.user_id`;
};

export async function readBalance(
  db: Queryable,
  userId: number,
  scope: { currency: string; cleared: Date },
): Promise<Balance> {
  const { rows } = await sql<{
    balance: number;
    due: number;
  }>`${balanceColumns(sql`${userId}::bigint`, scope)}`.execute(db);
  return { balanceCents: rows[0]?.balance ?? 0, dueCents: rows[0]?.due ?? 0 };
}

/** Returns the money of sales that is not cleared yet, in cents. `clearsAt` is the midnight (UTC) after it clears. */
export async function readClearing(
  db: Queryable,
  userId: number,
  { currency, cleared, clearingDays }: { currency: string; cleared: Date; clearingDays: number },
): Promise<{ clearsAt: Date; cents: number }[]> {
  const { rows } = await sql<{ clearsAt: Date; cents: number }>`
    select date_trunc('day', coalesce(orders.completed_at, movement.at), 'UTC') + ${clearingDays + 1} * interval '1 day' as "clearsAt",
      -sum(entry.amount_cents)::bigint as cents
    from ledger_entries as entry join ledger_transactions as movement on movement.id = entry.transaction_id
      left join orders on orders.id = movement.order_id
    where entry.account = ${producerAccountPrefix} || ${userId}::bigint and entry.currency = ${currency}
      and (movement.order_id is not null or movement.kind = 'producer_merged')
      and coalesce(orders.completed_at, movement.at) >= ${cleared}::timestamptz
    group by 1 having sum(entry.amount_cents) <> 0 order by 1`.execute(db);
  return rows;
}

/**
 * The reason why due money is not paid. `refused`: the last payout to the account failed. `other method`: the method of
 * the run cannot pay to the account.
 */
export type HeldBecause = "suspended" | "no details" | "refused" | "other method";

/**
 * Returns at most `limit` producers whose due money the next run will not pay, sorted by id. Assumes that the next run
 * has the method of the last run.
 */
export async function listHeld(
  db: Queryable,
  { currency, cleared, limit }: { currency: string; cleared: Date; limit: number },
): Promise<{ userId: number; name: string; dueCents: number; because: HeldBecause }[]> {
  const runs = selectRuns(db).where("only_user_id", "is", null);
  const lastRun = await runs.orderBy("id", "desc").executeTakeFirst();
  const isReached = lastRun === undefined ? sql`true` : reachedBy(lastRun.method);
  const { rows } = await sql<{ userId: number; name: string; dueCents: number; because: HeldBecause }>`
    select users.id as "userId", users.display_name as name, money.due as "dueCents",
      case when users.suspended_at is not null then 'suspended'
           when details.user_id is null then 'no details'
           when details.blocked_reason is not null then 'refused' else 'other method' end as because
    from users left join payout_accounts as details on details.user_id = users.id,
      lateral (${balanceColumns(sql`users.id`, { currency, cleared })}) as money
    where (users.suspended_at is not null or details.user_id is null or details.blocked_reason is not null
        or coalesce(${isReached}, false) is false)
      and exists (select from ledger_entries where account = ${producerAccountPrefix} || users.id) and money.due > 0
    order by users.id limit ${limit}`.execute(db);
  return rows;
}
