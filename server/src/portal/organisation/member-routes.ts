import Type from "typebox";
import { roleNames } from "../../access/roles.ts";
import type { Accounts } from "../auth/accounts.ts";
import { MemberCredentials, MemberId, RoleField } from "../organisation-schema.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

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
