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
    summary: "Mail an invitation, which can be accepted for seven days",
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
    summary: "Mail a new link of an invitation, which replaces the old one and is valid for seven days",
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
    summary: "Revoke an invitation; its link stops working",
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
    summary: "Get the invitation of a mailed link, also after it has expired",
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
    summary: "Accept an invitation by its mailed link, and act as the organisation",
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
    summary: "Register the invited e-mail address, become a member, and sign in",
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
      "Whether to keep the API keys, webhook endpoints and invitations that the member created and may no longer create. Otherwise keys and invitations are revoked, and endpoints are disabled.",
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
    summary: "List what ends with a member's role or membership; for owners, and for the member",
    params: MemberId,
    query: Type.Object({
      role: Type.Optional(
        Type.Enum([...roleNames], { description: "The member's new role. Without it: the membership ends." }),
      ),
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
    summary: "Change the role of a member",
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
    summary: "Remove a member, who can no longer act as the organisation",
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
    summary: "Leave the organisation",
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
    summary: "Make another member the owner; the former owner becomes a developer",
    query: Keeping,
    body: Type.Object({ user_id: Type.Integer() }),
    ...noContent,
    refusals: [404, 409],
    needsStepUp: true,
    handle: ({ account, query, body, ...client }) =>
      organisations.transfer(account, body.user_id, query.keep_credentials, client),
  }),
];
