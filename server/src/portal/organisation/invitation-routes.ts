import Type from "typebox";
import { revokeInvitation } from "../../resources/organisations/invitations.ts";
import type { Accounts } from "../auth/accounts.ts";
import { emailField, linkToken, newPasswordField, readEmail } from "../auth/fields.ts";
import { InvitationId, NameField, OfferSchema, RoleField } from "../organisation-schema.ts";
import { type PortalRoute, portalRoute, publicPortalRoute } from "../route.ts";

const tag = "Organisation";
const noContent = { status: 204, response: Type.Void() } as const;

/** Invitations: owners mail them, and their links accept them. */
export const invitationRoutes = ({ organisations }: Accounts): PortalRoute[] => [
  portalRoute({
    operationId: "inviteMember",
    permission: "organisation:manage",
    method: "POST",
    path: "/organisation/invitations",
    tag,
    summary: "Mail an invitation, which opens for seven days",
    body: Type.Object({ email: emailField, role: RoleField }),
    ...noContent,
    refusals: [409],
    needsStepUp: true,
    handle: ({ account, body: { email, role }, ...client }) =>
      organisations.invite(account, { email: readEmail(email), role }, client),
  }),
  portalRoute({
    operationId: "resendInvitation",
    permission: "organisation:manage",
    method: "POST",
    path: "/organisation/invitations/:invitation_id/resend",
    tag,
    summary: "Mail another link in place of the one before, for seven days from now",
    params: InvitationId,
    ...noContent,
    needsStepUp: true,
    handle: ({ account, params, ...client }) => organisations.resend(account, params.invitation_id, client),
  }),
  portalRoute({
    operationId: "revokeInvitation",
    permission: "organisation:manage",
    method: "DELETE",
    path: "/organisation/invitations/:invitation_id",
    tag,
    summary: "Revoke an invitation; its link opens nothing any more",
    params: InvitationId,
    ...noContent,
    handle: ({ db, clock, account, author, params }) => {
      const { userId: organisationId, personId } = account;
      const change = { organisationId, personId, author, now: new Date(clock.nowMs()) };
      return revokeInvitation(db, change, params.invitation_id);
    },
  }),
  publicPortalRoute({
    operationId: "findInvitation",
    method: "POST",
    path: "/invitations/find",
    tag,
    summary: "What a mailed link offers, also when it is too late",
    body: Type.Object({ token: linkToken }),
    response: OfferSchema,
    refusals: [429],
    handle: async ({ body, ...client }) => {
      const { organisation, email, role, state, hasAccount } = await organisations.find(body.token, client);
      return { organisation, email, role, state, has_account: hasAccount };
    },
  }),
  portalRoute({
    operationId: "acceptInvitation",
    permission: "self",
    method: "POST",
    path: "/invitations/accept",
    tag,
    summary: "Become a member by a mailed link, and act as the organisation",
    body: Type.Object({ token: linkToken }),
    ...noContent,
    refusals: [409],
    handle: async ({ account, body, ...client }) => {
      await organisations.accept(account, body.token, client);
    },
  }),
  publicPortalRoute({
    operationId: "registerByInvitation",
    method: "POST",
    path: "/invitations/register",
    tag,
    summary: "Register the invited address, become a member, and sign in",
    body: Type.Object({ token: linkToken, name: NameField, password: newPasswordField }),
    ...noContent,
    refusals: [403, 409, 429],
    handle: async ({ body, setCookies, ...client }) => setCookies(await organisations.register(body, client)),
  }),
];
