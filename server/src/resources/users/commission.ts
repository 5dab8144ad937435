import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";
import { type AccountName, lockAccount, type StandingAccount } from "./standing.ts";

/**
 * Sets the operator's commission on an account's sales from now on, in basis points; null is the default of the service.
 * Earlier sales keep their commission. Throws 404 for an unknown account, 400 outside of 0 to 10,000.
 */
export async function setCommission(
  db: Queryable,
  name: AccountName,
  { basisPoints, reason, author, now }: { basisPoints: number | null; reason?: string; author: AuditAuthor; now: Date },
): Promise<StandingAccount> {
  if (basisPoints !== null && !(Number.isInteger(basisPoints) && basisPoints >= 0 && basisPoints <= 10_000))
    throw invalidRequest("A commission is a whole number of basis points from 0 to 10000.", "basis_points");
  return transact(db, async (transaction) => {
    const account = await lockAccount(transaction, name);
    await transaction
      .updateTable("users")
      .set({ commission_basis_points: basisPoints })
      .where("id", "=", account.id)
      .execute();
    await recordAudit(transaction, {
      userId: account.id,
      action: "account.commission_changed",
      subject: [
        basisPoints === null ? "To the default" : `To ${basisPoints} basis points`,
        ...(reason === undefined ? [] : [reason]),
      ].join(": "),
      author,
      at: now,
    });
    return account;
  });
}

/** An account's own commission, in basis points; null: the default. */
export async function findCommission(db: Queryable, userId: number): Promise<number | null> {
  const row = await db
    .selectFrom("users")
    .select("commission_basis_points")
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.commission_basis_points ?? null;
}
