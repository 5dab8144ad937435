import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { conflict } from "../../../errors.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { eventId } from "../events/event-id.ts";
import type { EventType } from "../events/event-types.ts";
import { deliveriesChannel } from "../events/outbox.ts";

/**
 * Sends an event that has not happened to one endpoint, whatever it is subscribed to, on the way that every event goes.
 * Answers the delivery's id. 409 for a disabled endpoint.
 */
export async function sendTestEvent(
  db: Queryable,
  endpoint: Pick<Endpoint, "id" | "state" | "isOrdered">,
  { type, data, at }: { type: EventType; data: object; at: Date },
): Promise<number> {
  if (endpoint.state !== "enabled") throw conflict(`Webhook endpoint ${endpoint.id} is disabled; enable it first.`);
  const id = eventId(at.getTime());
  const payload = JSON.stringify({ id, created: Math.floor(at.getTime() / 1000), type, data });
  // Its audience is empty, so that a replay takes it to nobody else.
  const { rows } = await sql<{ id: number }>`
    with event as (
      insert into events (id, type, created_at, payload, audience) values (${id}, ${type}, ${at}, ${payload}, '{}')
    )
    insert into webhook_deliveries (endpoint_id, event_id, type, state, next_attempt_at, ordered, created_at)
    values (${endpoint.id}, ${id}, ${type}, 'pending', ${at}, ${endpoint.isOrdered}, ${at})
    returning id, pg_notify(${deliveriesChannel}, '')`.execute(db);
  return rows[0]?.id ?? 0;
}
