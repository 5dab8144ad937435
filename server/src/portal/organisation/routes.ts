import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import Type from "typebox";
import type { Account } from "../../access/account.ts";
import { mayDo } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import type { EditContext } from "../../resources/beats/publishing/own-beats.ts";
import { listInvitations } from "../../resources/organisations/invitations.ts";
import { changeAsOwner, listMembers, ownerAddresses, record } from "../../resources/organisations/members.ts";
import { ProfileFields, ProfileSchema, profileReference } from "../../resources/users/present.ts";
import { updateProfile } from "../../resources/users/profile.ts";
import { findProfile } from "../../resources/users/queries.ts";
import { eraseAccount } from "../account/data-routes.ts";
import { auditRoute } from "../audit/routes.ts";
import type { Accounts } from "../auth/accounts.ts";
import { NameField, OrganisationSchema } from "../organisation-schema.ts";
import { type PortalRoute, portalRoute, requireOwnAccount } from "../route.ts";
import { invitationRoutes, memberRoutes } from "./member-routes.ts";

const tag = "Organisation";
const noContent = { status: 204, response: Type.Void() } as const;

/** The routes that create an organisation, act as an organisation, and manage it as an owner. */
export const organisationRoutes = ({
  accounts,
  demoEmail,
  studio: { publishing },
}: {
  accounts: Accounts;
  demoEmail: string | null;
  studio: { publishing: EditContext };
}): PortalRoute[] => [
  portalRoute({
    operationId: "createOrganisation",
    permission: "self",
    method: "POST",
    path: "/organisations",
    tag,
    summary: "Create an organisation, become the owner, and act as it",
    body: Type.Object({ name: NameField }),
    status: 201,
    response: Type.Object(
      { id: Type.Integer({ description: "The id of the organisation's user." }) },
      { additionalProperties: false },
    ),
    refusals: [409],
    handle: async ({ account, body, ...client }) => {
      requireOwnAccount(account, demoEmail);
      const { id } = await accounts.organisations.create(account, body.name, client);
      return { id };
    },
  }),
  portalRoute({
    operationId: "actAs",
    permission: "self",
    method: "PUT",
    path: "/session/account",
    tag,
    summary: "Act as an organisation, or as the person's own account again",
    body: Type.Object({
      user_id: Type.Integer({ description: "The user id of the organisation, or the person's own." }),
    }),
    ...noContent,
    refusals: [404],
    handle: ({ account, body }) => accounts.organisations.actAs(account, body.user_id),
  }),
  portalRoute({
    operationId: "getOrganisation",
    permission: "account:read",
    method: "GET",
    path: "/organisation",
    tag,
    summary: "Get the members and invitations of the organisation that the session acts as",
    response: OrganisationSchema,
    refusals: [409],
    handle: async ({ db, clock, account }) => {
      const { role } = requireOrganisation(account);
      const isOwner = mayDo(role, "organisation:manage");
      const [{ id, username }, members, invitations] = await Promise.all([
        findProfile(db, account.userId),
        listMembers(db, account.userId),
        isOwner ? listInvitations(db, account.userId) : [],
      ]);
      return {
        id,
        username,
        members: members.map(({ userId, joinedAt, ...member }) => ({
          user_id: userId,
          name: member.name,
          email: member.email,
          role: member.role,
          joined_at: joinedAt.toISOString(),
          is_you: userId === account.personId,
        })),
        invitations: invitations.map(({ expiresAt, ...invitation }) => ({
          ...invitation,
          expires_at: expiresAt.toISOString(),
          has_expired: expiresAt.getTime() <= clock.nowMs(),
        })),
      };
    },
  }),
  portalRoute({
    operationId: "getOrganisationProfile",
    permission: "account:read",
    method: "GET",
    path: "/organisation/profile",
    tag,
    summary: "Get the organisation's public profile",
    response: ProfileSchema,
    refusals: [409],
    handle: async ({ db, account }) => {
      requireOrganisation(account);
      return profileReference(await findProfile(db, account.userId));
    },
  }),
  portalRoute({
    operationId: "updateOrganisationProfile",
    permission: "organisation:manage",
    method: "PATCH",
    path: "/organisation/profile",
    tag,
    summary: "Rename the organisation, or change its public profile",
    body: ProfileFields,
    response: ProfileSchema,
    refusals: [404, 409],
    handle: ({ db, clock, account, requestId, author, body }) => {
      requireOrganisation(account);
      const { userId, personId } = account;
      const now = new Date(clock.nowMs());
      const change = { organisationId: userId, personId, author, now };
      return changeAsOwner(db, change, async (transaction) => {
        const profile = await updateProfile(transaction, { userId, requestId, now }, body);
        await record(transaction, change, "organisation.profile_changed", Object.keys(body).join(", "));
        return profileReference(profile);
      });
    },
  }),
  portalRoute({
    operationId: "eraseOrganisation",
    permission: "organisation:manage",
    method: "POST",
    path: "/organisation/erasure",
    tag,
    summary: "Delete the organisation at once and permanently, with its keys, endpoints and beats",
    body: Type.Object({
      username: Type.String({ minLength: 1, maxLength: 100, description: "The username of the organisation." }),
    }),
    ...noContent,
    refusals: [404, 409],
    needsStepUp: true,
    changesContent: () => true,
    handle: async ({ db, clock, account, body, author, requestId }) => {
      requireOrganisation(account);
      const { userId, personId } = account;
      const change = { organisationId: userId, personId, author, now: new Date(clock.nowMs()) };
      const last = await changeAsOwner(db, change, async (transaction) => {
        const { owners, username } = await deletionNotice(transaction, userId);
        if (body.username.replace(/^@/, "") !== username)
          throw invalidRequest(`Type the username of this organisation, ${username}, to delete it.`, "username");
        await eraseAccount({ ...publishing, db: transaction }, { userId, author, requestId });
        return { owners, username };
      });
      await accounts.organisations.erased(account, last);
    },
  }),
  auditRoute({
    operationId: "listOrganisationAudit",
    permission: "organisation:manage",
    path: "/organisation/audit",
    tag,
    summary: "List the actions of members and of the operator on the organisation, newest first",
    refusals: [409],
    requires: requireOrganisation,
  }),
  ...memberRoutes(accounts),
  ...invitationRoutes(accounts),
];

/** The recipients and the username for the mail about the deletion of an organisation. */
const deletionNotice = async (db: Queryable, userId: number) => ({
  owners: await ownerAddresses(db, userId),
  username: (await findProfile(db, userId)).username,
});

function requireOrganisation({ organisation }: Account) {
  if (organisation === null) throw conflict("You act as yourself. Choose an organisation in the account menu.");
  return organisation;
}
