import { conflict } from "@beatmarket/foundation/errors.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { WebhookEndpointsTable } from "../../database/tables.ts";
import { type AuditAuthor, isOperator, type Operator } from "../audit/queries.ts";
import { type EventType, isEventType } from "./events/event-types.ts";
import type { Health } from "./health.ts";

/**
 * Where deliveries go: to a url, to the inbox within this service, through a `webhooks listen` process, or in batches to
 * a bucket.
 */
export type EndpointKind = "http" | "inbox" | "listen" | "s3";

/** A subscription of an account to events, without its secret. */
export interface Endpoint
  extends Pick<
    Health,
    "state" | "disabledAt" | "disabledReason" | "failingSince" | "lastError" | "lastSuccessAt" | "lastFailureAt"
  > {
  id: number;
  userId: number;
  kind: EndpointKind;
  /** Empty for an inbox. The address of a bucket has the form of `parseBucketUrl`. */
  url: string;
  /** Signs the requests to a bucket; null for the other kinds. */
  accessKeyId: string | null;
  /** Null: every type, including future ones. */
  eventTypes: EventType[] | null;
  description: string;
  /** Sends one delivery at a time, in the order of the events. */
  isOrdered: boolean;
  /** The date of the API's version in whose shape it gets events. */
  version: string;
  /** The previous secret also signs until then. */
  previousSecretUntil: Date | null;
  createdAt: Date;
  /** The person who made it; null where an operator's command did. */
  createdBy: number | null;
}

/** A person who makes an endpoint, or changes its address. */
export interface EndpointMaker {
  personId: number;
  /** Throws where the person may no longer do so. Runs under the owner's lock. */
  admit(transaction: Queryable): Promise<void>;
}

/**
 * The caller whose access is checked: a user sees only their own endpoints and gets 404 for others; the operator sees
 * all.
 */
export type Principal = { ownerId: number } | Operator;

/** A principal whose changes the audit log records. */
export type AuditedPrincipal = { ownerId: number; author: AuditAuthor } | Operator;

/** The access check as SQL, for a query that names the table `endpoint`. */
export const isVisibleTo = (principal: Principal): RawBuilder<boolean> =>
  isOperator(principal) ? sql`true` : sql`endpoint.user_id = ${principal.ownerId}`;

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
  eventTypes: row.event_types?.filter(isEventType) ?? null,
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

/** The endpoint's name in the audit log. */
export const auditName = ({ id, kind, url }: Pick<Endpoint, "id" | "kind" | "url">): string =>
  kind === "inbox" ? `Inbox (endpoint ${id})` : `Endpoint ${id} at ${url}`;
