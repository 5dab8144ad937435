import Type from "typebox";
import { roleNames } from "../../access/roles.ts";
import { revokeInvitation } from "../../resources/organisations/invitations.ts";
import type { Accounts } from "../auth/accounts.ts";
import { emailField, linkToken, newPasswordField, readEmail } from "../auth/fields.ts";
import {
  InvitationId,
  MemberCredentials,
  MemberId,
  NameField,
  OfferSchema,
  RoleField,
} from "../organisation-schema.ts";
import { type PortalRoute, portalRoute, publicPortalRoute } from "../route.ts";

/** Owners mail invitations, and the invited persons accept them with the mailed link. */
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

const tag = "Organisation";
const noContent = { status: 204, response: Type.Void() } as const;

const Keeping = Type.Object({
  keep_credentials: Type.Boolean({
    default: false,
    description:
      "Whether API keys, webhook endpoints and invitations go on that the member made and may not make any more. Without it they are revoked, and endpoints disabled.",
  }),
});

/** The members of the organisation that the person acts as. */
export const memberRoutes = ({ organisations }: Accounts): PortalRoute[] => [
  portalRoute({
    operationId: "listMemberCredentials",
    permission: "account:read",
    method: "GET",
    path: "/organisation/members/:user_id/credentials",
    tag,
    summary: "What ends with a member's role or membership, for owners and oneself",
    params: MemberId,
    query: Type.Object({
      role: Type.Optional(Type.Enum([...roleNames], { description: "The role to be; absent: no member any more." })),
    }),
    response: MemberCredentials,
    handle: async ({ account, params, query }) => {
      const { keys, endpoints, invitations } = await organisations.credentials(
        account,
        params.user_id,
        query.role ?? null,
      );
      return {
        keys: keys.map(({ id, name, endsWith }) => ({ id, name, ends_with: endsWith })),
        endpoints: endpoints.map(({ id, url }) => ({ id, url })),
        invitations: invitations.map(({ id, email }) => ({ id, email })),
      };
    },
  }),
  portalRoute({
    operationId: "changeRole",
    permission: "organisation:manage",
    method: "PATCH",
    path: "/organisation/members/:user_id",
    tag,
    summary: "Give a member another role",
    params: MemberId,
    query: Keeping,
    body: Type.Object({ role: RoleField }),
    ...noContent,
    refusals: [409],
    needsStepUp: true,
    handle: ({ account, params, query, body, ...client }) =>
      organisations.changeRole(account, params.user_id, body.role, query.keep_credentials, client),
  }),
  portalRoute({
    operationId: "removeMember",
    permission: "organisation:manage",
    method: "DELETE",
    path: "/organisation/members/:user_id",
    tag,
    summary: "Remove a member, who acts as the organisation no more at once",
    params: MemberId,
    query: Keeping,
    ...noContent,
    refusals: [409],
    needsStepUp: true,
    handle: ({ account, params, query, ...client }) =>
      organisations.remove(account, params.user_id, query.keep_credentials, client),
  }),
  portalRoute({
    operationId: "leaveOrganisation",
    permission: "account:read",
    method: "POST",
    path: "/organisation/leave",
    tag,
    summary: "End one's own membership",
    query: Keeping,
    ...noContent,
    refusals: [404, 409],
    handle: ({ account, query, ...client }) => organisations.leave(account, query.keep_credentials, client),
  }),
  portalRoute({
    operationId: "transferOwnership",
    permission: "organisation:manage",
    method: "POST",
    path: "/organisation/transfer",
    tag,
    summary: "Make another member the owner, and oneself a developer",
    query: Keeping,
    body: Type.Object({ user_id: Type.Integer() }),
    ...noContent,
    refusals: [404, 409],
    needsStepUp: true,
    handle: ({ account, query, body, ...client }) =>
      organisations.transfer(account, body.user_id, query.keep_credentials, client),
  }),
];
