import Type from "typebox";
import type { PublishingContext } from "../../resources/beats/publishing/context.ts";
import type { Accounts } from "../auth/accounts.ts";
import { emailField, linkToken, newPasswordField, passwordField, readEmail } from "../auth/fields.ts";
import { type PortalRoute, portalRoute, publicPortalRoute } from "../route.ts";
import { dataRoutes } from "./data-routes.ts";
import { requireOwnAccount } from "./demo.ts";
import { profileRoutes } from "./profile-routes.ts";
import { securityRoutes } from "./security-routes.ts";
import { sessionRoutes } from "./session-routes.ts";

const tag = "Account";
const noContent = { status: 204, response: Type.Void() } as const;

/** Another address of an account: its new mailbox confirms, its old one may undo. */
const emailRoutes = (accounts: Accounts, demoEmail: string | null): PortalRoute[] => [
  portalRoute({
    operationId: "requestEmailChange",
    permission: "self",
    method: "POST",
    path: "/account/email",
    tag,
    summary: "Ask for another e-mail address; a link that is mailed there confirms it",
    body: Type.Object({ email: emailField }),
    status: 202,
    response: Type.Object({}, { additionalProperties: false }),
    refusals: [409, 429],
    needsStepUp: true,
    handle: async ({ account, body, ...client }) => {
      requireOwnAccount(account, demoEmail);
      await accounts.emails.request(account, readEmail(body.email), client);
      return {};
    },
  }),
  publicPortalRoute({
    operationId: "confirmEmailChange",
    method: "POST",
    path: "/auth/confirm-email",
    tag,
    summary: "Confirm another address by its mailed link and the account's password",
    body: Type.Object({ token: linkToken, password: passwordField }),
    ...noContent,
    refusals: [401, 409, 429],
    handle: ({ body, ...client }) => accounts.emails.confirm(body.token, body.password, client),
  }),
  publicPortalRoute({
    operationId: "undoEmailChange",
    method: "POST",
    path: "/auth/undo-email",
    tag,
    summary: "Give an account its former address back, with a new password",
    body: Type.Object({ token: linkToken, password: newPasswordField }),
    ...noContent,
    refusals: [409, 429],
    handle: ({ body, ...client }) => accounts.emails.undo(body.token, body.password, client),
  }),
];

/** What people do with an account of theirs. */
export const accountRoutes = (parts: {
  accounts: Accounts;
  demoEmail: string | null;
  studio: { publishing: PublishingContext };
}): PortalRoute[] => [
  ...profileRoutes,
  ...emailRoutes(parts.accounts, parts.demoEmail),
  ...sessionRoutes(parts.accounts, parts.demoEmail),
  ...securityRoutes(parts.accounts, parts.demoEmail),
  ...dataRoutes(parts.accounts, parts.demoEmail, parts.studio.publishing),
];
