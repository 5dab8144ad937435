import Type from "typebox";
import type { Accounts } from "../auth/accounts.ts";
import { bytesField } from "../auth/fields.ts";
import { type PortalRoute, portalRoute, requireOwnAccount } from "../route.ts";

const tag = "Account";
const closed = { additionalProperties: false };
const noContent = { status: 204, response: Type.Void() } as const;
const time = Type.String({ format: "date-time" });
const recoveryCodes = Type.Array(Type.String({ maxLength: 30 }), { minItems: 10, maxItems: 10 });
const passkeyName = Type.String({ minLength: 1, maxLength: 60 });
const passkeyId = Type.Object({ passkey_id: Type.Integer() });

const Security = Type.Object(
  {
    authenticator: Type.Union([
      Type.Object({ added_at: time, recovery_codes_left: Type.Integer() }, closed),
      Type.Null(),
    ]),
    passkeys: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          is_synced: Type.Boolean({ description: "Whether the owner's other devices have the passkey, too." }),
          added_at: time,
          last_used_at: Type.Union([time, Type.Null()]),
        },
        closed,
      ),
      { description: "The oldest passkey comes first." },
    ),
  },
  { $id: "AccountSecurity", ...closed },
);

/** Authenticators and passkeys, the factors of a sign-in besides the password. */
export const securityRoutes = (accounts: Accounts, demoEmail: string | null): PortalRoute[] => [
  portalRoute({
    operationId: "getAccountSecurity",
    permission: "self",
    method: "GET",
    path: "/account/security",
    tag,
    summary: "Get the account's authenticator and passkeys",
    response: Security,
    handle: async ({ account }) => {
      const [authenticator, passkeys] = await Promise.all([
        accounts.authenticators.find(account),
        accounts.passkeys.list(account),
      ]);
      return {
        authenticator: authenticator && {
          added_at: authenticator.addedAt.toISOString(),
          recovery_codes_left: authenticator.recoveryCodesLeft,
        },
        passkeys: passkeys.map(({ id, name, isSynced, addedAt, lastUsedAt }) => ({
          id,
          name,
          is_synced: isSynced,
          added_at: addedAt.toISOString(),
          last_used_at: lastUsedAt?.toISOString() ?? null,
        })),
      };
    },
  }),
  portalRoute({
    operationId: "proposeAuthenticator",
    permission: "self",
    method: "POST",
    path: "/account/authenticator/proposals",
    tag,
    summary: "Propose an authenticator and recovery codes; addAuthenticator stores them",
    response: Type.Object(
      {
        secret: Type.String({ description: "The secret in Base32, for apps that cannot scan the QR code." }),
        uri: Type.String({ description: "The address that the QR code contains." }),
        qr: Type.Object(
          { size: Type.Integer({ description: "The width and the height of the image." }), path: Type.String() },
          { ...closed, description: "The dark squares of the QR code, as the path of an SVG image." },
        ),
        recovery_codes: recoveryCodes,
        proof: Type.String({ description: "A signature that addAuthenticator needs, valid for an hour." }),
      },
      { $id: "ProposedAuthenticator", ...closed },
    ),
    refusals: [409],
    needsStepUp: true,
    handle: async ({ account }) => {
      requireOwnAccount(account, demoEmail);
      const { recoveryCodes, ...proposed } = await accounts.authenticators.propose(account);
      return { ...proposed, recovery_codes: recoveryCodes };
    },
  }),
  portalRoute({
    operationId: "addAuthenticator",
    permission: "self",
    method: "POST",
    path: "/account/authenticator",
    tag,
    summary: "Add the proposed authenticator by a code that its app shows",
    body: Type.Object({
      secret: Type.String({ minLength: 1, maxLength: 64 }),
      recovery_codes: recoveryCodes,
      proof: Type.String({ minLength: 1, maxLength: 100 }),
      code: Type.String({ minLength: 1, maxLength: 20 }),
    }),
    ...noContent,
    refusals: [409, 429],
    needsStepUp: true,
    handle: async ({ account, body, ...client }) => {
      requireOwnAccount(account, demoEmail);
      const { secret, proof, recovery_codes, code } = body;
      await accounts.authenticators.confirm(account, { secret, proof, recoveryCodes: recovery_codes }, code, client);
    },
  }),
  portalRoute({
    operationId: "removeAuthenticator",
    permission: "self",
    method: "DELETE",
    path: "/account/authenticator",
    tag,
    summary: "Remove the authenticator and its recovery codes",
    ...noContent,
    refusals: [404],
    needsStepUp: true,
    handle: ({ account, ...client }) => accounts.authenticators.remove(account, client),
  }),
  portalRoute({
    operationId: "replaceRecoveryCodes",
    permission: "self",
    method: "POST",
    path: "/account/authenticator/recovery-codes",
    tag,
    summary: "Replace the recovery codes by new ones",
    response: Type.Object({ recovery_codes: recoveryCodes }, closed),
    refusals: [404],
    needsStepUp: true,
    handle: async ({ account, ...client }) => ({
      recovery_codes: await accounts.authenticators.renewRecoveryCodes(account, client),
    }),
  }),
  portalRoute({
    operationId: "offerPasskey",
    permission: "self",
    method: "POST",
    path: "/account/passkeys/offers",
    tag,
    summary: "Get what a browser needs to create a passkey, valid for ten minutes",
    response: Type.Object(
      {
        challenge: Type.String(),
        rp_id: Type.String({ description: "The host that the passkey is for." }),
        user_handle: Type.String(),
        exclude: Type.Array(Type.String(), { description: "The credentials that the account has already." }),
      },
      { $id: "PasskeyOffer", ...closed },
    ),
    refusals: [409],
    needsStepUp: true,
    handle: async ({ account, ...client }) => {
      requireOwnAccount(account, demoEmail);
      const { challenge, rpId, userHandle, exclude } = await accounts.passkeys.offer(account, client);
      return { challenge, rp_id: rpId, user_handle: userHandle, exclude };
    },
  }),
  portalRoute({
    operationId: "addPasskey",
    permission: "self",
    method: "POST",
    path: "/account/passkeys",
    tag,
    summary: "Add the passkey that a browser created",
    body: Type.Object({
      name: passkeyName,
      credential: bytesField(1_400),
      client_data: bytesField(4_000),
      attestation: bytesField(16_000),
      transports: Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 }),
    }),
    ...noContent,
    refusals: [409],
    needsStepUp: true,
    handle: async ({ account, body: { name, ...credential }, ...client }) => {
      requireOwnAccount(account, demoEmail);
      await accounts.passkeys.add(account, name, credential, client);
    },
  }),
  portalRoute({
    operationId: "renamePasskey",
    permission: "self",
    method: "PATCH",
    path: "/account/passkeys/:passkey_id",
    tag,
    summary: "Rename a passkey",
    params: passkeyId,
    body: Type.Object({ name: passkeyName }),
    ...noContent,
    handle: ({ account, params, body }) => accounts.passkeys.rename(account, params.passkey_id, body.name),
  }),
  portalRoute({
    operationId: "removePasskey",
    permission: "self",
    method: "DELETE",
    path: "/account/passkeys/:passkey_id",
    tag,
    summary: "Remove a passkey",
    params: passkeyId,
    ...noContent,
    needsStepUp: true,
    handle: ({ account, params, ...client }) => accounts.passkeys.remove(account, params.passkey_id, client),
  }),
];
