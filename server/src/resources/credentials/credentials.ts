import type { Endpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { keyPermissionsOf, mayDo, type Role } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import { type ApiKey, listKeysOfMaker, revokeKey } from "../api-keys/queries.ts";
import { lockUser } from "../audit/lock-user.ts";
import type { AuditAuthor } from "../audit/queries.ts";
import { endInvitation, type Invitation, listInvitationsOf } from "../organisations/invitations.ts";
import { organisationsOf } from "../organisations/members.ts";
import { disableEndpoint, listEndpointsOfMaker } from "../webhooks/endpoints.ts";

/** The credentials that a person created: they work without a session, and their holder acts as the account. */
export interface Credentials {
  keys: ApiKey[];
  /** Endpoints receive the account's events. */
  endpoints: Endpoint[];
  /** Invitations let other people into an organisation. */
  invitations: Invitation[];
}

/** Who ends credentials, when and why. `reason` is a sentence for the owners of endpoints. */
export interface CredentialsEnd {
  author: AuditAuthor;
  now: Date;
  reason: string;
}

/**
 * A member's credentials in an organisation, as far as the role `role` may not create them. All of them if `role` is
 * null, because the membership ends.
 */
export async function credentialsBeyond(
  db: Queryable,
  { organisationId, personId }: { organisationId: number; personId: number },
  role: Role | null,
  now: Date,
): Promise<Credentials> {
  const filter = { personId, accountId: organisationId };
  const roleMay = (permission: Parameters<typeof mayDo>[1]) => role !== null && mayDo(role, permission);
  const allowedPermissions = new Set(role === null || !roleMay("keys:write") ? [] : keyPermissionsOf(role));
  const keys = await listKeysOfMaker(db, filter, now);
  return {
    keys: keys.filter(({ permissions }) => !permissions.every((permission) => allowedPermissions.has(permission))),
    endpoints: roleMay("webhooks:write") ? [] : await listEndpointsOfMaker(db, filter),
    invitations: roleMay("organisation:manage") ? [] : await listInvitationsOf(db, organisationId, personId),
  };
}

/** The credentials that a person created since a time, in the person's account and in organisations. */
async function credentialsSince(
  db: Queryable,
  personId: number,
  since: Date,
  now: Date,
): Promise<Pick<Credentials, "keys" | "endpoints">> {
  const filter = { personId, since };
  return { keys: await listKeysOfMaker(db, filter, now), endpoints: await listEndpointsOfMaker(db, filter) };
}

/**
 * Ends the credentials that a person created since a time, and returns them. Requires the person's lock, and that all
 * sessions have ended. Locks the organisations, so a concurrent request that creates a credential commits first or
 * fails.
 */
export async function endCredentialsSince(
  transaction: Queryable,
  personId: number,
  since: Date,
  end: CredentialsEnd,
): Promise<Credentials> {
  const organisations = (await organisationsOf(transaction, personId)).map(({ userId }) => userId);
  for (const id of organisations.sort((a, b) => a - b)) await lockUser(transaction, id);
  const credentials = { ...(await credentialsSince(transaction, personId, since, end.now)), invitations: [] };
  await endCredentials(transaction, credentials, end);
  return credentials;
}

/** Ends the credentials of an erased person in organisations. Requires the locks of the organisations. */
export async function endCredentialsElsewhere(transaction: Queryable, personId: number, end: CredentialsEnd) {
  const { keys, endpoints } = await credentialsSince(transaction, personId, new Date(0), end.now);
  const isElsewhere = ({ userId }: { userId: number }) => userId !== personId;
  const inOrganisations = { keys: keys.filter(isElsewhere), endpoints: endpoints.filter(isElsewhere), invitations: [] };
  await endCredentials(transaction, inOrganisations, end);
}

/** Revokes keys and invitations, and disables endpoints. Requires the locks of the accounts. */
export async function endCredentials(
  transaction: Queryable,
  { keys, endpoints, invitations }: Credentials,
  { author, now, reason }: CredentialsEnd,
): Promise<void> {
  for (const { id, userId } of keys) await revokeKey(transaction, id, { ownerId: userId, author }, now);
  for (const { id, userId } of endpoints)
    await disableEndpoint(transaction, id, { ownerId: userId, author }, { reason, now });
  for (const { id } of invitations) await endInvitation(transaction, id, now);
}

/** The names of credentials for a mail, without the names that users gave them: `API key 7 (…x3Qa)`. */
export const credentialNames = ({ keys, endpoints, invitations }: Credentials): string[] => [
  ...keys.map(({ id, endsWith }) => `API key ${id} (…${endsWith})`),
  ...endpoints.map(({ id }) => `webhook endpoint ${id}`),
  ...invitations.map(({ email }) => `the invitation of ${email}`),
];
