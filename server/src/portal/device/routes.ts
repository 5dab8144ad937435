import type { Attempts } from "@beatmarket/authentication/attempts.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import { jsonResponse } from "@beatmarket/http/http-response.ts";
import Type, { type Static } from "typebox";
import { permissions } from "../../access/roles.ts";
import {
  approveLogin,
  denyLogin,
  findOpenLogin,
  loginLifetimeSeconds,
  openLogin,
  type PollResult,
  pollIntervalSeconds,
  pollLogin,
} from "../../resources/api-keys/device-logins.ts";
import type { Accounts } from "../auth/accounts.ts";
import { keyMakerOf } from "../maker.ts";
import { type PortalRoute, portalRoute, publicPortalRoute } from "../route.ts";

export interface DeviceRouteParts {
  accounts: Pick<Accounts, "notifyKeyCreated">;
  attempts: Pick<Attempts, "count">;
  /** The secrets from which keys are derived. The first secret is for new keys. */
  keySecrets: () => readonly [current: string, ...previous: string[]];
  /** The origin of the portal, without a trailing slash. */
  publicUrl: string;
}

const tag = "API keys";
const quarterOfAnHour = 900;
const limits = {
  start: { limit: 20, windowSeconds: quarterOfAnHour },
  poll: { limit: 600, windowSeconds: quarterOfAnHour },
  look: { limit: 30, windowSeconds: quarterOfAnHour },
};

const words: Record<Extract<PollResult, { error: string }>["error"], string> = {
  authorization_pending: "The code is not confirmed yet.",
  slow_down: `Wait ${pollIntervalSeconds} seconds between two polls.`,
  access_denied: "The login was refused in the portal.",
  expired_token: "The code has expired, or was used. Start again.",
};

