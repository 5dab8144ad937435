import type { EventRules } from "@beatmarket/webhooks/event-rules.ts";
import { type NewEvent as EventOf, emitEvents as emit } from "@beatmarket/webhooks/events/outbox.ts";
import { sql } from "kysely";
import { randomBytes } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import { eventJson, eventVersion } from "./event-body.ts";
import { type EventType, eventTypes, marketplaceTypes } from "./event-types.ts";

/** The rules of docs/api/events.md. */
export const eventRules: EventRules = {
  types: eventTypes,
  userAgent: "BeatMarketplace-Webhooks/1.0",
  randomBytes,
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
