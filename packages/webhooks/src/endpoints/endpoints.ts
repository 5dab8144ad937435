import { conflict, notFound, OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type InsertObject, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import { deleteDeliveries } from "../bulk-changes.ts";
import type { Health } from "../health.ts";
import type { Place, SecretBox } from "../secret-box.ts";
import { tablesOf, type WebhookEndpointsTable, type WebhookTables } from "../tables.ts";

/**
 * Where deliveries go: to a url, to the inbox within this service, through a `webhooks listen` process, or in batches
 * to a bucket.
 */
export type EndpointKind = "http" | "inbox" | "listen" | "s3";

/** A subscription of an owner to events, without its secret. */
export interface Endpoint
  extends Pick<
    Health,
    "state" | "disabledAt" | "disabledReason" | "failingSince" | "lastError" | "lastSuccessAt" | "lastFailureAt"
  > {
  id: number;
  /** The owner. */
  userId: number;
  kind: EndpointKind;
  /** Empty for an inbox. The address of a bucket has the form of `parseBucketUrl`. */
  url: string;
  /** Signs the requests to a bucket; null for the other kinds. */
  accessKeyId: string | null;
  /** Null for every type, including future ones. */
  eventTypes: string[] | null;
  description: string;
  /** Whether the endpoint gets one delivery at a time, in the order of the events. */
  isOrdered: boolean;
  /** The version of the bodies that the endpoint receives (`EventRules.bodyOf`). */
  version: string;
  /** The time until which the previous secret also signs; null if there is no previous secret. */
  previousSecretUntil: Date | null;
  createdAt: Date;
  /** The person who created the endpoint; null if an operator's command did. */
  createdBy: number | null;
}

/**
 * The caller whose access is checked. An owner sees only their own endpoints and gets 404 for others; an operator sees
 * all endpoints.
 */
export type Principal = { ownerId: number } | "operator" | { operatorId: number };

/** The owner to whose endpoints a principal is limited; null for an operator. */
const ownerOf = (principal: Principal): number | null =>
  typeof principal === "object" && "ownerId" in principal ? principal.ownerId : null;

/** The access check as SQL, for a query that names the table `endpoint`. */
export function isVisibleTo(principal: Principal): RawBuilder<boolean> {
  const ownerId = ownerOf(principal);
  return ownerId === null ? sql`true` : sql`endpoint.user_id = ${ownerId}`;
}

/** Throws 409 for a disabled endpoint. */
export function requireEnabled({ id, state }: { id: number; state: string }): void {
  if (state !== "enabled") throw conflict(`Webhook endpoint ${id} is disabled; enable it first.`);
}

export const endpointOf = (row: Selectable<WebhookEndpointsTable>): Endpoint => ({
  id: row.id,
  userId: row.user_id,
  kind: kindOf(row.kind),
  url: row.url,
  accessKeyId: row.access_key_id,
  eventTypes: row.event_types,
  description: row.description,
  isOrdered: row.ordered,
  version: row.api_version,
  state: row.state === "disabled" ? "disabled" : "enabled",
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  lastError: row.last_error,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
  previousSecretUntil: row.previous_secret_until,
  createdAt: row.created_at,
  createdBy: row.created_by,
});

const kindOf = (text: string): EndpointKind => (text === "inbox" || text === "listen" || text === "s3" ? text : "http");

/** Inserts an endpoint and seals its secret. */
export const insertEndpoint = (
  db: Queryable,
  row: Omit<InsertObject<WebhookTables, "webhook_endpoints">, "secret">,
  secret: string,
  secrets: SecretBox,
): Promise<Endpoint> =>
  transact(db, async (transaction) => {
    // A sealed secret is bound to the id of its row.
    const { id } = await tablesOf(transaction)
      .insertInto("webhook_endpoints")
      .values({ ...row, secret: "" })
      .returning("id")
      .executeTakeFirstOrThrow();
    return changeEndpoint(transaction, id, { secret: await secrets.seal(transaction, currentSecret(id), secret) });
  });

/** The endpoints that the principal may see, oldest first, without forwarding endpoints. */
export async function listEndpoints(db: Queryable, principal: Principal): Promise<Endpoint[]> {
  let query = tablesOf(db).selectFrom("webhook_endpoints").selectAll().where("kind", "<>", "listen").orderBy("id");
  const ownerId = ownerOf(principal);
  if (ownerId !== null) query = query.where("user_id", "=", ownerId);
  return (await query.execute()).map(endpointOf);
}

/** Throws 404 if the principal has no such endpoint. */
export const findEndpoint = async (db: Queryable, id: number, principal: Principal): Promise<Endpoint> =>
  endpointOf(await selectEndpoint(db, id, principal));

/** Locks the row if in a transaction. Throws 404 if the principal has no such endpoint. */
export async function selectEndpoint(
  db: Queryable,
  id: number,
  principal: Principal,
): Promise<Selectable<WebhookEndpointsTable>> {
  const row = await tablesOf(db)
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("id", "=", id)
    .$if(db.isTransaction, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  const ownerId = ownerOf(principal);
  if (row === undefined || (ownerId !== null && row.user_id !== ownerId))
    throw notFound(`There is no webhook endpoint ${id}.`);
  return row;
}

export const changeEndpoint = async (
  db: Queryable,
  id: number,
  change: Updateable<WebhookEndpointsTable>,
): Promise<Endpoint> =>
  endpointOf(
    await tablesOf(db)
      .updateTable("webhook_endpoints")
      .set(change)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

/** Deletes an endpoint, but not its deliveries (`deleteDeliveries`). */
export const deleteEndpointRow = (db: Queryable, id: number): Promise<unknown> =>
  tablesOf(db).deleteFrom("webhook_endpoints").where("id", "=", id).execute();

/** Deletes the endpoints of an erased owner. Retention deletes the deliveries. */
export async function deleteEndpointsOf(transaction: Queryable, ownerId: number): Promise<void> {
  await tablesOf(transaction).deleteFrom("webhook_endpoints").where("user_id", "=", ownerId).execute();
}

/**
 * Records a heartbeat of the process that forwards an endpoint's deliveries. The process must call this every few
 * seconds. Throws an OperatorError if the endpoint was deleted because heartbeats were missing.
 */
export async function recordHeartbeat(db: Queryable, id: number, now: Date): Promise<void> {
  const { numUpdatedRows } = await tablesOf(db)
    .updateTable("webhook_endpoints")
    .set({ listener_seen_at: now })
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    throw new OperatorError("The connection to the database was lost for too long. Start listening again.");
}

/** Deletes a forwarding endpoint and its deliveries. */
export async function deleteForwardingEndpoint(db: Queryable, id: number): Promise<void> {
  await tablesOf(db).deleteFrom("webhook_endpoints").where("id", "=", id).where("kind", "=", "listen").execute();
  await deleteDeliveries(db, sql`endpoint_id = ${id}`);
}

/** The secrets that sign at a time, the current one first. */
export type Secrets = readonly [current: string, previous?: string];

/** The secrets that sign now. Only for use within the service, because no audit entry is written. */
export const secretsOf = async (
  db: Queryable,
  id: number,
  principal: Principal,
  { secrets, now }: { secrets: SecretBox; now: Date },
): Promise<Secrets> => openSecrets(id, await selectEndpoint(db, id, principal), secrets, now);

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
