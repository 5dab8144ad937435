import { type Insertable, type Selectable, sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { transact } from "../../../database/connection/transaction.ts";
import type { WebhookEndpointsTable } from "../../../database/tables.ts";
import { conflict, invalidRequest, notFound } from "../../../errors.ts";
import type { AuditAuthor } from "../../audit/queries.ts";
import { replayDeliveries } from "../debugging/replay.ts";
import { deleteDeliveries, skipPending } from "../delivery/bulk-changes.ts";
import { newSecret } from "../delivery/signature.ts";
import { type EventType, eventTypes } from "../events/event-types.ts";
import { parseEndpointUrl } from "./address/endpoint-url.ts";
import { authorOf, recordEndpoint } from "./audit.ts";
import { type Actor, type Endpoint, endpointOf, type Reader } from "./endpoint.ts";
import type { SecretBox } from "./secret-box.ts";

/** What endpoints need beside the database. */
export interface EndpointTerms {
  secrets: SecretBox;
  /** Whether http, any port and addresses of private networks are allowed (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
  now: Date;
}

export interface EndpointRequest {
  userId: number;
  url: string;
  /** Null: every type, those to come included. */
  eventTypes: readonly EventType[] | null;
  description?: string;
  isOrdered?: boolean;
}

export const maxEndpoints = 20;
const maxDescriptionLength = 200;
const dayMs = 86_400_000;
export const defaultOverlapMs = dayMs;
const maxOverlapMs = 30 * dayMs;

/**
 * Makes an endpoint and its secret, which signs every delivery. 400 for an address that is not taken and for an empty
 * list of event types, 404 without such a user, 409 when the account has 20 endpoints.
 */
export async function createEndpoint(
  db: Queryable,
  request: EndpointRequest,
  terms: EndpointTerms,
  author: AuditAuthor,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSecret();
  const row = {
    user_id: request.userId,
    ...checkedAddress(request, terms),
    ...checkedSubject(request),
    ordered: request.isOrdered ?? false,
    secret: terms.secrets.seal(secret),
    created_at: terms.now,
  };
  const endpoint = await transact(db, async (transaction) => {
    await lockOwner(transaction, request.userId);
    const { count } = await transaction
      .selectFrom("webhook_endpoints")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("user_id", "=", request.userId)
      .where("kind", "=", "http")
      .executeTakeFirstOrThrow();
    if (count >= maxEndpoints)
      throw conflict(`The account has ${count} webhook endpoints, the most it may have. Delete one first.`);
    return recordEndpoint(transaction, "created", await insertEndpoint(transaction, row), author, terms.now);
  });
  return { endpoint, secret };
}

/** Under the limit of twenty, or apart from it. */
export const insertEndpoint = async (db: Queryable, row: Insertable<WebhookEndpointsTable>): Promise<Endpoint> =>
  endpointOf(await db.insertInto("webhook_endpoints").values(row).returningAll().executeTakeFirstOrThrow());

/** The actor's endpoints, oldest first. */
export async function listEndpoints(db: Queryable, actor: Reader): Promise<Endpoint[]> {
  let query = db.selectFrom("webhook_endpoints").selectAll().where("kind", "<>", "listen").orderBy("id");
  if (actor !== "operator") query = query.where("user_id", "=", actor.ownerId);
  return (await query.execute()).map(endpointOf);
}

/** 404 where the actor has no such endpoint. */
export const findEndpoint = async (db: Queryable, id: number, actor: Reader): Promise<Endpoint> =>
  endpointOf(await selectEndpoint(db, id, actor));

/** Changes the address, the event types or the description; what is absent stays. What is queued goes to the new address. */
export async function updateEndpoint(
  db: Queryable,
  id: number,
  actor: Actor,
  change: Partial<Pick<EndpointRequest, "url" | "eventTypes" | "description">>,
  terms: Pick<EndpointTerms, "allowPrivate" | "now">,
): Promise<Endpoint> {
  return transact(db, async (transaction) => {
    const { kind, url, eventTypes: types, description } = endpointOf(await selectEndpoint(transaction, id, actor));
    const request = { url, eventTypes: types, description, ...change };
    if (kind === "inbox" && request.url !== "")
      throw invalidRequest("An inbox receives within this service; it has no url.", "url");
    const changed = await update(transaction, id, {
      ...(kind !== "inbox" && checkedAddress(request, terms)),
      ...checkedSubject(request),
    });
    return recordEndpoint(transaction, "updated", changed, authorOf(actor), terms.now);
  });
}

/**
 * Stops deliveries: what is queued, and what happens from now on, is kept as skipped. The account gets a mail when the
 * operator does it. Disabling again changes nothing.
 */
export async function disableEndpoint(
  db: Queryable,
  id: number,
  actor: Actor,
  { reason, now }: { reason: string; now: Date },
): Promise<Endpoint> {
  const endpoint = await transact(db, async (transaction) => {
    const row = await selectEndpoint(transaction, id, actor);
    if (row.state === "disabled") return endpointOf(row);
    const disabled = await update(transaction, id, {
      state: "disabled",
      disabled_at: now,
      disabled_reason: reason,
      mail_due: actor === "operator" ? "disabled" : null,
    });
    return recordEndpoint(transaction, "disabled", disabled, authorOf(actor), now);
  });
  await skipPending(db, id);
  return endpoint;
}

/**
 * Starts deliveries again, with a clean slate; with `replay`, what was skipped meanwhile is delivered too. Answers how
 * many deliveries that is.
 */
export async function enableEndpoint(
  db: Queryable,
  id: number,
  actor: Actor,
  { replay, now }: { replay: boolean; now: Date },
): Promise<{ endpoint: Endpoint; replayed: number }> {
  const endpoint = await transact(db, async (transaction) => {
    await selectEndpoint(transaction, id, actor);
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
    return recordEndpoint(transaction, "enabled", enabled, authorOf(actor), now);
  });
  const replayed = replay ? await replayDeliveries(db, endpoint, { states: ["skipped"] }, actor, now) : 0;
  return { endpoint, replayed };
}

/** Deletes an endpoint, its deliveries and their attempts. */
export async function deleteEndpoint(db: Queryable, id: number, actor: Actor, now: Date): Promise<void> {
  await transact(db, async (transaction) => {
    const endpoint = endpointOf(await selectEndpoint(transaction, id, actor));
    await recordEndpoint(transaction, "deleted", endpoint, authorOf(actor), now);
    await transaction.deleteFrom("webhook_endpoints").where("id", "=", id).execute();
  });
  await deleteDeliveries(db, sql`endpoint_id = ${id}`);
}

/**
 * Replaces the secret. The one before signs too for `overlapMs` more (at most 30 days), so that receivers can change
 * over; an older one stops at once.
 */
export async function rotateSecret(
  db: Queryable,
  id: number,
  actor: Actor,
  overlapMs: number,
  { secrets, now }: Pick<EndpointTerms, "secrets" | "now">,
): Promise<{ endpoint: Endpoint; secret: string }> {
  if (!(overlapMs >= 0 && overlapMs <= maxOverlapMs))
    throw invalidRequest("The overlap of the old and the new secret may be from 0 to 30 days.", "overlap");
  const secret = newSecret();
  const endpoint = await transact(db, async (transaction) => {
    const { secret: previous } = await selectEndpoint(transaction, id, actor);
    const rotated = await update(transaction, id, {
      secret: secrets.seal(secret),
      previous_secret: overlapMs === 0 ? null : previous,
      previous_secret_until: overlapMs === 0 ? null : new Date(now.getTime() + overlapMs),
    });
    return recordEndpoint(transaction, "secret_rotated", rotated, authorOf(actor), now);
  });
  return { endpoint, secret };
}

/** The secrets that sign at this moment, the present one first; for use within the service. */
export const secretsOf = async (
  db: Queryable,
  id: number,
  actor: Reader,
  { secrets, now }: Pick<EndpointTerms, "secrets" | "now">,
): Promise<Secrets> => openSecrets(await selectEndpoint(db, id, actor), secrets, now);

/** The same for a person to see, which the audit log keeps. */
export async function revealSecrets(
  db: Queryable,
  id: number,
  actor: Actor,
  { secrets, now }: Pick<EndpointTerms, "secrets" | "now">,
): Promise<{ endpoint: Endpoint; secrets: Secrets }> {
  return transact(db, async (transaction) => {
    const row = await selectEndpoint(transaction, id, actor);
    const endpoint = await recordEndpoint(transaction, "secret_revealed", endpointOf(row), authorOf(actor), now);
    return { endpoint, secrets: openSecrets(row, secrets, now) };
  });
}

/** Those that sign, the present one first. */
export type Secrets = readonly [current: string, previous?: string];

type SealedSecrets = Pick<Selectable<WebhookEndpointsTable>, "secret" | "previous_secret" | "previous_secret_until">;

/** Opens what is sealed; a previous secret that has ended signs no more. */
export function openSecrets(row: SealedSecrets, box: SecretBox, now: Date): Secrets {
  const { secret, previous_secret: previous, previous_secret_until: until } = row;
  return previous !== null && until !== null && until > now
    ? [box.open(secret), box.open(previous)]
    : [box.open(secret)];
}

/** Locks the endpoint when in a transaction. One of somebody else does not exist for its actor. */
async function selectEndpoint(db: Queryable, id: number, actor: Reader): Promise<Selectable<WebhookEndpointsTable>> {
  const row = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("id", "=", id)
    .$if(db.isTransaction, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (row === undefined || (actor !== "operator" && row.user_id !== actor.ownerId))
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

/** Makes one owner's changes wait for each other, so that counting their endpoints and adding one cannot be overtaken. */
export async function lockOwner(transaction: Queryable, userId: number): Promise<void> {
  const owner = await transaction
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (owner === undefined) throw notFound(`There is no user ${userId}.`);
}

const checkedAddress = (
  { url }: Pick<EndpointRequest, "url">,
  { allowPrivate }: Pick<EndpointTerms, "allowPrivate">,
): { url: string } => ({ url: parseEndpointUrl(url, { allowPrivate }).href });

function checkedSubject({
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
