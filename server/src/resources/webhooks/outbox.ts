import type { EventRules } from "@beatmarket/webhooks/event-rules.ts";
import { type NewEvent as EventOf, emitEvents as emit } from "@beatmarket/webhooks/events/outbox.ts";
import { sql } from "kysely";
import { randomBytes } from "../../access/random-source.ts";
import { type ApiVersion, firstVersion, newestVersion, versionOf } from "../../access/versions.ts";
import type { Queryable } from "../../database/connect.ts";
import { type EventType, eventTypes, marketplaceTypes } from "./event-types.ts";

/** The body of an event in the newest shape. */
export interface EventBody {
  id: string;
  /** ISO 8601, whole seconds. */
  created_at: string;
  type: string;
  data: object;
}

/** What `events.payload` has: the shape of the first version, whatever is newest, so that older releases can send it. */
interface StoredEvent extends Omit<EventBody, "created_at"> {
  /** Unix seconds. */
  created: number;
}

/** Reads a stored event. */
export function newestEvent(payload: string): EventBody {
  const { id, created, ...rest } = JSON.parse(payload) as StoredEvent;
  return { id, created_at: `${new Date(created * 1_000).toISOString().slice(0, -5)}Z`, ...rest };
}

/** The version of the events of an endpoint; the first one if its own no longer exists. */
export const eventVersion = (date: string): ApiVersion => versionOf(date) ?? firstVersion;

/** The body of an event in the version with this date, as JSON; in the first version the stored bytes. */
export function eventJson(payload: string, date: string): string {
  const { date: known, reshapeEvent } = eventVersion(date);
  if (known === firstVersion.date) return payload;
  const newest = newestEvent(payload);
  return JSON.stringify(known === newestVersion.date ? newest : reshapeEvent?.(newest));
}

/** The rules of docs/api/events.md. */
export const eventRules: EventRules = {
  types: eventTypes,
  userAgent: "BeatMarketplace-Webhooks/1.0",
  randomBytes: (count) => randomBytes(count, "event"),
  bodyOf: eventJson,
  headersOf: (version) => ({ "Beat-Version": eventVersion(version).date }),
  alsoReceives: (ownerId, type) => sql`${type} = any(${sql.val(marketplaceTypes)}::text[]) and exists (
    select from users where users.id = ${ownerId} and users.marketplace)`,
};

/** An event to emit. `data` is from the same presenter as the API's responses. */
export type NewEvent = EventOf<EventType>;

/** Writes events to the outbox, in the transaction of the change, with a delivery for each receiving endpoint. */
export const emitEvents = (transaction: Queryable, events: readonly NewEvent[]): Promise<void> =>
  emit(transaction, events, eventRules);
