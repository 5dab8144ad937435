import type { Selectable } from "kysely";
import type { WebhookEndpointsTable } from "../../../database/tables.ts";
import type { AuditAuthor } from "../../audit/queries.ts";
import { type EventType, isEventType } from "../events/event-types.ts";

/** How deliveries reach an endpoint: over the network, within this service, or through one `webhooks listen`. */
export type EndpointKind = "http" | "inbox" | "listen";

/** Where an account wants to be told of events: all of it but the secret. */
export interface Endpoint {
  id: number;
  userId: number;
  kind: EndpointKind;
  /** Empty for an inbox. */
  url: string;
  /** Null: every type, those to come included. */
  eventTypes: EventType[] | null;
  description: string;
  /** One delivery at a time, in the order of the events. */
  isOrdered: boolean;
  state: "enabled" | "disabled";
  disabledAt: Date | null;
  /** A sentence; null unless disabled. */
  disabledReason: string | null;
  /** The first failed attempt since the last success. */
  failingSince: Date | null;
  /** Of the last failed attempt, in words. */
  lastError: string | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** Until when the secret before the present one signs too. */
  previousSecretUntil: Date | null;
  createdAt: Date;
}

/** Who looks at endpoints: a user at their own, who sees others' as not existing, or the operator at all. */
export type Reader = { ownerId: number } | "operator";

/** Who changes endpoints, which the account's audit log keeps. */
export type Actor = { ownerId: number; author: AuditAuthor } | "operator";

export const endpointOf = (row: Selectable<WebhookEndpointsTable>): Endpoint => ({
  id: row.id,
  userId: row.user_id,
  kind: kindOf(row.kind),
  url: row.url,
  eventTypes: row.event_types?.filter(isEventType) ?? null,
  description: row.description,
  isOrdered: row.ordered,
  state: row.state === "disabled" ? "disabled" : "enabled",
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  lastError: row.last_error,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
  previousSecretUntil: row.previous_secret_until,
  createdAt: row.created_at,
});

const kindOf = (text: string): EndpointKind => (text === "inbox" || text === "listen" ? text : "http");

/** As people call it, in the audit log. */
export const nameOf = ({ id, kind, url }: Pick<Endpoint, "id" | "kind" | "url">): string =>
  kind === "inbox" ? `Inbox (endpoint ${id})` : `Endpoint ${id} at ${url}`;
