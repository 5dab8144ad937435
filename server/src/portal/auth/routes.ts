import { sessionEnd } from "@beatmarket/authentication/sessions.ts";
import Type from "typebox";
import { languageCodes } from "../../../../contract/texts/languages.ts";
import { keyPermissionsOf, refusalsOf } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import type { PaymentMode } from "../../resources/orders/payments/open-providers.ts";
import { organisationsOf } from "../../resources/organisations/members.ts";
import { findMailPreferences, type MailPreferences } from "../../resources/users/mail-preferences.ts";
import { ActingOrganisation, RoleField } from "../organisation-schema.ts";
import { type PortalRoute, portalRoute, publicPortalRoute } from "../route.ts";
import type { Accounts } from "./accounts.ts";
import {
  bytesField,
  emailField as email,
  newPasswordField as newPassword,
  nextField as next,
  passwordField as password,
  readEmail,
  readNext,
  linkToken as token,
} from "./fields.ts";

export interface AuthRouteParts {
  accounts: Accounts;
  /** The base URL of the API, `https://host/v1`. */
  baseUrl: string;
  /**
   * The path of the CA certificate that clients must add to their trusted certificates; null if systems trust it by
   * default.
   */
  caFile: string | null;
  /** Whether new orders are charged by a payment provider or by the sandbox. */
  payments: PaymentMode;
  /** The address of the demo account, which anyone may use with one click; null outside demo mode. */
  demoEmail: string | null;
  /** Whether mails are written as files in the data folder, because no mail server is configured. */
  mailsAreFiles: boolean;
  /** Whether accounts have a test mode. */
  hasTestMode: boolean;
}

const tag = "Account";

