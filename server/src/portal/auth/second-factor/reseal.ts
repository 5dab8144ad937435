import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../../database/connect.ts";
import { isSealedUnder, type SecretBox, sealUnder } from "../../../resources/secrets/secret-box.ts";
import type { SecretKey } from "../../../resources/secrets/secret-keys.ts";
import { authenticatorPlace } from "./authenticator-rows.ts";

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
