import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import Type from "typebox";
import { languageCodes } from "../../../../contract/texts/languages.ts";
import type { EditContext } from "../../resources/beats/publishing/own-beats.ts";
import { changeMailPreferences, findMailPreferences } from "../../resources/users/mail-preferences.ts";
import { ProfileFields, ProfileSchema, profileReference } from "../../resources/users/present.ts";
import { updateProfile } from "../../resources/users/profile.ts";
import { findProfile } from "../../resources/users/queries.ts";
import { renameAccount } from "../auth/account-rows.ts";
import type { Accounts } from "../auth/accounts.ts";
import { emailField, linkToken, newPasswordField, passwordField, readEmail } from "../auth/fields.ts";
import { type PortalRoute, portalRoute, publicPortalRoute, requireOwnAccount } from "../route.ts";
import { dataRoutes } from "./data-routes.ts";
import { embedRoutes, publicFaceRoutes } from "./public-face-routes.ts";
import { securityRoutes } from "./security-routes.ts";

const tag = "Account";

const timeZone = Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
  description:
    "The time zone of the times in mails, such as Europe/Berlin. Null until a browser has sent it; mails then use UTC.",
});
const saleMails = Type.Boolean({ description: "Whether the person gets a mail for each sale." });

const language = Type.Union([Type.Enum([...languageCodes]), Type.Null()], {
  description:
    "The language of mails. Null until the person chooses it or a purchase sets it; mails are then in English.",
});

const MailPreferences = Type.Object(
  { time_zone: timeZone, sale_mails: saleMails, language },
  { $id: "MailPreferences", additionalProperties: false },
);

/** A person's preferences for mails. Mails about payments, refunds and payouts are always sent. */
const mailPreferenceRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getMailPreferences",
    permission: "self",
    method: "GET",
    path: "/account/mails",
    tag,
    summary: "Get the person's mail preferences, time zone and language",
    response: MailPreferences,
    handle: ({ db, account }) => findMailPreferences(db, account.personId),
  }),
  portalRoute({
    operationId: "changeMailPreferences",
    permission: "self",
    method: "PATCH",
    path: "/account/mails",
    tag,
    summary: "Change which mails the person receives; an omitted field stays the same",
    body: Type.Object(
      { time_zone: Type.Optional(timeZone), sale_mails: Type.Optional(saleMails), language: Type.Optional(language) },
      { minProperties: 1, additionalProperties: false },
    ),
    response: MailPreferences,
    handle: ({ db, account, body }) => changeMailPreferences(db, account.personId, body),
  }),
];

const closed = { additionalProperties: false };

const AccountSession = Type.Object(
  {
    id: Type.String(),
    device: Type.String({ description: 'The browser and the system in words, such as "Firefox on Linux".' }),
    client_address: Type.String({
      description: "The address from which the session signed in. Empty for sessions that are older than this record.",
    }),
    signed_in_at: Type.String({ format: "date-time" }),
    last_seen_at: Type.String({
      format: "date-time",
      description: "When the session was last used, rounded to ten minutes.",
    }),
    is_current: Type.Boolean({ description: "Whether this is the session of the request." }),
  },
  { $id: "AccountSession", ...closed },
);

/** The account's sessions. Ending a session requires no recent sign-in, because it can do no harm. */
const sessionRoutes = (accounts: Accounts, demoEmail: string | null): PortalRoute[] => [
  portalRoute({
    operationId: "listSessions",
    permission: "self",
    method: "GET",
    path: "/account/sessions",
    tag,
    summary: "List the account's sessions",
    response: Type.Object(
      {
        sessions: Type.Array(AccountSession, {
          description:
            "The session of the request comes first, then the most recently used. For the shared demo account, only the session of the request.",
        }),
      },
      closed,
    ),
    handle: async ({ account }) => {
      const sessions = await accounts.sessions.list(account);
      const listed = account.email === demoEmail ? sessions.filter(({ isCurrent }) => isCurrent) : sessions;
      return {
        sessions: listed.map((session) => ({
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
    summary: "End every session of the account except the request's own",
    response: Type.Object({ ended: Type.Integer({ description: "The number of sessions that ended." }) }, closed),
    refusals: [409],
    handle: async ({ account, ...client }) => {
      requireOwnAccount(account, demoEmail);
      return { ended: await accounts.sessions.endOthers(account, client) };
    },
  }),
];

/** The account's public profile, with the fields and rules of the API. */
const profileRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getOwnProfile",
    permission: "self",
    method: "GET",
    path: "/account/profile",
    tag,
    summary: "Get the account's public profile",
    response: ProfileSchema,
    handle: async ({ db, account }) => profileReference(await findProfile(db, account.userId)),
  }),
  portalRoute({
    operationId: "updateOwnProfile",
    permission: "self",
    method: "PATCH",
    path: "/account/profile",
    tag,
    summary: "Change the public profile; an omitted field stays the same, null clears it",
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

const noContent = { status: 204, response: Type.Void() } as const;

/**
 * Changes of an account's address. A link in the new mailbox confirms a change; a link in the old mailbox undoes it.
 */
const emailRoutes = (accounts: Accounts, demoEmail: string | null): PortalRoute[] => [
  portalRoute({
    operationId: "requestEmailChange",
    permission: "self",
    method: "POST",
    path: "/account/email",
    tag,
    summary: "Request another e-mail address; a link mailed to the new address confirms the change",
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
    summary: "Confirm the new e-mail address by the mailed link and the account's password",
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
    summary: "Restore an account's former e-mail address, with a new password",
    body: Type.Object({ token: linkToken, password: newPasswordField }),
    ...noContent,
    refusals: [409, 429],
    handle: ({ body, ...client }) => accounts.emails.undo(body.token, body.password, client),
  }),
];

/** The routes with which people manage their account. */
export const accountRoutes = (parts: {
  accounts: Accounts;
  demoEmail: string | null;
  studio: { publishing: EditContext };
}): PortalRoute[] => [
  ...profileRoutes,
  ...mailPreferenceRoutes,
  ...embedRoutes,
  ...publicFaceRoutes(parts.studio.publishing.publicUrl),
  ...emailRoutes(parts.accounts, parts.demoEmail),
  ...sessionRoutes(parts.accounts, parts.demoEmail),
  ...securityRoutes(parts.accounts, parts.demoEmail),
  ...dataRoutes(parts.accounts, parts.demoEmail, parts.studio.publishing),
];
