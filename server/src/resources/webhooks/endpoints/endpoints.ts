import { conflict, invalidRequest, notFound, OperatorError } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type Insertable, type Selectable, sql } from "kysely";
import { firstVersion } from "../../../access/versions.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { WebhookEndpointsTable } from "../../../database/tables.ts";
import { lockUser } from "../../audit/lock-user.ts";
import { type AuditAuthor, isOperator } from "../../audit/queries.ts";
import type { Place, SecretBox } from "../../secrets/secret-box.ts";
import { deleteDeliveries, skipPending } from "../bulk-changes.ts";
import { type AuditedPrincipal, type Endpoint, type EndpointMaker, endpointOf, type Principal } from "../endpoint.ts";
import { type EventType, eventTypes } from "../events/event-types.ts";
import { replayDeliveries } from "../replay.ts";
import { newSecret } from "../signature.ts";
import { auditEndpoint, authorOf } from "./audit.ts";
import { addressOf, type Destination, destinationColumns, sealedKey } from "./destination.ts";

/** The dependencies of changes to endpoints, apart from the database. */
export interface EndpointContext {
  secrets: SecretBox;
  /** Allows http, every port and private networks (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
  now: Date;
  /** Absent: an operator's command. */
  maker?: EndpointMaker;
}

export interface EndpointRequest extends Destination {
  userId: number;
  /** Null: every type, including future ones. */
  eventTypes: readonly EventType[] | null;
  description?: string;
  /** The date of the API's version in whose shape it gets events; absent: the account's. */
  version?: string | undefined;
}

export const maxEndpoints = 20;
const maxDescriptionLength = 200;
const dayMs = 86_400_000;
export const defaultOverlapMs = dayMs;
const maxOverlapMs = 30 * dayMs;

/**
 * Creates an endpoint and the secret that signs its deliveries. Throws 400 for an invalid url, an empty list of event
 * types and a bucket without its access key, 404 for an unknown user, 409 if the account has 20 endpoints.
 */
export async function createEndpoint(
  db: Queryable,
  request: EndpointRequest,
  context: EndpointContext,
  author: AuditAuthor,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSecret();
  const row = {
    user_id: request.userId,
    ...destinationColumns(request, context),
    ...subscriptionColumns(request),
    ordered: request.isOrdered ?? false,
    ...(request.version !== undefined && { api_version: request.version }),
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
      .where("kind", "in", foreignKinds)
      .executeTakeFirstOrThrow();
    if (count >= maxEndpoints)
      throw conflict(`The account has ${count} webhook endpoints, the most it may have. Delete one first.`);
    const created = await insertEndpoint(transaction, row, secret, context.secrets);
    if (request.bucketKey !== undefined)
      await update(
        transaction,
        created.id,
        await sealedKey(transaction, created.id, request.bucketKey, context.secrets),
      );
    return auditEndpoint(transaction, "created", created, author, context.now);
  });
  return { endpoint, secret };
}

/** The kinds of endpoints outside of this service: an account may have twenty. */
const foreignKinds = ["http", "s3"];

/** Inserts a row without checking the limit of twenty. A row without a version gets that of its account. */
export const insertEndpoint = (
  db: Queryable,
  row: Omit<Insertable<WebhookEndpointsTable>, "secret">,
  secret: string,
  secrets: SecretBox,
): Promise<Endpoint> =>
  transact(db, async (transaction) => {
    // A sealed secret is bound to the id of its row.
    const { id } = await transaction
      .insertInto("webhook_endpoints")
      .values({ api_version: accountVersion(row.user_id), ...row, secret: "" })
      .returning("id")
      .executeTakeFirstOrThrow();
    return update(transaction, id, { secret: await secrets.seal(transaction, currentSecret(id), secret) });
  });

const accountVersion = (userId: number | bigint) =>
  sql<string>`coalesce((select version from account_versions where user_id = ${userId}), ${firstVersion.date})`;

/** The endpoints that the principal may see, oldest first, without forwarding endpoints. */
export async function listEndpoints(db: Queryable, principal: Principal): Promise<Endpoint[]> {
  let query = db.selectFrom("webhook_endpoints").selectAll().where("kind", "<>", "listen").orderBy("id");
  if (!isOperator(principal)) query = query.where("user_id", "=", principal.ownerId);
  return (await query.execute()).map(endpointOf);
}

/** Throws 404 if the principal has no such endpoint. */
export const findEndpoint = async (db: Queryable, id: number, principal: Principal): Promise<Endpoint> =>
  endpointOf(await selectEndpoint(db, id, principal));

