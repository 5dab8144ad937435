import { conflict, invalidRequest, OperatorError } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Place, SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { deleteDeliveries, skipPending } from "@beatmarket/webhooks/bulk-changes.ts";
import {
  addressOf,
  type Destination,
  destinationColumns,
  sealedKey,
} from "@beatmarket/webhooks/endpoints/destination.ts";
import {
  changeEndpoint,
  currentSecret,
  deleteEndpointRow,
  type Endpoint,
  endpointOf,
  insertEndpoint,
  openSecrets,
  previousSecret,
  type Secrets,
  selectEndpoint,
} from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { maxConcurrency } from "@beatmarket/webhooks/health.ts";
import { newSecret } from "@beatmarket/webhooks/signature.ts";
import { type Insertable, sql } from "kysely";
import { randomBytes } from "../../access/random-source.ts";
import { firstVersion } from "../../access/versions.ts";
import type { Queryable } from "../../database/connect.ts";
import type { WebhookEndpointsTable } from "../../database/tables.ts";
import { lockUser } from "../audit/lock-user.ts";
import { type AuditAuthor, isOperator } from "../audit/queries.ts";
import { type AuditedPrincipal, auditEndpoint, authorOf } from "./audit.ts";
import { eventTypes, isEventType } from "./event-types.ts";
import { replayDeliveries } from "./manual-deliveries.ts";

/** The person who creates an endpoint, or changes its URL. */
export interface EndpointMaker {
  personId: number;
  /** Throws if the person may no longer create or change endpoints of the account. Runs under the owner's lock. */
  admit(transaction: Queryable): Promise<void>;
}

/** The dependencies of changes to endpoints, apart from the database. */
export interface EndpointContext {
  secrets: SecretBox;
  /** Allows http, every port and private networks (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
  now: Date;
  /** Absent for an operator's command. */
  maker?: EndpointMaker;
}

export interface EndpointRequest extends Destination {
  userId: number;
  /** The subscribed event types. Null means every type, including future types. */
  eventTypes: readonly string[] | null;
  description?: string;
  /** The date of the API version of the events. If it is absent, the account's version applies. */
  version?: string | undefined;
}

export const maxEndpoints = 20;
const maxDescriptionLength = 200;
const dayMs = 86_400_000;
export const defaultOverlapMs = dayMs;
const maxOverlapMs = 30 * dayMs;

/**
 * Creates an endpoint and the secret that signs its deliveries. Throws 400 for an invalid url, an empty list of event
 * types, a description that is too long, and a bucket without an access key. Throws 404 for an unknown user, and 409 if
 * the account has 20 endpoints.
 */
export async function createEndpoint(
  db: Queryable,
  request: EndpointRequest,
  context: EndpointContext,
  author: AuditAuthor,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSecret(randomBytes);
  const row = {
    user_id: request.userId,
    ...destinationColumns(request, context),
    ...subscriptionColumns(request),
    ordered: request.isOrdered ?? false,
    api_version: request.version ?? accountVersion(request.userId),
    created_at: context.now,
    created_by: context.maker?.personId ?? null,
  };
  const endpoint = await transact(db, async (transaction) => {
    await lockUser(transaction, request.userId);
    await context.maker?.admit(transaction);
    const { count } = await transaction
      .selectFrom("webhook_endpoints")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("user_id", "=", request.userId)
      .where("kind", "in", externalKinds)
      .executeTakeFirstOrThrow();
    if (count >= maxEndpoints)
      throw conflict(`The account has ${count} webhook endpoints, the most it may have. Delete one first.`);
    const created = await insertEndpoint(transaction, row, secret, context.secrets);
    if (request.bucketKey !== undefined)
      await changeEndpoint(
        transaction,
        created.id,
        await sealedKey(transaction, created.id, request.bucketKey, context.secrets),
      );
    return auditEndpoint(transaction, "created", created, author, context.now);
  });
  return { endpoint, secret };
}

/** The kinds of endpoints outside of this service. An account may have twenty of these endpoints. */
const externalKinds = ["http", "s3"];

const accountVersion = (userId: number | bigint) =>
  sql<string>`coalesce((select version from account_versions where user_id = ${userId}), ${firstVersion.date})`;

/**
 * Creates the account's inbox, an endpoint within this service, so that new users see verified events without their own
 * receiver. The inbox subscribes to every type, and does not count towards a limit. Throws 404 for an unknown user, and
 * 409 if the account has an inbox.
 */
export async function createInbox(
  db: Queryable,
  userId: number,
  { secrets, now }: Pick<EndpointContext, "secrets" | "now">,
  author: AuditAuthor,
): Promise<Endpoint> {
  return transact(db, async (transaction) => {
    await lockUser(transaction, userId);
    const existing = await transaction
      .selectFrom("webhook_endpoints")
      .select("id")
      .where("user_id", "=", userId)
      .where("kind", "=", "inbox")
      .executeTakeFirst();
    if (existing !== undefined) throw conflict(`The account has an inbox already: endpoint ${existing.id}.`);
    const row = { user_id: userId, api_version: accountVersion(userId), kind: "inbox", url: "", created_at: now };
    const inbox = await insertEndpoint(transaction, row, newSecret(randomBytes), secrets);
    return auditEndpoint(transaction, "created", inbox, author, now);
  });
}

