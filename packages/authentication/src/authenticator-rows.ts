import { createHash } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { isSealedUnder, type Place, type SecretBox, sealUnder } from "@beatmarket/secret-box/secret-box.ts";
import type { SecretKey } from "@beatmarket/secret-box/secret-keys.ts";
import { tablesOf } from "./tables.ts";

/** The place of an authenticator's secret in the database. A sealed secret is bound to its place. */
export const authenticatorPlace = (accountId: string): Place => ({
  column: "portal_authenticators.secret",
  id: accountId,
});

/** Whether a sign-in with the account's password also requires a code. */
export async function hasAuthenticator(db: Queryable, accountId: string): Promise<boolean> {
  return (await findAuthenticator(db, accountId)) !== null;
}

/** Whether an account has an authenticator or a passkey. */
export async function hasSecondFactor(db: Queryable, accountId: string): Promise<boolean> {
  if (await hasAuthenticator(db, accountId)) return true;
  const passkey = await tablesOf(db)
    .selectFrom("portal_passkeys")
    .select("id")
    .where("account_id", "=", accountId)
    .limit(1)
    .executeTakeFirst();
  return passkey !== undefined;
}

/** The sealed secret of an account's authenticator; null for an account without one. */
export async function findAuthenticator(
  db: Queryable,
  accountId: string,
): Promise<{ secret: string; createdAt: Date } | null> {
  const row = await tablesOf(db)
    .selectFrom("portal_authenticators")
    .select(["secret", "created_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row === undefined ? null : { secret: row.secret, createdAt: row.created_at };
}

/** Stores a confirmed authenticator. Returns false if the account already has an authenticator. */
export async function addAuthenticator(
  transaction: Queryable,
  authenticator: { accountId: string; sealed: string; lastStep: number; recoveryCodes: readonly string[]; now: Date },
): Promise<boolean> {
  const { accountId, sealed, lastStep, recoveryCodes, now } = authenticator;
  const { numInsertedOrUpdatedRows } = await tablesOf(transaction)
    .insertInto("portal_authenticators")
    .values({ account_id: accountId, secret: sealed, last_step: lastStep, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;
  await tablesOf(transaction)
    .insertInto("portal_recovery_codes")
    .values(recoveryCodes.map((code) => ({ account_id: accountId, sha256: hashOf(code) })))
    .execute();
  return true;
}

/**
 * Marks the code of a step, and all earlier codes, as used. Returns false if this or a later code was used before, or
 * if the account has no authenticator.
 */
export async function useStep(db: Queryable, accountId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tablesOf(db)
    .updateTable("portal_authenticators")
    .set({ last_step: step })
    .where("account_id", "=", accountId)
    .where("last_step", "<", step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Removes a recovery code from an account. Returns false if the account has no such code. */
export async function useRecoveryCode(db: Queryable, accountId: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await tablesOf(db)
    .deleteFrom("portal_recovery_codes")
    .where("account_id", "=", accountId)
    .where("sha256", "=", hashOf(code))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Queryable, accountId: string): Promise<number> {
  const { count } = await tablesOf(db)
    .selectFrom("portal_recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Replaces all recovery codes of an authenticator. */
export async function replaceRecoveryCodes(
  transaction: Queryable,
  accountId: string,
  codes: readonly string[],
): Promise<void> {
  await tablesOf(transaction).deleteFrom("portal_recovery_codes").where("account_id", "=", accountId).execute();
  await tablesOf(transaction)
    .insertInto("portal_recovery_codes")
    .values(codes.map((code) => ({ account_id: accountId, sha256: hashOf(code) })))
    .execute();
}

/** Removes an account's authenticator with its recovery codes. Returns false if the account has no authenticator. */
export async function removeAuthenticator(transaction: Queryable, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await tablesOf(transaction)
    .deleteFrom("portal_authenticators")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Removes the authenticator that an account added since a time. */
export async function forgetAuthenticator(transaction: Queryable, accountId: string, since: Date): Promise<void> {
  await tablesOf(transaction)
    .deleteFrom("portal_authenticators")
    .where("account_id", "=", accountId)
    .where("created_at", ">=", since)
    .execute();
}

/** The hash of a recovery code. A plain hash suffices, because a code has 80 random bits. */
const hashOf = (code: string): Buffer =>
  createHash("sha256")
    .update(code.replace(/[^A-Z2-7]/g, ""))
    .digest();

/** The number of authenticators that one statement reads. */
const batchSize = 100;

/**
 * Seals the secrets of all authenticators that are not yet sealed under `key`. Does not overwrite a secret that changes
 * concurrently. Returns in `unopened` the addresses of accounts whose secret no key of this process opens. These
 * secrets stay unchanged.
 */
export async function resealAuthenticators(
  db: Queryable,
  box: SecretBox,
  key: SecretKey,
): Promise<{ resealed: number; unopened: string[] }> {
  const unopened: string[] = [];
  let resealed = 0;
  for (let after = ""; ; ) {
    const rows = await tablesOf(db)
      .selectFrom("portal_authenticators")
      .innerJoin("portal_users", "portal_users.id", "account_id")
      .select(["account_id", "secret", "email"])
      .where("account_id", ">", after)
      .orderBy("account_id")
      .limit(batchSize)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return { resealed, unopened };
    after = last.account_id;
    for (const { account_id, secret, email } of rows.filter((row) => !isSealedUnder(key, row.secret))) {
      const place = authenticatorPlace(account_id);
      try {
        const sealed = sealUnder(key, place, box.open(secret, place));
        await tablesOf(db)
          .updateTable("portal_authenticators")
          .set({ secret: sealed })
          .where("account_id", "=", account_id)
          .where("secret", "=", secret)
          .execute();
        resealed++;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        unopened.push(email);
      }
    }
  }
}
