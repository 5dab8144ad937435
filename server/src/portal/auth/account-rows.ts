import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";
import type { PortalAuth } from "./better-auth.ts";

/** Serializes the creation of accounts by address. */
export const lockAddress = (transaction: Queryable, email: string) =>
  sql`select pg_advisory_xact_lock(hashtext('portal account'), hashtext(${email}))`.execute(transaction);

/** The id of an address's account; null if it is not registered. */
export async function findAccountId(db: Queryable, email: string): Promise<string | null> {
  const row = await db.selectFrom("portal_users").select("id").where("email", "=", email).executeTakeFirst();
  return row?.id ?? null;
}

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

/**
 * Makes an account and, where the address has none, the marketplace user with its event. `auth` works over `transaction`.
 */
export async function createAccount(
  transaction: Queryable,
  auth: PortalAuth,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string | null },
): Promise<{ accountId: string; userId: number }> {
  const user = await findOrCreateAccount(transaction, { email, name });
  const { internalAdapter } = await auth.$context;
  const { id } = await internalAdapter.createUser(
    { email, name, emailVerified: true, marketplaceUserId: user.id },
    { method: "email-password" },
  );
  if (passwordHash !== null) await addPassword(auth, id, passwordHash);
  return { accountId: id, userId: user.id };
}

/** Sets an account's password, its first or another one, and ends its sessions. */
export async function replacePassword(auth: PortalAuth, accountId: string, passwordHash: string): Promise<void> {
  const { internalAdapter } = await auth.$context;
  if ((await internalAdapter.findCredentialAccount(accountId)) === null)
    await addPassword(auth, accountId, passwordHash);
  else await internalAdapter.updatePassword(accountId, passwordHash);
  await internalAdapter.deleteUserSessions(accountId);
}

async function addPassword(auth: PortalAuth, accountId: string, password: string): Promise<void> {
  const { internalAdapter } = await auth.$context;
  await internalAdapter.linkAccount({ userId: accountId, accountId, providerId: "credential", password });
}
