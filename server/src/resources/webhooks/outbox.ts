import type { EventRules } from "@beatmarket/webhooks/event-rules.ts";
import { type NewEvent as EventOf, emitEvents as emit } from "@beatmarket/webhooks/events/outbox.ts";
import { sql } from "kysely";
import { randomBytes } from "../../access/random-source.ts";
import { type ApiVersion, firstVersion, newestVersion, versionOf } from "../../access/versions.ts";
import type { Queryable } from "../../database/connect.ts";
import { type EventType, eventTypes, marketplaceTypes } from "./event-types.ts";

/** The body of an event in the newest version. */
export interface EventBody {
  id: string;
  /** In ISO 8601, with whole seconds. */
  created_at: string;
  type: string;
  data: object;
}

/**
 * The content of `events.payload`. It always has the format of the first version, so that older releases can send it.
 */
interface StoredEvent extends Omit<EventBody, "created_at"> {
  /** In Unix seconds. */
  created: number;
}

/** Converts a stored event to the newest version. */
export function newestEvent(payload: string): EventBody {
  const { id, created, ...rest } = JSON.parse(payload) as StoredEvent;
  return { id, created_at: `${new Date(created * 1_000).toISOString().slice(0, -5)}Z`, ...rest };
}

/** Returns the API version with this date, or the first version if it no longer exists. */
export const eventVersion = (date: string): ApiVersion => versionOf(date) ?? firstVersion;

/**
 * Returns the body of an event as JSON, in the version with this date. For the first version, returns the stored bytes.
 */
export function eventJson(payload: string, date: string): string {
  const { date: versionDate, reshapeEvent } = eventVersion(date);
  if (versionDate === firstVersion.date) return payload;
  const newest = newestEvent(payload);
  return JSON.stringify(versionDate === newestVersion.date ? newest : reshapeEvent?.(newest));
}

/** The rules in docs/api/events.md. */
export const eventRules: EventRules = {
  types: eventTypes,
  userAgent: "BeatMarketplace-Webhooks/1.0",
  randomBytes: (count) => randomBytes(count, "event"),
  bodyOf: eventJson,
  headersOf: (version) => ({ "Beat-Version": eventVersion(version).date }),
  alsoReceives: (ownerId, type) => sql`${type} = any(${sql.val(marketplaceTypes)}::text[]) and exists (
    select from users where users.id = ${ownerId} and users.marketplace)`,
};

/** An event to emit. `data` comes from the same presenter as the API's responses. */
export type NewEvent = EventOf<EventType>;

/** Writes events to the outbox, in the transaction of the change, with a delivery for each receiving endpoint. */
export const emitEvents = (transaction: Queryable, events: readonly NewEvent[]): Promise<void> =>
  emit(transaction, events, eventRules);
