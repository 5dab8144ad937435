import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { type Endpoint, requireEnabled } from "../endpoints/endpoint.ts";
import { eventId } from "../events/event-id.ts";
import type { EventType } from "../events/event-types.ts";
import { deliveriesChannel, eventPayload } from "../events/outbox.ts";

/**
 * Queues an invented event for one endpoint, whatever its subscriptions. Returns the delivery's id. 409 for a disabled
 * endpoint.
 */
export async function sendTestEvent(
  db: Queryable,
  endpoint: Pick<Endpoint, "id" | "state" | "isOrdered">,
  event: { type: EventType; data: object; at: Date },
): Promise<number> {
  requireEnabled(endpoint);
  const { type, at } = event;
  const id = eventId(at.getTime());
  // The audience is empty, so that no replay sends the event to another endpoint.
  const { rows } = await sql<{ id: number }>`
    with event as (
      insert into events (id, type, created_at, payload, audience)
      values (${id}, ${type}, ${at}, ${eventPayload(id, event)}, '{}')
    )
    insert into webhook_deliveries (endpoint_id, event_id, type, state, next_attempt_at, ordered, created_at)
    values (${endpoint.id}, ${id}, ${type}, 'pending', ${at}, ${endpoint.isOrdered}, ${at})
    returning id, pg_notify(${deliveriesChannel}, '')`.execute(db);
  return rows[0]?.id ?? 0;
}