const Session = Type.Object(
  {
    account: Type.Union([
      Type.Object(
        {
          user_id: Type.Integer({
            description: "The account that the session acts as: the person's own, or an organisation's.",
          }),
          person_id: Type.Integer({ description: "The person's own account." }),
          name: Type.String({ description: "The person's name." }),
          email: Type.String({ description: "The person's e-mail address." }),
          organisation: Type.Union([ActingOrganisation, Type.Null()], {
            description: "The organisation that the session acts as. Null in the person's own account.",
          }),
          organisations: Type.Array(
            Type.Object(
              { user_id: Type.Integer(), name: Type.String(), role: RoleField },
              { additionalProperties: false },
            ),
            { description: "The organisations that the person can act as, by name." },
          ),
          session_ends_at: Type.String({
            format: "date-time",
            description: "When the session ends. It ends earlier if it is not used for seven days.",
          }),
          time_zone: Type.Union([Type.String(), Type.Null()], {
            description: "The time zone of the times in mails. Null until a browser has sent it.",
          }),
          language: Type.Union([Type.Enum([...languageCodes]), Type.Null()], {
            description:
              "The language of mails and of the portal. Null until the person chooses it or a purchase sets it.",
          }),
          operator: Type.Boolean({
            description: "Whether the person is an operator, who can see and change all accounts.",
          }),
          is_demo: Type.Boolean({
            description:
              "Whether this is the demo account, which all visitors of the demo share and which has no password.",
          }),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
    base_url: Type.String({ description: "The address of the API." }),
    ca_file: Type.Union([Type.String(), Type.Null()], {
      description: "The certificate of the authority that programs must trust. Null if systems trust it already.",
    }),
    payments: Type.Enum(["sandbox", "test", "live"], {
      description:
        "Where new orders are charged: at the sandbox, at Stripe in test mode, or at Stripe in live mode, where money moves.",
    }),
    offers_demo: Type.Boolean({ description: "Whether everyone may sign in as the demo account." }),
    has_test_mode: Type.Boolean({
      description: "Whether accounts have a test mode, which the header `x-mode` selects.",
    }),
    mails_are_files: Type.Boolean({
      description: "Whether this server has no mail server and writes mails into `DATA_DIR/mail`.",
    }),
  },
  { $id: "Session", additionalProperties: false },
);

async function zoneAndLanguageOf(
  db: Queryable,
  personId: number,
): Promise<Pick<MailPreferences, "time_zone" | "language">> {
  const { time_zone, language } = await findMailPreferences(db, personId);
  return { time_zone, language };
}

const noContent = { status: 204, response: Type.Void() } as const;

/** Registration, sign-in and passwords. */
export function authRoutes({
  accounts,
  baseUrl,
  caFile,
  payments,
  demoEmail,
  mailsAreFiles,
  hasTestMode,
}: AuthRouteParts): PortalRoute[] {
  return [
    publicPortalRoute({
      operationId: "getSession",
      method: "GET",
      path: "/session",
      tag,
      summary: "Get the signed-in account, and what this server offers",
      response: Session,
      handle: async ({ db, account }) => ({
        account: account && {
          user_id: account.userId,
          person_id: account.personId,
          name: account.name,
          email: account.email,
          organisation: account.organisation && {
            name: account.organisation.name,
            role: account.organisation.role,
            suspended_for: account.organisation.suspensionReason,
            refusals: refusalsOf(account.organisation),
            key_permissions: keyPermissionsOf(account.organisation.role),
          },
          organisations: (await organisationsOf(db, account.personId)).map(({ userId, name, role }) => ({
            user_id: userId,
            name,
            role,
          })),
          session_ends_at: sessionEnd(account.signedInAt).toISOString(),
          ...(await zoneAndLanguageOf(db, account.personId)),
          operator: account.isOperator,
          is_demo: account.email === demoEmail,
        },
        base_url: baseUrl,
        ca_file: caFile,
        payments,
        offers_demo: demoEmail !== null,
        has_test_mode: hasTestMode,
        mails_are_files: mailsAreFiles,
      }),
    }),
    publicPortalRoute({
      operationId: "register",
      method: "POST",
      path: "/auth/register",
      tag,
      summary: "Register an account; a mailed link confirms it",
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 100 }),
        email,
        password: newPassword,
        next: Type.Optional(next),
      }),
      status: 202,
      response: Type.Object({}, { additionalProperties: false }),
      refusals: [429],
      handle: async ({ body, ...client }) => {
        await accounts.register({ ...body, email: readEmail(body.email), next: readNext(body.next) }, client);
        return {};
      },
    }),
    publicPortalRoute({
      operationId: "confirmRegistration",
      method: "POST",
      path: "/auth/confirm",
      tag,
      summary: "Confirm a registration by the mailed link and a password, and sign in",
      body: Type.Object({ token, password }),
      ...noContent,
      refusals: [401, 403, 429],
      handle: async ({ body, setCookies, ...client }) =>
        setCookies(await accounts.confirm(body.token, body.password, client)),
    }),
    publicPortalRoute({
      operationId: "signIn",
      method: "POST",
      path: "/auth/sign-in",
      tag,
      summary: "Sign in with e-mail address and password",
      body: Type.Object({
        email,
        password,
        code: Type.Optional(
          Type.String({ minLength: 1, maxLength: 40, description: "A code of the authenticator, or a recovery code." }),
        ),
      }),
      ...noContent,
      refusals: [401, 403, 429],
      handle: async ({ body, setCookies, ...client }) =>
        setCookies(await accounts.signIn({ ...body, email: readEmail(body.email) }, client)),
    }),
    publicPortalRoute({
      operationId: "challengePasskey",
      method: "POST",
      path: "/auth/passkey/challenges",
      tag,
      summary: "Get what a browser needs to sign in with a passkey, valid for ten minutes",
      response: Type.Object(
        { challenge: Type.String(), rp_id: Type.String({ description: "The host that the passkeys are for." }) },
        { $id: "PasskeyChallenge", additionalProperties: false },
      ),
      refusals: [429],
      handle: async ({ ...client }) => {
        const { challenge, rpId } = await accounts.passkeys.challenge(client);
        return { challenge, rp_id: rpId };
      },
    }),
    publicPortalRoute({
      operationId: "signInWithPasskey",
      method: "POST",
      path: "/auth/passkey",
      tag,
      summary: "Sign in with a passkey",
      body: Type.Object({
        credential: bytesField(1_400),
        client_data: bytesField(4_000),
        authenticator_data: bytesField(4_000),
        signature: bytesField(4_000),
      }),
      ...noContent,
      refusals: [401, 429],
      handle: async ({ body, setCookies, ...client }) => setCookies(await accounts.passkeys.signIn(body, client)),
    }),
    ...(demoEmail === null
      ? []
      : [
          publicPortalRoute({
            operationId: "signInAsDemo",
            method: "POST",
            path: "/auth/demo",
            tag,
            summary: "Sign in as the demo account, if this server has one",
            ...noContent,
            refusals: [403, 404, 429],
            handle: async ({ setCookies, ...client }) => setCookies(await accounts.signInAsDemo(demoEmail, client)),
          }),
        ]),
    portalRoute({
      operationId: "signOut",
      permission: "self",
      method: "POST",
      path: "/auth/sign-out",
      tag,
      summary: "Sign out: end the session",
      ...noContent,
      handle: async ({ account, setCookies, ...client }) => setCookies(await accounts.signOut(account, client)),
    }),
    portalRoute({
      operationId: "changePassword",
      permission: "self",
      method: "POST",
      path: "/auth/change-password",
      tag,
      summary: "Change the password, and end every other session",
      body: Type.Object({ current_password: password, new_password: newPassword }),
      ...noContent,
      refusals: [409, 429],
      handle: async ({ account, body, setCookies, ...client }) => {
        const passwords = { current: body.current_password, next: body.new_password };
        setCookies(await accounts.changePassword(account, passwords, client));
      },
    }),
    publicPortalRoute({
      operationId: "requestPasswordReset",
      method: "POST",
      path: "/auth/request-reset",
      tag,
      summary: "Request a mailed link to choose a new password",
      body: Type.Object({ email, next: Type.Optional(next) }),
      status: 202,
      response: Type.Object({}, { additionalProperties: false }),
      refusals: [429],
      handle: async ({ body, ...client }) => {
        await accounts.requestReset({ email: readEmail(body.email), next: readNext(body.next) }, client);
        return {};
      },
    }),
    publicPortalRoute({
      operationId: "resetPassword",
      method: "POST",
      path: "/auth/reset",
      tag,
      summary: "Choose a new password by the mailed link, and sign in",
      body: Type.Object({
        token,
        password: newPassword,
        keep_credentials: Type.Boolean({
          default: false,
          description:
            "Whether to keep API keys and webhook endpoints that were made after a new device signed in within the last 30 days. Otherwise the keys are revoked, and the endpoints disabled.",
        }),
      }),
      ...noContent,
      refusals: [403, 429],
      handle: async ({ body, setCookies, ...client }) => {
        const { token, password, keep_credentials: keepsCredentials } = body;
        setCookies(await accounts.reset({ token, password, keepsCredentials }, client));
      },
    }),
  ];
}
