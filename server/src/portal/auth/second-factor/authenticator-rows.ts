import { createHash } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../../database/connect.ts";
import { isSealedUnder, type Place, type SecretBox, sealUnder } from "../../../resources/secrets/secret-box.ts";
import type { SecretKey } from "../../../resources/secrets/secret-keys.ts";

/** Where the secret of an account's authenticator is stored. */
export const authenticatorPlace = (accountId: string): Place => ({
  column: "portal_authenticators.secret",
  id: accountId,
});

/** Whether an account's sign-ins with a password need a code. */
export async function hasAuthenticator(db: Queryable, accountId: string): Promise<boolean> {
  return (await findAuthenticator(db, accountId)) !== null;
}

/** Whether an account has an authenticator or a passkey. */
export async function hasSecondFactor(db: Queryable, accountId: string): Promise<boolean> {
  if (await hasAuthenticator(db, accountId)) return true;
  const passkey = await db
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
  const row = await db
    .selectFrom("portal_authenticators")
    .select(["secret", "created_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row === undefined ? null : { secret: row.secret, createdAt: row.created_at };
}

/** Stores a confirmed authenticator. False if the account has one. */
export async function addAuthenticator(
  transaction: Queryable,
  authenticator: { accountId: string; sealed: string; lastStep: number; recoveryCodes: readonly string[]; now: Date },
): Promise<boolean> {
  const { accountId, sealed, lastStep, recoveryCodes, now } = authenticator;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("portal_authenticators")
    .values({ account_id: accountId, secret: sealed, last_step: lastStep, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;
  await transaction
    .insertInto("portal_recovery_codes")
    .values(recoveryCodes.map((code) => ({ account_id: accountId, sha256: hashOf(code) })))
    .execute();
  return true;
}

/** Marks the code of a step, and earlier codes, as used. False if it was used before. */
export async function useStep(db: Queryable, accountId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("portal_authenticators")
    .set({ last_step: step })
    .where("account_id", "=", accountId)
    .where("last_step", "<", step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Marks a recovery code as used. False if the account no longer has such a code. */
export async function useRecoveryCode(db: Queryable, accountId: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("portal_recovery_codes")
    .where("account_id", "=", accountId)
    .where("sha256", "=", hashOf(code))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Queryable, accountId: string): Promise<number> {
  const { count } = await db
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
  await transaction.deleteFrom("portal_recovery_codes").where("account_id", "=", accountId).execute();
  await transaction
    .insertInto("portal_recovery_codes")
    .values(codes.map((code) => ({ account_id: accountId, sha256: hashOf(code) })))
    .execute();
}

/** Removes an account's authenticator with its recovery codes. False if it has none. */
export async function removeAuthenticator(transaction: Queryable, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("portal_authenticators")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Removes an account's factors besides its password that were added since a moment. */
export async function forgetSecondFactors(transaction: Queryable, accountId: string, since: Date): Promise<void> {
  for (const table of ["portal_authenticators", "portal_passkeys"] as const)
    await transaction.deleteFrom(table).where("account_id", "=", accountId).where("created_at", ">=", since).execute();
}

/** Recovery codes have 80 random bits, so a plain hash does not reveal them. */
const hashOf = (code: string): Buffer =>
  createHash("sha256")
    .update(code.replace(/[^A-Z2-7]/g, ""))
    .digest();

/** The number of authenticators that are read at a time. */
const batchSize = 100;

/**
 * Seals the secrets of all authenticators under `key`, except those that already are. One that is replaced in the
 * meantime keeps its new secret. `unopened` are the addresses of accounts whose secret no key of this process opens; it
 * stays unchanged.
 */
export async function resealAuthenticators(
  db: Queryable,
  box: SecretBox,
  key: SecretKey,
): Promise<{ resealed: number; unopened: string[] }> {
  const unopened: string[] = [];
  let resealed = 0;
  for (let after = ""; ; ) {
    const rows = await db
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
        await db
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
