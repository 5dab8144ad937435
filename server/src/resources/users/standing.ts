import { conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { deliveriesChannel } from "@beatmarket/webhooks/events/outbox.ts";
import { sql } from "kysely";
import { accountSuspended } from "../../access/account.ts";
import type { Queryable } from "../../database/connect.ts";
import { readReason } from "../audit/actions.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";
import { normalEmail } from "./accounts.ts";

// The standing of an account: whether it is an operator, and whether it is suspended.

/** The reason and the time of an account's suspension. */
export interface Suspension {
  /** A sentence for the account's owner. */
  reason: string;
  at: Date;
}

export interface Standing {
  isOperator: boolean;
  /** Null unless the account is suspended. */
  suspension: Suspension | null;
}

/** Returns the standing of a user. Throws notFound for an unknown id. */
export async function findStanding(db: Queryable, userId: number): Promise<Standing> {
  const row = await db
    .selectFrom("users")
    .select(["operator", "suspended_at", "suspension_reason"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (row === undefined) throw notFound(`User ${userId} does not exist.`);
  return { isOperator: row.operator, suspension: suspensionOf(row) };
}

export const suspensionOf = (row: {
  suspended_at: Date | null;
  suspension_reason: string | null;
}): Suspension | null =>
  row.suspended_at === null ? null : { at: row.suspended_at, reason: row.suspension_reason ?? "" };

/**
 * Makes an account an operator, who can open the portal's pages about all accounts. Ends that if `isOperator` is false.
 * May be called repeatedly. Throws 404 for an unknown account.
 */
export async function markOperator(
  db: Queryable,
  email: string,
  isOperator: boolean,
  { author, now }: { author: AuditAuthor; now: Date },
): Promise<void> {
  await transact(db, async (transaction) => {
    const account = await lockAccount(transaction, { email });
    if (account.operator === isOperator) return;
    await transaction.updateTable("users").set({ operator: isOperator }).where("id", "=", account.id).execute();
    const action = isOperator ? "account.operator_marked" : "account.operator_unmarked";
    await recordAudit(transaction, { userId: account.id, action, author, at: now });
  });
}

/** The account of a changed standing. */
export interface StandingAccount {
  id: number;
  /** Null for an organisation. */
  email: string | null;
  /** The address, or the username of an organisation. */
  label: string;
}

/** Identifies an account by its address or id, or an organisation by its username, with or without `@`. */
export type AccountName = { email: string } | { id: number } | { organisation: string };

/**
 * Suspends an account. Within a second, every instance rejects its keys and stops its deliveries. A trigger takes its
 * beats off sale, unless `keepsBeats` is true. `endSessions` ends its portal sessions in the same transaction. Throws
 * 400 without a reason, 404 for an unknown account, and 409 for an operator and for an account that is already
 * suspended.
 */
export async function suspendAccount(
  db: Queryable,
  name: AccountName,
  { reason, author, now, keepsBeats = false }: { reason: string; author: AuditAuthor; now: Date; keepsBeats?: boolean },
  endSessions: (transaction: Queryable, userId: number) => Promise<void>,
): Promise<StandingAccount> {
  const sentence = readReason(reason);
  return transact(db, async (transaction) => {
    const account = await lockAccount(transaction, name);
    if (account.operator)
      throw conflict(
        `${account.email} is an operator: end that first, by \`beatmarket users operator --off --email ${account.email}\`.`,
      );
    if (account.suspended_at !== null) throw conflict(`${account.label} is suspended already.`);
    await transaction
      .updateTable("users")
      .set({ suspended_at: now, suspension_reason: sentence, beats_stay_listed: keepsBeats })
      .where("id", "=", account.id)
      .execute();
    await endSessions(transaction, account.id);
    await recordAudit(transaction, {
      userId: account.id,
      action: "account.suspended",
      reason: sentence,
      author,
      at: now,
      ...(keepsBeats && { subject: "Its beats stay on sale" }),
    });
    return account;
  });
}

/**
 * Ends a suspension, so that waiting deliveries are sent and beats are on sale again. Throws 400 without a reason, 404
 * for an unknown account, and 409 for an account that is not suspended.
 */
export async function unsuspendAccount(
  db: Queryable,
  name: AccountName,
  { reason, author, now }: { reason: string; author: AuditAuthor; now: Date },
): Promise<StandingAccount> {
  const sentence = readReason(reason);
  return transact(db, async (transaction) => {
    const account = await lockAccount(transaction, name);
    if (account.suspended_at === null) throw conflict(`${account.label} is not suspended.`);
    await transaction
      .updateTable("users")
      .set({ suspended_at: null, suspension_reason: null, beats_stay_listed: false })
      .where("id", "=", account.id)
      .execute();
    await recordAudit(transaction, {
      userId: account.id,
      action: "account.unsuspended",
      reason: sentence,
      author,
      at: now,
    });
    await sql`select pg_notify(${deliveriesChannel}, '')`.execute(transaction);
    return account;
  });
}

/** Throws 403 for a suspended account, with the reason and the way to appeal. */
export async function requireActive(db: Queryable, userId: number): Promise<void> {
  const { suspension } = await findStanding(db, userId);
  if (suspension !== null) throw accountSuspended(suspension.reason);
}

/** Locks an account until the transaction ends. Throws notFound for an unknown account. */
async function lockAccount(
  transaction: Queryable,
  name: AccountName,
): Promise<StandingAccount & { operator: boolean; suspended_at: Date | null }> {
  let query = transaction
    .selectFrom("users")
    .select(["id", "username", "email", "operator", "suspended_at"])
    .where(({ eb, or }) => or([eb("email", "is not", null), eb("organisation", "=", true)]))
    .forNoKeyUpdate();
  let missingMessage: string;
  if ("id" in name) {
    query = query.where("id", "=", name.id);
    missingMessage = `There is no account ${name.id}.`;
  } else if ("email" in name) {
    const email = normalEmail(name.email);
    query = query.where("email", "=", email);
    missingMessage = `There is no account with the e-mail address ${email}.`;
  } else {
    const organisation = name.organisation.trim().toLowerCase().replace(/^@/, "");
    query = query.where("username", "=", organisation).where("organisation", "=", true);
    missingMessage = `There is no organisation @${organisation}. Its page in the portal shows its username.`;
  }
  const account = await query.executeTakeFirst();
  if (account === undefined) throw notFound(missingMessage);
  const { username, ...standing } = account;
  return { ...standing, label: account.email ?? `@${username}` };
}

/**
 * Sets the operator's commission on later sales of an account, in basis points. Null sets the default of the service.
 * Earlier sales keep their commission. Throws 404 for an unknown account, and 400 for a number outside of 0 to 10,000.
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

/** Returns an account's own commission in basis points, and null for the default. */
export async function findCommission(db: Queryable, userId: number): Promise<number | null> {
  const row = await db
    .selectFrom("users")
    .select("commission_basis_points")
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.commission_basis_points ?? null;
}
