import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "../../database/connection/connect.ts";
import { transact } from "../../database/connection/transaction.ts";
import { lockAddress } from "./account-rows.ts";

/** What a link proves the mailbox for: a registration, with what was asked for in it, or a new password. */
export type MailLink =
  | { purpose: "register"; email: string; name: string; passwordHash: string }
  | { purpose: "reset"; email: string };

/** 32 bytes as base64url. */
const tokenPattern = /^[\w-]{43}$/;
const resetIntervalMs = 600_000;
const lifeMs = { register: 86_400_000, reset: 3_600_000 };

/** Stores a link and returns its token, of which only the SHA-256 is stored. */
export async function createMailLink(db: Queryable, link: MailLink, nowMs: number): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const isRegistration = link.purpose === "register";
  await db
    .insertInto("portal_mail_links")
    .values({
      token_sha256: sha256(token),
      purpose: link.purpose,
      email: link.email,
      name: isRegistration ? link.name : null,
      password_hash: isRegistration ? link.passwordHash : null,
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + lifeMs[link.purpose]),
    })
    .execute();
  return token;
}

/**
 * Stores a link for a new password, as `createMailLink`. Null if one of the last ten minutes still works, so that
 * requests are coalesced into one mail: the address gets at most six an hour, and its owner always has a link.
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

/** Deletes a link that could not be mailed. */
export async function forgetMailLink(db: Queryable, token: string): Promise<void> {
  await db.deleteFrom("portal_mail_links").where("token_sha256", "=", sha256(token)).execute();
}

/** The link of a token; null if it is unknown, used or expired. */
export async function findMailLink<P extends MailLink["purpose"]>(
  db: Queryable,
  purpose: P,
  token: string,
  nowMs: number,
): Promise<Extract<MailLink, { purpose: P }> | null> {
  if (!tokenPattern.test(token)) return null;
  const row = await db
    .selectFrom("portal_mail_links")
    .select(["purpose", "email", "name", "password_hash"])
    .where("token_sha256", "=", sha256(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", new Date(nowMs))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { purpose, email: row.email, name: row.name, passwordHash: row.password_hash } as never;
}

/** Consumes a token and revokes all other links of its address. False if another request consumed it first. */
export async function useMailLink(transaction: Queryable, token: string, email: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("portal_mail_links")
    .where("token_sha256", "=", sha256(token))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await forgetMailLinks(transaction, email);
  return true;
}

/** Revokes all links of an address. */
export async function forgetMailLinks(transaction: Queryable, email: string): Promise<void> {
  await transaction.deleteFrom("portal_mail_links").where("email", "=", email).execute();
}

const sha256 = (token: string): Buffer => createHash("sha256").update(token).digest();
