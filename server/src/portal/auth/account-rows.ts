import { endSessions, newId } from "@beatmarket/authentication/sessions.ts";
import { conflict } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { moveCheckouts } from "../../resources/checkouts/checkout-watch.ts";
import { endLinks } from "../../resources/libraries/libraries.ts";
import { changeEmail, findOrCreateAccount } from "../../resources/users/accounts.ts";

/** Locks an address, so that only one transaction at a time creates an account for the address. */
export const lockAddress = (transaction: Queryable, email: string) =>
  sql`select pg_advisory_xact_lock(hashtext('portal account'), hashtext(${email}))`.execute(transaction);

/** The id of the account with an address; null if no account has the address. */
export async function findAccountId(db: Queryable, email: string): Promise<string | null> {
  const row = await db.selectFrom("portal_users").select("id").where("email", "=", email).executeTakeFirst();
  return row?.id ?? null;
}

const uniqueViolation = "23505";

/** Reads an account by id, and locks the row if `db` is a transaction. Null if the account no longer exists. */
export async function findAccountById(
  db: Queryable,
  id: string,
): Promise<{ id: string; email: string; userId: number } | null> {
  const row = await db
    .selectFrom("portal_users")
    .select(["email", "user_id"])
    .where("id", "=", id)
    .$if(db.isTransaction, (query) => query.forUpdate())
    .executeTakeFirst();
  return row === undefined ? null : { id, email: row.email, userId: row.user_id };
}

/**
 * Changes the address of an account and of its marketplace user. Throws 409 if the new address belongs to another
 * account.
 */
export async function changeAddress(
  transaction: Queryable,
  account: { id: string; email: string; userId: number },
  email: string,
  now: Date,
): Promise<void> {
  // Locked in one order, so that two accounts that swap addresses do not deadlock.
  for (const address of [account.email, email].sort()) await lockAddress(transaction, address);
  if ((await findAccountId(transaction, email)) !== null) throw addressTaken();
  // A command of the operator may give the address to another account, because commands do not lock addresses.
  const isChanged = await changeEmail(transaction, account.userId, email, now).catch((error: { code?: string }) => {
    if (error.code === uniqueViolation) return false;
    throw error;
  });
  if (!isChanged) throw addressTaken();
  await moveCheckouts(transaction, account.userId, { from: account.email, to: email });
  await endLinks(transaction, account.email, now);
  await transaction.updateTable("portal_users").set({ email, updated_at: now }).where("id", "=", account.id).execute();
}

const addressTaken = () =>
  conflict("Another account has this address by now. Sign in to that one, or choose another address.");

/** The marketplace user of an account. */
export async function userIdOf(db: Queryable, accountId: string): Promise<number> {
  const row = await db
    .selectFrom("portal_users")
    .select("user_id")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  return row.user_id;
}

/** The stored hash of an account's password; null without an account or a password. */
export async function findPasswordHash(db: Queryable, email: string): Promise<string | null> {
  const row = await db
    .selectFrom("portal_credentials as c")
    .innerJoin("portal_users as u", "u.id", "c.user_id")
    .select("c.password")
    .where("u.email", "=", email)
    .where("c.provider_id", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? null;
}

/** Creates an account. Also creates the marketplace user, with its event, unless the address already has a user. */
export async function createAccount(
  transaction: Queryable,
  { email, name, passwordHash }: { email: string; name: string | undefined; passwordHash: string | null },
  now: Date,
): Promise<{ accountId: string; userId: number }> {
  const user = await findOrCreateAccount(transaction, { email, name });
  const accountId = newId();
  await transaction
    .insertInto("portal_users")
    .values({
      id: accountId,
      user_id: user.id,
      name: name ?? user.display_name,
      email,
      email_verified: true,
      created_at: now,
      updated_at: now,
    })
    .execute();
  if (passwordHash !== null) await setPassword(transaction, accountId, passwordHash, now);
  return { accountId, userId: user.id };
}

/** Sets an account's password and ends its sessions. */
export async function replacePassword(
  transaction: Queryable,
  accountId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await setPassword(transaction, accountId, passwordHash, now);
  await endSessions(transaction, accountId, null);
}

const passwordCredential = "credential";

async function setPassword(transaction: Queryable, accountId: string, password: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("portal_credentials")
    .set({ password, updated_at: now })
    .where("user_id", "=", accountId)
    .where("provider_id", "=", passwordCredential)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  await transaction
    .insertInto("portal_credentials")
    .values({
      id: newId(),
      user_id: accountId,
      account_id: accountId,
      provider_id: passwordCredential,
      password,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Sets the name of an account in the portal. */
export async function renameAccount(transaction: Queryable, accountId: string, name: string, now: Date): Promise<void> {
  await transaction
    .updateTable("portal_users")
    .set({ name, updated_at: now })
    .where("id", "=", accountId)
    .where("name", "<>", name)
    .execute();
}

/**
 * Deletes a user's account with its sessions, password, authenticator, passkeys and mailed links. Returns the deleted
 * address; null if the user has no account.
 */
export async function deleteAccount(transaction: Queryable, userId: number): Promise<string | null> {
  const account = await transaction
    .selectFrom("portal_users")
    .select(["id", "email"])
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (account === undefined) return null;
  await endSessions(transaction, account.id, null);
  await transaction.deleteFrom("portal_credentials").where("user_id", "=", account.id).execute();
  await transaction.deleteFrom("portal_mail_links").where("email", "=", account.email).execute();
  await transaction.deleteFrom("portal_users").where("id", "=", account.id).execute();
  return account.email;
}

/** The portal's data of a user without the profile, for an export. Null if the user has no account in the portal. */
export async function exportAccount(db: Queryable, userId: number): Promise<object | null> {
  const account = await db
    .selectFrom("portal_users")
    .select(["id", "email", "name", "created_at", "updated_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (account === undefined) return null;
  const { id, ...fields } = account;
  const [sessions, passkeys, authenticator] = await Promise.all([
    db
      .selectFrom("portal_sessions")
      .select(["created_at", "updated_at", "expires_at", "ip_address", "user_agent"])
      .where("user_id", "=", id)
      .orderBy("created_at")
      .execute(),
    db
      .selectFrom("portal_passkeys")
      .select(["name", "created_at", "last_used_at"])
      .where("account_id", "=", id)
      .orderBy("id")
      .execute(),
    db.selectFrom("portal_authenticators").select("created_at").where("account_id", "=", id).executeTakeFirst(),
  ]);
  return { ...fields, sessions, passkeys, authenticator_added_at: authenticator?.created_at ?? null };
}
