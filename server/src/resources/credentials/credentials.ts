import type { Endpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { keyPermissionsOf, mayDo, type Role } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import { type ApiKey, listKeysOfMaker, revokeKey } from "../api-keys/queries.ts";
import { lockUser } from "../audit/lock-user.ts";
import type { AuditAuthor } from "../audit/queries.ts";
import { endInvitation, type Invitation, listInvitationsOf } from "../organisations/invitations.ts";
import { organisationsOf } from "../organisations/members.ts";
import { disableEndpoint, listEndpointsOfMaker } from "../webhooks/endpoints.ts";

/** What a person made and that works without the person's session. Its holder acts as the account. */
export interface Credentials {
  keys: ApiKey[];
  /** Endpoints receive the account's events. */
  endpoints: Endpoint[];
  /** Invitations let other people into an organisation. */
  invitations: Invitation[];
}

/** Who ends credentials, when, and why. The owner of an endpoint reads the reason, which is a sentence. */
export interface CredentialsEnd {
  author: AuditAuthor;
  now: Date;
  reason: string;
}

/** What a member made in an organisation and may not make in `role`. A role of null is the end of the membership: all of it. */
export async function credentialsBeyond(
  db: Queryable,
  { organisationId, personId }: { organisationId: number; personId: number },
  role: Role | null,
  now: Date,
): Promise<Credentials> {
  const author = { personId, accountId: organisationId };
  const may = (permission: Parameters<typeof mayDo>[1]) => role !== null && mayDo(role, permission);
  const within = new Set(role === null || !may("keys:write") ? [] : keyPermissionsOf(role));
  const keys = await listKeysOfMaker(db, author, now);
  return {
    keys: keys.filter(({ permissions }) => !permissions.every((permission) => within.has(permission))),
    endpoints: may("webhooks:write") ? [] : await listEndpointsOfMaker(db, author),
    invitations: may("organisation:manage") ? [] : await listInvitationsOf(db, organisationId, personId),
  };
}

/** What a person made since a time, in the own account and in organisations. */
async function credentialsSince(
  db: Queryable,
  personId: number,
  since: Date,
  now: Date,
): Promise<Pick<Credentials, "keys" | "endpoints">> {
  const author = { personId, since };
  return { keys: await listKeysOfMaker(db, author, now), endpoints: await listEndpointsOfMaker(db, author) };
}

/**
 * Ends what a person made since a time, and returns it. Requires the person's lock, and that no session is left. It locks the
 * organisations, so a concurrent request that makes a credential either commits first or fails because its session has ended.
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

/** Ends what a person who is erased made in organisations. Requires their locks. */
export async function endCredentialsElsewhere(transaction: Queryable, personId: number, end: CredentialsEnd) {
  const { keys, endpoints } = await credentialsSince(transaction, personId, new Date(0), end.now);
  const isElsewhere = ({ userId }: { userId: number }) => userId !== personId;
  const inOrganisations = { keys: keys.filter(isElsewhere), endpoints: endpoints.filter(isElsewhere), invitations: [] };
  await endCredentials(transaction, inOrganisations, end);
}

/** Revokes keys and invitations, and disables endpoints: their events are kept as skipped. Requires the accounts' locks. */
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

/** The credentials as a mail names them, without any text that their maker chose: `API key 7 (…x3Qa)`. */
export const credentialNames = ({ keys, endpoints, invitations }: Credentials): string[] => [
  ...keys.map(({ id, endsWith }) => `API key ${id} (…${endsWith})`),
  ...endpoints.map(({ id }) => `webhook endpoint ${id}`),
  ...invitations.map(({ email }) => `the invitation of ${email}`),
];