/**
 * Creates the temporary endpoint of `webhooks listen`. Only that process claims the endpoint's deliveries (`scope` of
 * `DeliveryWorker`). The endpoint does not count towards a limit, and causes no notice or mail. It is deleted 30 seconds
 * after its last heartbeat.
 */
export const createForwardingEndpoint = (
  db: Queryable,
  { userId, url, eventTypes, secret }: Pick<EndpointRequest, "userId" | "url" | "eventTypes"> & { secret: string },
  { secrets, now }: { secrets: SecretBox; now: Date },
): Promise<Endpoint> =>
  insertEndpoint(
    db,
    {
      user_id: userId,
      api_version: accountVersion(userId),
      url,
      event_types: eventTypes === null ? null : [...eventTypes],
      kind: "listen",
      listener_seen_at: now,
      concurrency: maxConcurrency,
      created_at: now,
    },
    secret,
    secrets,
  );

/**
 * Changes the url, a bucket's access key, event types, description or version. Absent fields stay unchanged. Queued
 * deliveries go to the new url. The kind of an endpoint cannot change.
 */
export async function updateEndpoint(
  db: Queryable,
  id: number,
  principal: AuditedPrincipal,
  change: Partial<Pick<EndpointRequest, "url" | "bucketKey" | "eventTypes" | "description" | "version">>,
  context: EndpointContext,
): Promise<Endpoint> {
  return transact(db, async (transaction) => {
    if (context.maker !== undefined && !isOperator(principal)) {
      await lockUser(transaction, principal.ownerId);
      await context.maker.admit(transaction);
    }
    const { kind, url, eventTypes: types, description } = endpointOf(await selectEndpoint(transaction, id, principal));
    const request = { url, eventTypes: types?.filter(isEventType) ?? null, description, ...change };
    if (kind === "inbox" && request.url !== "")
      throw invalidRequest("An inbox receives within this service; it has no url.", "url");
    if (kind !== "s3" && change.bucketKey !== undefined)
      throw invalidRequest("Only a bucket takes an access key.", "s3");
    const address = addressOf(kind, request.url, context);
    const changedEndpoint = await changeEndpoint(transaction, id, {
      ...(address !== url && {
        url: address,
        url_set_by: context.maker?.personId ?? null,
        url_set_at: context.now,
      }),
      ...subscriptionColumns(request),
      ...(change.bucketKey !== undefined && (await sealedKey(transaction, id, change.bucketKey, context.secrets))),
      ...(change.version !== undefined && { api_version: change.version }),
    });
    return auditEndpoint(transaction, "updated", changedEndpoint, authorOf(principal), context.now);
  });
}

/**
 * Stops deliveries. Queued and future deliveries are stored as skipped. If the operator disables an endpoint, its owner
 * gets a mail. May be called repeatedly.
 */
export async function disableEndpoint(
  db: Queryable,
  id: number,
  principal: AuditedPrincipal,
  { reason, now }: { reason: string; now: Date },
): Promise<Endpoint> {
  const endpoint = await transact(db, async (transaction) => {
    const row = await selectEndpoint(transaction, id, principal);
    if (row.state === "disabled") return endpointOf(row);
    const disabled = await changeEndpoint(transaction, id, {
      state: "disabled",
      disabled_at: now,
      disabled_reason: reason,
      mail_due: isOperator(principal) ? "disabled" : null,
    });
    return auditEndpoint(transaction, "disabled", disabled, authorOf(principal), now);
  });
  await skipPending(db, id);
  return endpoint;
}

/**
 * Resumes deliveries and resets the endpoint's health. With `replay`, also queues skipped deliveries. Returns the
 * endpoint and the number of queued deliveries.
 */
export async function enableEndpoint(
  db: Queryable,
  id: number,
  principal: AuditedPrincipal,
  { replay, now }: { replay: boolean; now: Date },
): Promise<{ endpoint: Endpoint; replayed: number }> {
  const endpoint = await transact(db, async (transaction) => {
    await selectEndpoint(transaction, id, principal);
    const enabled = await changeEndpoint(transaction, id, {
      state: "enabled",
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      consecutive_failures: 0,
      concurrency: 2,
      resume_at: null,
      mail_due: null,
    });
    return auditEndpoint(transaction, "enabled", enabled, authorOf(principal), now);
  });
  const replayed = replay ? await replayDeliveries(db, endpoint, { states: ["skipped"] }, principal, now) : 0;
  return { endpoint, replayed };
}

