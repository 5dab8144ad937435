import { sepaCountries } from "@beatmarket/payments/iban.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

export const payoutMethods = ["sepa", "csv", "stripe"] as const;
/** A SEPA file or a CSV for the bank, or transfers of Stripe Connect. */
export type PayoutMethod = (typeof payoutMethods)[number];

export const payoutStatuses = ["pending", "sent", "paid", "failed"] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** Money for one producer. The destination is the one of the time when the payout was made. */
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
  refusals: number;
  reference: string | null;
  failure_reason: string | null;
  created_at: Date;
  sent_at: Date | null;
  settled_at: Date | null;
}

/** All payouts of one moment, by one method. */
export interface PayoutRun {
  id: number;
  method: PayoutMethod;
  currency: string;
  cleared_before: Date;
  only_user_id: number | null;
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

/** Whether a method reaches the account of a row `details` of payout_accounts. */
export function reachedBy(method: PayoutMethod): RawBuilder<unknown> {
  if (method === "stripe") return sql`details.stripe_account is not null`;
  if (method === "sepa") return sql`left(details.iban, 2) = any (${sepaCountries}::text[])`;
  return sql`details.iban is not null`;
}

/** The ledger account that pays. */
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

export type NamedPayout = Payout & { name: string };

/** Newest first. */
export async function listPayouts(db: Queryable, filter: PayoutsFilter): Promise<NamedPayout[]> {
  const { status, runId, userId, beforeId, limit } = filter;
  return db
    .selectFrom("payouts")
    .innerJoin("users", "users.id", "payouts.user_id")
    .select([...payoutColumns, "users.display_name as name"])
    .$narrowType<Payout>()
    .$if(status !== undefined, (query) => query.where("payouts.status", "=", status ?? ""))
    .$if(runId !== undefined, (query) => query.where("payouts.run_id", "=", runId ?? 0))
    .$if(userId !== undefined, (query) => query.where("payouts.user_id", "=", userId ?? 0))
    .$if(beforeId !== undefined, (query) => query.where("payouts.id", "<", beforeId ?? 0))
    .orderBy("payouts.id", "desc")
    .limit(limit)
    .execute();
}

/** The newest failed payout of a user, for a retry; undefined if `id` is not that payout. */
export const findFailed = (db: Queryable, id: number): Promise<Payout | undefined> =>
  selectPayouts(db).where("id", "=", id).where("status", "=", "failed").executeTakeFirst();
