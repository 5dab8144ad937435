import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { readIban } from "@beatmarket/payments/iban.ts";
import { bankText } from "@beatmarket/payments/sepa.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";

/** The account that receives a producer's payouts. */
export interface PayoutAccount {
  holder: string | null;
  iban: string | null;
  stripe_account: string | null;
  /** The reason why payouts to the account are blocked. Null if they are not blocked. */
  blocked_reason: string | null;
  updated_at: Date;
}

/** Returns null for a user without payout details. */
export const findPayoutAccount = async (db: Queryable, userId: number): Promise<PayoutAccount | null> =>
  (await db
    .selectFrom("payout_accounts")
    .select(["holder", "iban", "stripe_account", "blocked_reason", "updated_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst()) ?? null;

export interface NewDetails {
  holder: string;
  iban: string;
}

/** Sets the bank account of a producer and removes a block. Throws 400 for an invalid IBAN or account holder. */
export async function saveBankAccount(
  db: Queryable,
  userId: number,
  { holder, iban }: NewDetails,
  change: { author: AuditAuthor; now: Date },
): Promise<void> {
  const name = holder.trim().replaceAll(/\s+/g, " ");
  if (name.length < 1 || name.length > 70 || /\p{Cc}/u.test(name))
    throw invalidRequest("The account holder is a name of at most 70 characters.", "holder");
  if (!/[A-Za-z]/.test(bankText(name)))
    throw invalidRequest("Write the account holder in Latin letters, as your bank does.", "holder");
  const details = { holder: name, iban: readIban(iban), blocked_reason: null, updated_at: change.now };
  await save(db, userId, details, change);
}

/** Sets the producer's connected account at Stripe and removes a block. Throws 400 for an invalid id. */
export async function saveStripeAccount(
  db: Queryable,
  userId: number,
  account: string,
  change: { author: AuditAuthor; now: Date },
): Promise<void> {
  if (!/^acct_[A-Za-z0-9]{1,64}$/.test(account))
    throw invalidRequest("A connected account at Stripe has an id such as acct_1NxYz….", "stripe_account");
  await save(db, userId, { stripe_account: account, blocked_reason: null, updated_at: change.now }, change);
}

type Details = Partial<PayoutAccount> & { updated_at: Date };

const save = (
  db: Queryable,
  userId: number,
  details: Details,
  { author, now }: { author: AuditAuthor; now: Date },
): Promise<void> =>
  transact(db, async (transaction) => {
    await transaction
      .insertInto("payout_accounts")
      .values({ user_id: userId, ...details })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(details))
      .execute();
    await recordAudit(transaction, { userId, action: "account.payout_details_changed", author, at: now });
  });

/**
 * Blocks payouts to the account with a reason. New details or a retry by an operator remove the block. The reason null
 * removes a block.
 */
export async function blockPayoutAccount(transaction: Queryable, userId: number, reason: string | null): Promise<void> {
  await transaction
    .updateTable("payout_accounts")
    .set({ blocked_reason: reason })
    .where("user_id", "=", userId)
    .execute();
}

/** Deletes the payout details of a deleted account. Its balance and its payouts stay in the ledger. */
export async function erasePayoutAccount(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("payout_accounts").where("user_id", "=", userId).execute();
}
