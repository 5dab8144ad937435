import type { Queryable } from "../../database/connect.ts";
import type { AuditAction } from "../../resources/audit/actions.ts";
import { firstTimeOf } from "../../resources/audit/queries.ts";
import { credentialNames, endCredentialsSince } from "../../resources/credentials/credentials.ts";
import type { AuthContext } from "./context.ts";
import type { Client } from "./limits.ts";

/** The actions by which a stranger may have entered an account, or taken it over. */
export const suspectActions = {
  reset: ["account.signed_in_on_new_device"],
  undo: ["account.signed_in_on_new_device", "account.email_change_asked"],
} as const satisfies Record<string, readonly AuditAction[]>;

/**
 * Revokes the keys and disables the endpoints that a person made since the first suspect action after a time, in the
 * person's account and in organisations. Call it after the sessions have ended, under the person's lock. Returns the
 * names of the credentials.
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
