import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../../database/connect.ts";
import { isSealedUnder, type SecretBox, sealUnder } from "../../secrets/secret-box.ts";
import type { SecretKey } from "../../secrets/secret-keys.ts";
import { privateKeyPlace } from "./keys.ts";

/**
 * Seals the private keys under `key`, except those that already are. A key once made never changes, so this needs no lock.
 * `unopened` are those that no key of this process opens; they stay as they are.
 */
export async function resealSigningKeys(
  db: Queryable,
  box: SecretBox,
  key: SecretKey,
): Promise<{ resealed: number; unopened: string[] }> {
  const rows = await db.selectFrom("signing_keys").select(["kid", "private_key"]).orderBy("kid").execute();
  const unopened: string[] = [];
  let resealed = 0;
  for (const { kid, private_key } of rows.filter((row) => !isSealedUnder(key, row.private_key))) {
    const place = privateKeyPlace(kid);
    try {
      const sealed = sealUnder(key, place, box.open(private_key, place));
      await db.updateTable("signing_keys").set({ private_key: sealed }).where("kid", "=", kid).execute();
      resealed++;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      unopened.push(kid);
    }
  }
  return { resealed, unopened };
}