/**
 * Changes the url, a bucket's access key, event types, description or version; absent fields stay. Queued deliveries go to
 * the new url. An endpoint keeps its kind.
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
    const request = { url, eventTypes: types, description, ...change };
    if (kind === "inbox" && request.url !== "")
      throw invalidRequest("An inbox receives within this service; it has no url.", "url");
    if (kind !== "s3" && change.bucketKey !== undefined)
      throw invalidRequest("Only a bucket takes an access key.", "s3");
    const address = addressOf(kind, request.url, context);
    const changed = await update(transaction, id, {
      ...(address !== url && {
        url: address,
        url_set_by: context.maker?.personId ?? null,
        url_set_at: context.now,
      }),
      ...subscriptionColumns(request),
      ...(change.bucketKey !== undefined && (await sealedKey(transaction, id, change.bucketKey, context.secrets))),
      ...(change.version !== undefined && { api_version: change.version }),
    });
    return auditEndpoint(transaction, "updated", changed, authorOf(principal), context.now);
  });
}

/**
 * Stops deliveries: queued and future ones are kept as skipped. If the operator disables an endpoint, its owner gets a
 * mail. Idempotent.
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
    const disabled = await update(transaction, id, {
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

/** Resumes deliveries and resets the endpoint's health. With `replay`, also queues the skipped ones and returns their number. */
export async function enableEndpoint(
  db: Queryable,
  id: number,
  principal: AuditedPrincipal,
  { replay, now }: { replay: boolean; now: Date },
): Promise<{ endpoint: Endpoint; replayed: number }> {
  const endpoint = await transact(db, async (transaction) => {
    await selectEndpoint(transaction, id, principal);
    const enabled = await update(transaction, id, {
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
    await transaction.deleteFrom("webhook_endpoints").where("id", "=", id).execute();
  });
  await deleteDeliveries(db, sql`endpoint_id = ${id}`);
}

/**
 * Replaces the secret. The previous one also signs for `overlapMs` (at most 30 days), so that receivers can switch.
 * Throws 409 while the secret before the current one still signs: at most two sign at a time, so it would end too early.
 * `force` ends it.
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
  const secret = newSecret();
  const endpoint = await transact(db, async (transaction) => {
    const { secret: sealed, previous_secret_until: until } = await selectEndpoint(transaction, id, principal);
    if (until !== null && until > now && overlapMs > 0 && !force) throw rotatedAlready(id, until);
    const previous = overlapMs === 0 ? null : openIfPossible(secrets, sealed, currentSecret(id));
    const rotated = await update(transaction, id, {
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

/** Null for a secret whose key is lost. It cannot sign any more, so it need not prevent a new one. */
function openIfPossible(secrets: SecretBox, sealed: string, place: Place): string | null {
  try {
    return secrets.open(sealed, place);
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
}

/** The secrets that sign now, the current one first. Only for use within the service, since nothing is audited. */
export const secretsOf = async (
  db: Queryable,
  id: number,
  principal: Principal,
  { secrets, now }: Pick<EndpointContext, "secrets" | "now">,
): Promise<Secrets> => openSecrets(id, await selectEndpoint(db, id, principal), secrets, now);

/** The secrets that sign now, for display to a person. The audit log records it. */
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

/** The secrets that sign, the current one first. */
export type Secrets = readonly [current: string, previous?: string];

export type SealedSecrets = Pick<
  Selectable<WebhookEndpointsTable>,
  "secret" | "previous_secret" | "previous_secret_until"
>;

/** Unseals the secrets of an endpoint that sign now. */
export function openSecrets(id: number, row: SealedSecrets, box: SecretBox, now: Date): Secrets {
  const { secret, previous_secret: previous, previous_secret_until: until } = row;
  const current = box.open(secret, currentSecret(id));
  return previous !== null && until !== null && until > now
    ? [current, box.open(previous, previousSecret(id))]
    : [current];
}

/** Where the secrets of an endpoint are stored. */
export type EndpointPlace = Place & { id: number };

export const currentSecret = (id: number): EndpointPlace => ({ column: "webhook_endpoints.secret", id });
export const previousSecret = (id: number): EndpointPlace => ({ column: "webhook_endpoints.previous_secret", id });
/** Locks the row if in a transaction. Throws 404 if the principal has no such endpoint. */
async function selectEndpoint(
  db: Queryable,
  id: number,
  principal: Principal,
): Promise<Selectable<WebhookEndpointsTable>> {
  const row = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("id", "=", id)
    .$if(db.isTransaction, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (row === undefined || (!isOperator(principal) && row.user_id !== principal.ownerId))
    throw notFound(`There is no webhook endpoint ${id}.`);
  return row;
}

const update = async (
  db: Queryable,
  id: number,
  change: Partial<Insertable<WebhookEndpointsTable>>,
): Promise<Endpoint> =>
  endpointOf(
    await db.updateTable("webhook_endpoints").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow(),
  );

/** Throws 400 for an empty list of event types and a long description. */
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

/** Deletes the endpoints of a user who is erased. Retention deletes their deliveries. */
export async function deleteEndpointsOf(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("webhook_endpoints").where("user_id", "=", userId).execute();
}

/**
 * The enabled endpoints that a person made, or whose present address the person set, oldest first. Optionally only those
 * of one account, or since a time.
 */
export async function listEndpointsOfMaker(
  db: Queryable,
  { personId, accountId, since = new Date(0) }: { personId: number; accountId?: number; since?: Date },
): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("kind", "in", foreignKinds)
    .where("state", "=", "enabled")
    .where(
      sql<boolean>`(created_by = ${personId} and created_at >= ${since} or url_set_by = ${personId} and url_set_at >= ${since})`,
    )
    .$if(accountId !== undefined, (query) => query.where("user_id", "=", accountId as number))
    .orderBy("id")
    .execute();
  return rows.map(endpointOf);
}
