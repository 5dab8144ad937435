import { isSessionOpen } from "@beatmarket/authentication/sessions.ts";
import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import type { Account } from "../access/account.ts";
import { type MemberPermission, refusalOf, requireKeyWithinRole, roleRefused } from "../access/roles.ts";
import type { Queryable } from "../database/connect.ts";
import type { KeyMaker } from "../resources/api-keys/queries.ts";
import { findMembership } from "../resources/organisations/members.ts";
import type { EndpointMaker } from "../resources/webhooks/endpoints.ts";

/**
 * The person of a session as the maker of a credential. `admit` reads the session and the role again under a lock. A
 * removal of the member takes the same lock. So a credential is either created before the removal, which revokes it, or
 * is not created.
 */
export const makerOf = (account: Account, permission: MemberPermission): EndpointMaker => ({
  personId: account.personId,
  admit: async (transaction) => {
    await requireStill(transaction, account, permission);
  },
});

/** Like `makerOf`, for an API key. `admit` also refuses a key with more permissions than the person's role allows. */
export const keyMakerOf = (account: Account, use: "make" | "rotate"): KeyMaker => ({
  personId: account.personId,
  admit: async (transaction, permissions) => {
    const acting = await requireStill(transaction, account, "keys:write");
    if (acting !== null) requireKeyWithinRole(acting, permissions, use);
  },
});

async function requireStill(transaction: Queryable, account: Account, permission: MemberPermission) {
  const liveAccount = account.readAgain === undefined ? undefined : await account.readAgain();
  if (liveAccount === null || (liveAccount === undefined && !(await isSessionOpen(transaction, account.sessionId))))
    throw new ApiError(401, "unauthorized", "Not signed in", "Your session has ended. Sign in again.", {
      refusedBy: "session",
    });
  if (account.organisation === null) return null;
  const acting = liveAccount?.organisation ?? (await findMembership(transaction, account.userId, account.personId));
  if (acting === null) throw conflict("You are not a member of this organisation any more.");
  const refusal = refusalOf(acting.role, acting.name, permission);
  if (refusal !== null) throw roleRefused(refusal, permission);
  return acting;
}
