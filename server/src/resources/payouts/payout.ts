import { sepaCountries } from "@beatmarket/payments/iban.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

export const payoutMethods = ["sepa", "csv", "stripe"] as const;
/** A SEPA file or a CSV file for the bank, or transfers of Stripe Connect. */
export type PayoutMethod = (typeof payoutMethods)[number];

export const payoutStatuses = ["pending", "sent", "paid", "failed"] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** A payment to one producer. It has the destination from the time of its creation. */
export interface Payout {
  id: number;
  run_id: number;
  user_id: number;
  amount_cents: number;
  currency: string;
  holder: string | null;
  iban: string | null;
  stripe_account: string | null;
  status: PayoutStatus;
  /** How often the provider refused the transfer because the marketplace's balance was too low. */
  refusals: number;
  /** The provider's id of the transfer. Null for a bank file, and before the transfer. */
  reference: string | null;
  failure_reason: string | null;
  created_at: Date;
  sent_at: Date | null;
  settled_at: Date | null;
}

/** All payouts of one moment and one method. */
export interface PayoutRun {
  id: number;
  method: PayoutMethod;
  currency: string;
  /** Sales before this time are cleared. */
  cleared_before: Date;
  /** The producer of a retry. Null for a run for all producers. */
  only_user_id: number | null;
  /** The run has collected the balances of users with ids up to this one. */
  collected_to: number;
  created_at: Date;
  collected_at: Date | null;
  finished_at: Date | null;
}

export const payoutColumns = [
  "payouts.id",
  "payouts.run_id",
  "payouts.user_id",
  "payouts.amount_cents",
  "payouts.currency",
  "payouts.holder",
  "payouts.iban",
  "payouts.stripe_account",
  "payouts.status",
  "payouts.refusals",
  "payouts.reference",
  "payouts.failure_reason",
  "payouts.created_at",
  "payouts.sent_at",
  "payouts.settled_at",
] as const;

export const selectPayouts = (db: Queryable) => db.selectFrom("payouts").select(payoutColumns).$narrowType<Payout>();

export const selectRuns = (db: Queryable) => db.selectFrom("payout_runs").selectAll().$narrowType<PayoutRun>();

/** A column of payout_runs: whether the outcome of one of its sent payouts is unknown. */
export const awaitsOutcome = sql<boolean>`
  exists (select from payouts where run_id = payout_runs.id and status = 'sent')`.as("awaits_outcome");

/**
 * A column of payout_runs: whether one of its payouts is paid or failed, so that its file must not be written again.
 */
export const hasOutcome = sql<boolean>`
  exists (select from payouts where run_id = payout_runs.id and status in ('paid', 'failed'))`.as("has_outcome");

/** A condition for rows `details` of payout_accounts: whether a method can pay to the account. */
export function reachedBy(method: PayoutMethod): RawBuilder<unknown> {
  if (method === "stripe") return sql`details.stripe_account is not null`;
  if (method === "sepa") return sql`left(details.iban, 2) = any (${sepaCountries}::text[])`;
  return sql`details.iban is not null`;
}

/** Returns the ledger account that pays. */
const assetsFor = ({ stripe_account }: Pick<Payout, "stripe_account">): string =>
  stripe_account === null ? "assets:bank" : "assets:stripe";

export const movementOf = (payout: Payout) => ({
  payoutId: payout.id,
  userId: payout.user_id,
  amountCents: payout.amount_cents,
  currency: payout.currency,
  assets: assetsFor(payout),
});

export interface PayoutsFilter {
  status?: PayoutStatus | undefined;
  runId?: number | undefined;
  userId?: number | undefined;
  beforeId?: number | undefined;
  limit: number;
}

export interface ListedPayout extends Payout {
  name: string;
  /**
   * The producer's next payout that did not fail. If this payout failed, the next one contains its money. Null if there
   * is no such payout.
   */
  later_payout_id: number | null;
}

const laterPayoutId = sql<number | null>`(
  select min(later.id) from payouts as later
  where later.user_id = payouts.user_id and later.id > payouts.id and later.status <> 'failed')`.as("later_payout_id");

/** Returns payouts, newest first. */
export async function listPayouts(db: Queryable, filter: PayoutsFilter): Promise<ListedPayout[]> {
  const { status, runId, userId, beforeId, limit } = filter;
  return db
    .selectFrom("payouts")
    .innerJoin("users", "users.id", "payouts.user_id")
    .select([...payoutColumns, "users.display_name as name", laterPayoutId])
    .$narrowType<Payout>()
    .$if(status !== undefined, (query) => query.where("payouts.status", "=", status ?? ""))
    .$if(runId !== undefined, (query) => query.where("payouts.run_id", "=", runId ?? 0))
    .$if(userId !== undefined, (query) => query.where("payouts.user_id", "=", userId ?? 0))
    .$if(beforeId !== undefined, (query) => query.where("payouts.id", "<", beforeId ?? 0))
    .orderBy("payouts.id", "desc")
    .limit(limit)
    .execute();
}

/** Returns a failed payout, and undefined for any other id. */
export const findFailed = (db: Queryable, id: number): Promise<Payout | undefined> =>
  selectPayouts(db).where("id", "=", id).where("status", "=", "failed").executeTakeFirst();
