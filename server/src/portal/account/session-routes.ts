import Type from "typebox";
import type { Accounts } from "../auth/accounts.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { requireOwnAccount } from "./demo.ts";

const tag = "Account";
const closed = { additionalProperties: false };

const AccountSession = Type.Object(
  {
    id: Type.String(),
    device: Type.String({ description: "In plain words: Firefox on Linux." }),
    client_address: Type.String({
      description: "Where it signed in; empty in sessions from before this was recorded.",
    }),
    signed_in_at: Type.String({ format: "date-time" }),
    last_seen_at: Type.String({ format: "date-time", description: "To ten minutes." }),
    is_current: Type.Boolean({ description: "The one that asks." }),
  },
  { $id: "AccountSession", ...closed },
);

/** The account's sessions. Ending one stops harm, so it needs no other sign-in. */
export const sessionRoutes = (accounts: Accounts, demoEmail: string | null): PortalRoute[] => [
  portalRoute({
    operationId: "listSessions",
    permission: "self",
    method: "GET",
    path: "/account/sessions",
    tag,
    summary: "Where the account is signed in",
    response: Type.Object(
      {
        sessions: Type.Array(AccountSession, {
          description:
            "This one first, then those used last. Of the demo account, which everybody shares, this one alone.",
        }),
      },
      closed,
    ),
    handle: async ({ account }) => {
      const sessions = await accounts.sessions.list(account);
      const shown = account.email === demoEmail ? sessions.filter(({ isCurrent }) => isCurrent) : sessions;
      return {
        sessions: shown.map((session) => ({
          id: session.id,
          device: session.device,
          client_address: session.clientAddress,
          signed_in_at: session.signedInAt.toISOString(),
          last_seen_at: session.lastSeenAt.toISOString(),
          is_current: session.isCurrent,
        })),
      };
    },
  }),
  portalRoute({
    operationId: "endSession",
    permission: "self",
    method: "DELETE",
    path: "/account/sessions/:session_id",
    tag,
    summary: "End one of the account's sessions",
    params: Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 100 }) }),
    status: 204,
    response: Type.Void(),
    refusals: [404, 409],
    handle: async ({ account, params, ...client }) => {
      requireOwnAccount(account, demoEmail);
      await accounts.sessions.end(account, params.session_id, client);
    },
  }),
  portalRoute({
    operationId: "endOtherSessions",
    permission: "self",
    method: "DELETE",
    path: "/account/other-sessions",
    tag,
    summary: "End every session of the account but this one",
    response: Type.Object({ ended: Type.Integer({ description: "How many." }) }, closed),
    refusals: [409],
    handle: async ({ account, ...client }) => {
      requireOwnAccount(account, demoEmail);
      return { ended: await accounts.sessions.endOthers(account, client) };
    },
  }),
];
