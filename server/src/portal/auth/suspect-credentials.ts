import type { Queryable } from "../../database/connect.ts";
import type { AuditAction } from "../../resources/audit/actions.ts";
import { firstTimeOf } from "../../resources/audit/queries.ts";
import { credentialNames, endCredentialsSince } from "../../resources/credentials/credentials.ts";
import type { AuthContext } from "./context.ts";
import type { Client } from "./limits.ts";

/** By which somebody else may have come into an account, or made it theirs. */
export const suspectActions = {
  reset: ["account.signed_in_on_new_device"],
  undo: ["account.signed_in_on_new_device", "account.email_change_asked"],
} as const satisfies Record<string, readonly AuditAction[]>;

/**
 * Revokes the keys and disables the endpoints that were made by a person since the first suspect action after a time, in the
 * own account and in organisations. To be called once the sessions are ended, under the person's lock. Returns their names.
 */
export async function endSuspectCredentials(
  { now }: Pick<AuthContext, "now">,
  transaction: Queryable,
  { userId, by, notBefore }: { userId: number; by: keyof typeof suspectActions; notBefore: Date },
  { author }: Pick<Client, "author">,
): Promise<string[]> {
  const since = await firstTimeOf(transaction, userId, suspectActions[by], notBefore);
  if (since === null) return [];
  const reason = "Made while somebody else may have used the account of its maker.";
  const ended = await endCredentialsSince(transaction, userId, since, {
    ...{ author: { ...author, personId: userId }, now, reason },
  });
  return credentialNames(ended);
}