/** Deletes an endpoint, its deliveries and their attempts. */
export async function deleteEndpoint(db: Queryable, id: number, principal: AuditedPrincipal, now: Date): Promise<void> {
  await transact(db, async (transaction) => {
    const endpoint = endpointOf(await selectEndpoint(transaction, id, principal));
    await auditEndpoint(transaction, "deleted", endpoint, authorOf(principal), now);
    await deleteEndpointRow(transaction, id);
  });
  await deleteDeliveries(db, sql`endpoint_id = ${id}`);
}

/**
 * Replaces the secret. The previous secret also signs for `overlapMs` (at most 30 days), so that receivers can switch.
 * At most two secrets sign at a time. So this function throws 409 while an earlier secret still signs; with `force` or
 * an overlap of 0, the earlier secret ends.
 */
export async function rotateSecret(
  db: Queryable,
  id: number,
  principal: AuditedPrincipal,
  overlapMs: number,
  { secrets, now, force = false }: Pick<EndpointContext, "secrets" | "now"> & { force?: boolean },
): Promise<{ endpoint: Endpoint; secret: string }> {
  if (!(overlapMs >= 0 && overlapMs <= maxOverlapMs))
    throw invalidRequest("The overlap of the old and the new secret may be from 0 to 30 days.", "overlap");
  const secret = newSecret(randomBytes);
  const endpoint = await transact(db, async (transaction) => {
    const { secret: sealed, previous_secret_until: until } = await selectEndpoint(transaction, id, principal);
    if (until !== null && until > now && overlapMs > 0 && !force) throw rotatedAlready(id, until);
    const previous = overlapMs === 0 ? null : openIfPossible(secrets, sealed, currentSecret(id));
    const rotated = await changeEndpoint(transaction, id, {
      secret: await secrets.seal(transaction, currentSecret(id), secret),
      previous_secret: previous && (await secrets.seal(transaction, previousSecret(id), previous)),
      previous_secret_until: previous && new Date(now.getTime() + overlapMs),
    });
    return auditEndpoint(transaction, "secret_rotated", rotated, authorOf(principal), now);
  });
  return { endpoint, secret };
}

const rotatedAlready = (id: number, until: Date) =>
  conflict(
    `The secret of webhook endpoint ${id} was rotated already: its former secret signs until ${until.toISOString()}, which receivers were promised. Rotate after that, or stop it now with force, or with an overlap of 0, which stops both.`,
  );

/**
 * Opens a secret. Returns null for a secret whose key is lost. Such a secret cannot sign and must not prevent a new
 * secret.
 */
function openIfPossible(secrets: SecretBox, sealed: string, place: Place): string | null {
  try {
    return secrets.open(sealed, place);
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
}

/** Returns the secrets that sign now, for display to a person. Records that in the audit log. */
export async function revealSecrets(
  db: Queryable,
  id: number,
  principal: AuditedPrincipal,
  { secrets, now }: Pick<EndpointContext, "secrets" | "now">,
): Promise<{ endpoint: Endpoint; secrets: Secrets }> {
  return transact(db, async (transaction) => {
    const row = await selectEndpoint(transaction, id, principal);
    const endpoint = await auditEndpoint(transaction, "secret_revealed", endpointOf(row), authorOf(principal), now);
    return { endpoint, secrets: openSecrets(id, row, secrets, now) };
  });
}

/** Throws 400 for an empty list of event types, and for a description that is too long. */
function subscriptionColumns({
  eventTypes: types,
  description = "",
}: Pick<EndpointRequest, "eventTypes" | "description">): Pick<
  Insertable<WebhookEndpointsTable>,
  "event_types" | "description"
> {
  if (types !== null && types.length === 0)
    throw invalidRequest(`An endpoint is for at least one event type of ${eventTypes.join(", ")}.`, "events");
  if ([...description].length > maxDescriptionLength)
    throw invalidRequest(
      `The description of an endpoint has at most ${maxDescriptionLength} characters.`,
      "description",
    );
  return {
    event_types: types === null ? null : eventTypes.filter((type) => types.includes(type)),
    description: description.trim(),
  };
}

/**
 * Returns the enabled endpoints that a person created, or whose current URL the person set, oldest first. `accountId`
 * selects the endpoints of one account. `since` selects those that the person created, or whose URL the person set,
 * since then.
 */
export async function listEndpointsOfMaker(
  db: Queryable,
  { personId, accountId, since = new Date(0) }: { personId: number; accountId?: number; since?: Date },
): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("kind", "in", externalKinds)
    .where("state", "=", "enabled")
    .where(
      sql<boolean>`(created_by = ${personId} and created_at >= ${since} or url_set_by = ${personId} and url_set_at >= ${since})`,
    )
    .$if(accountId !== undefined, (query) => query.where("user_id", "=", accountId as number))
    .orderBy("id")
    .execute();
  return rows.map(endpointOf);
}