/** Logins of programs without a browser (RFC 8628): a person confirms the code that the program shows. */
export const deviceRoutes = ({ accounts, attempts, keySecrets, publicUrl }: DeviceRouteParts): PortalRoute[] => [
  publicPortalRoute({
    operationId: "startDeviceLogin",
    method: "POST",
    path: "/device/codes",
    tag,
    summary: "Start the login of a program: get a code for the program, and one for the person",
    body: DeviceLoginRequest,
    response: DeviceAuthorization,
    refusals: [429],
    handle: async ({ db, clock, body, author }) => {
      await attempts.count(`device logins from ${clientNetwork(author.clientAddress)}`, limits.start);
      const request = { ...body, clientAddress: author.clientAddress };
      const { deviceCode, userCode } = await openLogin(db, request, new Date(clock.nowMs()));
      const page = `${publicUrl}/portal/device`;
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${userCode}`,
        expires_in: loginLifetimeSeconds,
        interval: pollIntervalSeconds,
      };
    },
  }),
  {
    ...publicPortalRoute({
      operationId: "pollDeviceLogin",
      method: "POST",
      path: "/device/token",
      tag,
      summary: "Get the API key of a login once a person has confirmed it; until then 400 with the reason",
      body: DeviceTokenRequest,
      response: DeviceToken,
      failure: DeviceFailure,
      refusals: [429],
      handle: async ({ db, clock, body, author }) => {
        await attempts.count(`device polls from ${clientNetwork(author.clientAddress)}`, limits.poll);
        const result = await pollLogin(db, body.device_code, keySecrets(), new Date(clock.nowMs()));
        const answer =
          "error" in result
            ? { error: result.error, error_description: words[result.error] }
            : { access_token: result.key, token_type: "Bearer" };
        // `respond` sends a failure with the status 400.
        return answer as Static<typeof DeviceToken>;
      },
    }),
    respond: (value) => jsonResponse(JSON.stringify(value), "error" in (value as object) ? 400 : 200),
  },
  portalRoute({
    operationId: "getDeviceLogin",
    permission: "keys:write",
    method: "GET",
    path: "/device/codes/:user_code",
    tag,
    summary: "Get what the program with this code requests",
    params: UserCode,
    response: DeviceLogin,
    refusals: [429],
    handle: async ({ db, clock, params, account }) => {
      await attempts.count(`device codes of account ${account.personId}`, limits.look);
      const login = await findOpenLogin(db, params.user_code, new Date(clock.nowMs()));
      return {
        user_code: login.userCode,
        name: login.name,
        permissions: [...login.permissions],
        client_address: login.clientAddress,
        expires_at: login.expiresAt.toISOString(),
      };
    },
  }),
  portalRoute({
    operationId: "approveDeviceLogin",
    permission: "keys:write",
    needsStepUp: true,
    method: "POST",
    path: "/device/codes/:user_code/approve",
    tag,
    summary: "Create the API key that a program requests, with the chosen permissions",
    params: UserCode,
    body: DeviceApproval,
    status: 204,
    response: Type.Void(),
    refusals: [409, 429],
    handle: async ({ db, clock, params, body, account, author }) => {
      await attempts.count(`device codes of account ${account.personId}`, limits.look);
      const maker = keyMakerOf(account, "make");
      const { permissions } = body;
      const request = {
        userId: account.userId,
        plan: "standard",
        permissions,
        expiresAt: null,
        author,
        maker,
      } as const;
      await approveLogin(db, params.user_code, request, keySecrets(), new Date(clock.nowMs()));
      accounts.notifyKeyCreated(account, { author });
    },
  }),
  portalRoute({
    operationId: "denyDeviceLogin",
    permission: "keys:write",
    method: "POST",
    path: "/device/codes/:user_code/deny",
    tag,
    summary: "Refuse the API key that a program requests",
    params: UserCode,
    status: 204,
    response: Type.Void(),
    refusals: [429],
    handle: async ({ db, clock, params, account }) => {
      await attempts.count(`device codes of account ${account.personId}`, limits.look);
      await denyLogin(db, params.user_code, new Date(clock.nowMs()));
    },
  }),
];

const closed = { additionalProperties: false };
const Permissions = Type.Array(Type.Enum([...permissions]), { minItems: 1 });

/** The grant type of RFC 8628. */
export const grantType = "urn:ietf:params:oauth:grant-type:device_code";

const UserCode = Type.Object({
  user_code: Type.String({
    minLength: 1,
    maxLength: 20,
    description: "The code that the terminal shows. Upper and lower case are equal, and separators are ignored.",
  }),
});

const DeviceLoginRequest = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "The purpose of the key, such as the name of the machine.",
  }),
  permissions: Permissions,
});

const DeviceAuthorization = Type.Object(
  {
    device_code: Type.String({ description: "The secret with which the program polls." }),
    user_code: Type.String({ description: "The code that the person compares." }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String({ description: "The address of the page with the code filled in." }),
    expires_in: Type.Integer({ description: "The number of seconds until both codes expire." }),
    interval: Type.Integer({ description: "The number of seconds between two polls." }),
  },
  { $id: "DeviceAuthorization", ...closed },
);

const DeviceTokenRequest = Type.Object({
  grant_type: Type.Enum([grantType]),
  device_code: Type.String({ minLength: 1, maxLength: 100 }),
});

const DeviceToken = Type.Object(
  {
    access_token: Type.String({ description: "The API key, which is shown only once." }),
    token_type: Type.Enum(["Bearer"]),
  },
  { $id: "DeviceToken", ...closed },
);

/** An error of the token request (RFC 8628, section 3.5). */
const DeviceFailure = Type.Object(
  {
    error: Type.Enum(["authorization_pending", "slow_down", "access_denied", "expired_token"]),
    error_description: Type.String(),
  },
  {
    $id: "DeviceFailure",
    ...closed,
    description: "There is no key. The error says why, and whether to continue polling.",
  },
);

const DeviceLogin = Type.Object(
  {
    user_code: Type.String(),
    name: Type.String(),
    permissions: Permissions,
    client_address: Type.String({ description: "The address of the program." }),
    expires_at: Type.String({ format: "date-time" }),
  },
  { $id: "DeviceLogin", ...closed },
);

const DeviceApproval = Type.Object({ permissions: Permissions });
