import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { profileReference } from "../../resources/users/present.ts";
import { updateProfile } from "../../resources/users/profile.ts";
import { findProfile } from "../../resources/users/queries.ts";
import { ProfileFields, ProfileSchema } from "../../resources/users/schema.ts";
import { renameAccount } from "../auth/account-rows.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const tag = "Account";

/** The account's public profile, as the API shows and changes it. */
export const profileRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getOwnProfile",
    permission: "self",
    method: "GET",
    path: "/account/profile",
    tag,
    summary: "The account's public profile",
    response: ProfileSchema,
    handle: async ({ db, account }) => profileReference(await findProfile(db, account.userId)),
  }),
  portalRoute({
    operationId: "updateOwnProfile",
    permission: "self",
    method: "PATCH",
    path: "/account/profile",
    tag,
    summary: "Change the public profile; a field that is left out stays, null clears it",
    body: ProfileFields,
    response: ProfileSchema,
    handle: ({ db, clock, account, requestId, body }) =>
      transact(db, async (transaction) => {
        const now = new Date(clock.nowMs());
        const profile = await updateProfile(transaction, { userId: account.userId, requestId, now }, body);
        await renameAccount(transaction, account.id, profile.display_name, now);
        return profileReference(profile);
      }),
  }),
];
