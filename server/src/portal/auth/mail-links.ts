import { createHash, randomBytes } from "node:crypto";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { lockAddress } from "./account-rows.ts";

/**
 * A mailed link, which proves access to the mailbox. Its purpose is to confirm a registration, to set a new password,
 * to confirm a new address, or to restore the former address of an account.
 */
export type MailLink =
  | { purpose: "register"; email: string; name: string; passwordHash: string; basket: string | null }
  | { purpose: "reset"; email: string }
  | { purpose: "change-email"; email: string; accountId: string }
  | { purpose: "undo-email"; email: string; accountId: string };

/** A stored link of purpose `P`. */
type StoredLink<P extends MailLink["purpose"]> = Extract<MailLink, { purpose: P }> & { createdAt: Date };

/** A token: 32 random bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;
const resetIntervalMs = 600_000;
const lifeMs = { register: 86_400_000, reset: 3_600_000, "change-email": 3_600_000, "undo-email": 7 * 86_400_000 };

/** Stores a link and returns its token. The database contains only the SHA-256 of the token. */
export async function createMailLink(db: Queryable, link: MailLink, nowMs: number): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db
    .insertInto("portal_mail_links")
    .values({
      token_sha256: sha256(token),
      purpose: link.purpose,
      email: link.email,
      name: link.purpose === "register" ? link.name : null,
      password_hash: link.purpose === "register" ? link.passwordHash : null,
      basket: link.purpose === "register" ? link.basket : null,
      account_id: "accountId" in link ? link.accountId : null,
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + lifeMs[link.purpose]),
    })
    .execute();
  return token;
}

/**
 * Stores a link for a new password, like `createMailLink`. Returns null if the address got a link in the last ten
 * minutes that still works. So an address gets at most six mails an hour, and its owner always has a link that works.
 */
export async function createResetLink(db: Queryable, email: string, nowMs: number): Promise<string | null> {
  return transact(db, async (transaction) => {
    await lockAddress(transaction, email);
    const recent = await transaction
      .selectFrom("portal_mail_links")
      .select("token_sha256")
      .where("email", "=", email)
      .where("purpose", "=", "reset")
      .where("created_at", ">", new Date(nowMs - resetIntervalMs))
      .executeTakeFirst();
    return recent === undefined ? createMailLink(transaction, { purpose: "reset", email }, nowMs) : null;
  });
}

/** Deletes a link whose mail could not be sent. */
export async function forgetMailLink(db: Queryable, token: string): Promise<void> {
  await db.deleteFrom("portal_mail_links").where("token_sha256", "=", sha256(token)).execute();
}

/** The link of a token; null if it is unknown, used or expired. */
export async function findMailLink<P extends MailLink["purpose"]>(
  db: Queryable,
  purpose: P,
  token: string,
  nowMs: number,
): Promise<StoredLink<P> | null> {
  if (!tokenPattern.test(token)) return null;
  const row = await db
    .selectFrom("portal_mail_links")
    .select(["email", "name", "password_hash", "basket", "account_id", "created_at"])
    .where("token_sha256", "=", sha256(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", new Date(nowMs))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { email, name, password_hash: passwordHash, basket, account_id: accountId, created_at: createdAt } = row;
  return { purpose, email, name, passwordHash, basket, accountId, createdAt } as never;
}

/**
 * Consumes a token, and revokes the other links of the address like `forgetMailLinks`. Returns false if another request
 * consumed the token first.
 */
export async function useMailLink(transaction: Queryable, token: string, email: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("portal_mail_links")
    .where("token_sha256", "=", sha256(token))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await forgetMailLinks(transaction, { email });
  return true;
}

/**
 * Revokes the links of an address, and the links that give the account another address. Does not revoke a link that
 * restores the former address, so that a thief cannot prevent the owner from using it.
 */
export async function forgetMailLinks(
  transaction: Queryable,
  { email, accountId = null }: { email: string; accountId?: string | null },
): Promise<void> {
  await transaction
    .deleteFrom("portal_mail_links")
    .where("purpose", "<>", "undo-email")
    .where(({ eb, or }) => or([eb("email", "=", email), eb("account_id", "=", accountId)]))
    .execute();
}

/** Revokes every link of an account, including the links that restore a former address. */
export async function forgetAccountLinks(transaction: Queryable, accountId: string): Promise<void> {
  await transaction.deleteFrom("portal_mail_links").where("account_id", "=", accountId).execute();
}

const sha256 = (token: string): Buffer => createHash("sha256").update(token).digest();
