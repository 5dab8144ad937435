import Type from "typebox";
import { invalidRequest } from "../../errors.ts";
import type { PaymentMode } from "../../resources/orders/payments/open-providers.ts";
import { type PortalRoute, portalRoute, publicPortalRoute } from "../route.ts";
import type { Accounts } from "./accounts.ts";
import { maxPasswordLength, minPasswordLength } from "./password-length.ts";
import { sessionEnd } from "./sessions.ts";

export interface AuthRouteParts {
  accounts: Accounts;
  /** The address of the API, `https://host/v1`. */
  baseUrl: string;
  /** The certificate of the authority that clients have to trust, as callers name it; null if systems trust it already. */
  caFile: string | null;
  /** Where new orders are charged. */
  payments: PaymentMode;
  /** Whose account anybody may use with one click; null outside demo mode. */
  demoEmail: string | null;
  /** Mails are files in the server's data folder, since it has no mail server. */
  mailsAreFiles: boolean;
}

const tag = "Account";

const Session = Type.Object(
  {
    account: Type.Union([
      Type.Object(
        {
          user_id: Type.Integer(),
          name: Type.String(),
          email: Type.String(),
          session_ends_at: Type.String({
            format: "date-time",
            description: "When the session ends at the latest; earlier after seven days without use.",
          }),
          is_demo: Type.Boolean({ description: "Shared by everyone who tries the demo; it has no password." }),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
    base_url: Type.String({ description: "The address of the API." }),
    ca_file: Type.Union([Type.String(), Type.Null()], {
      description: "The certificate of the authority that programs have to trust; null if systems trust it already.",
    }),
    payments: Type.Enum(["sandbox", "test", "live"], {
      description: "Where new orders are charged: the sandbox, Stripe in test mode, or live, where money moves.",
    }),
    offers_demo: Type.Boolean({ description: "Whether anybody may sign in as the demo account." }),
    mails_are_files: Type.Boolean({
      description: "This server has no mail server, and writes mails into DATA_DIR/mail.",
    }),
  },
  { $id: "Session", additionalProperties: false },
);

const email = Type.String({ minLength: 1, maxLength: 254, description: "An e-mail address, in any case." });
const password = Type.String({ minLength: 1, maxLength: maxPasswordLength, "x-verbatim": true });
const newPassword = Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength, "x-verbatim": true });
const token = Type.String({ minLength: 1, maxLength: 100, description: "What stands behind # in the mailed link." });
const noContent = { status: 204, response: Type.Void() } as const;

/** Registration, sign-in and passwords. */
export function authRoutes({
  accounts,
  baseUrl,
  caFile,
  payments,
  demoEmail,
  mailsAreFiles,
}: AuthRouteParts): PortalRoute[] {
  return [
    publicPortalRoute({
      operationId: "getSession",
      method: "GET",
      path: "/session",
      tag,
      summary: "Who is signed in, and what this server offers",
      response: Session,
      handle: async ({ account }) => ({
        account: account && {
          user_id: account.userId,
          name: account.name,
          email: account.email,
          session_ends_at: sessionEnd(account.signedInAt).toISOString(),
          is_demo: account.email === demoEmail,
        },
        base_url: baseUrl,
        ca_file: caFile,
        payments,
        offers_demo: demoEmail !== null,
        mails_are_files: mailsAreFiles,
      }),
    }),
    publicPortalRoute({
      operationId: "register",
      method: "POST",
      path: "/auth/register",
      tag,
      summary: "Ask for an account; a mailed link confirms it",
      body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), email, password: newPassword }),
      status: 202,
      response: Type.Object({}, { additionalProperties: false }),
      refusals: [429],
      handle: async ({ body, ...client }) => {
        await accounts.register({ ...body, email: readEmail(body.email) }, client);
        return {};
      },
    }),
    publicPortalRoute({
      operationId: "confirmRegistration",
      method: "POST",
      path: "/auth/confirm",
      tag,
      summary: "Confirm a registration by its link and password, and sign in",
      body: Type.Object({ token, password }),
      ...noContent,
      refusals: [401, 429],
      handle: async ({ body, setCookies, ...client }) =>
        setCookies(await accounts.confirm(body.token, body.password, client)),
    }),
    publicPortalRoute({
      operationId: "signIn",
      method: "POST",
      path: "/auth/sign-in",
      tag,
      summary: "Sign in",
      body: Type.Object({ email, password }),
      ...noContent,
      refusals: [401, 429],
      handle: async ({ body, setCookies, ...client }) =>
        setCookies(await accounts.signIn(readEmail(body.email), body.password, client)),
    }),
    ...(demoEmail === null
      ? []
      : [
          publicPortalRoute({
            operationId: "signInAsDemo",
            method: "POST",
            path: "/auth/demo",
            tag,
            summary: "Sign in as the demo account, in demo mode",
            ...noContent,
            refusals: [404, 429],
            handle: async ({ setCookies, ...client }) => setCookies(await accounts.signInAsDemo(demoEmail, client)),
          }),
        ]),
    portalRoute({
      operationId: "signOut",
      method: "POST",
      path: "/auth/sign-out",
      tag,
      summary: "End the session",
      ...noContent,
      handle: async ({ account, setCookies, ...client }) => setCookies(await accounts.signOut(account, client)),
    }),
    portalRoute({
      operationId: "changePassword",
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
      summary: "Ask for a mailed link to choose a new password",
      body: Type.Object({ email }),
      status: 202,
      response: Type.Object({}, { additionalProperties: false }),
      refusals: [429],
      handle: async ({ body, ...client }) => {
        await accounts.requestReset(readEmail(body.email), client);
        return {};
      },
    }),
    publicPortalRoute({
      operationId: "resetPassword",
      method: "POST",
      path: "/auth/reset",
      tag,
      summary: "Choose a new password by a mailed link, and sign in",
      body: Type.Object({ token, password: newPassword }),
      ...noContent,
      refusals: [429],
      handle: async ({ body, setCookies, ...client }) =>
        setCookies(await accounts.reset(body.token, body.password, client)),
    }),
  ];
}

const emailPattern = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** Lower-cases an address. 400 if it is no mail address. */
function readEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (!emailPattern.test(address))
    throw invalidRequest("The email field must be an e-mail address such as name@example.com.", "email");
  return address;
}
