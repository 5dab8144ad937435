import Type from "typebox";
import type { Accounts } from "../auth/accounts.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { MemberId, RoleField } from "./schema.ts";

const tag = "Organisation";
const noContent = { status: 204, response: Type.Void() } as const;

/** The members of the organisation that the person acts as. */
export const memberRoutes = ({ organisations }: Accounts): PortalRoute[] => [
  portalRoute({
    operationId: "changeRole",
    permission: "organisation:manage",
    method: "PATCH",
    path: "/organisation/members/:user_id",
    tag,
    summary: "Give a member another role",
    params: MemberId,
    body: Type.Object({ role: RoleField }),
    ...noContent,
    refusals: [409],
    needsStepUp: true,
    handle: ({ account, params, body, ...client }) =>
      organisations.changeRole(account, params.user_id, body.role, client),
  }),
  portalRoute({
    operationId: "removeMember",
    permission: "organisation:manage",
    method: "DELETE",
    path: "/organisation/members/:user_id",
    tag,
    summary: "Remove a member, who acts as the organisation no more at once",
    params: MemberId,
    ...noContent,
    refusals: [409],
    needsStepUp: true,
    handle: ({ account, params, ...client }) => organisations.remove(account, params.user_id, client),
  }),
  portalRoute({
    operationId: "leaveOrganisation",
    permission: "account:read",
    method: "POST",
    path: "/organisation/leave",
    tag,
    summary: "End one's own membership",
    ...noContent,
    refusals: [404, 409],
    handle: ({ account, ...client }) => organisations.leave(account, client),
  }),
  portalRoute({
    operationId: "transferOwnership",
    permission: "organisation:manage",
    method: "POST",
    path: "/organisation/transfer",
    tag,
    summary: "Make another member the owner, and oneself a developer",
    body: Type.Object({ user_id: Type.Integer() }),
    ...noContent,
    refusals: [404, 409],
    needsStepUp: true,
    handle: ({ account, body, ...client }) => organisations.transfer(account, body.user_id, client),
  }),
];
