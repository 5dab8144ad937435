import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { type Endpoint, requireEnabled } from "../endpoint.ts";
import type { EventType } from "../events/event-types.ts";
import { testEventId } from "../events/event-types.ts";
import { deliveriesChannel, eventPayload } from "../events/outbox.ts";

/** Ids begin with 1, so no beat, order or account has this id. */
const inventedFields: Record<string, unknown> = {
  id: 0,
  beat_id: 0,
  order_id: 0,
  user_id: 0,
  producer_id: 0,
  purchaser_id: 0,
  title: "Test Beat",
  producer_name: "Test Producer",
  username: "test",
  display_name: "Test User",
  audio_url: "https://example.com/test.wav",
  cover_image: "https://example.com/test.svg",
};

/** An upload's id is random, and never this one. */
const inventedUploadId = "upl_0000000000000000000000";

const invented = (data: object): object =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      name === "id" && typeof value === "string" ? inventedUploadId : (inventedFields[name] ?? value),
    ]),
  );

/**
 * Queues an event for one endpoint, regardless of its subscriptions: an example whose beat and accounts do not exist,
 * marked by its id and a header (`unsignedHeaders`). Returns the delivery's id. Throws 409 for a disabled endpoint.
 */
export async function sendTestEvent(
  db: Queryable,
  endpoint: Pick<Endpoint, "id" | "state" | "isOrdered">,
  event: { type: EventType; data: object; at: Date },
): Promise<number> {
  requireEnabled(endpoint);
  const { type, at } = event;
  const id = testEventId(at.getTime());
  // The audience is empty, so that no replay sends the event to another endpoint.
  const { rows } = await sql<{ id: number }>`
    with event as (
      insert into events (id, type, created_at, payload, audience)
      values (${id}, ${type}, ${at}, ${eventPayload(id, { type, data: invented(event.data), at })}, '{}')
    )
    insert into webhook_deliveries (endpoint_id, event_id, type, state, next_attempt_at, ordered, created_at)
    values (${endpoint.id}, ${id}, ${type}, 'pending', ${at}, ${endpoint.isOrdered}, ${at})
    returning id, pg_notify(${deliveriesChannel}, '')`.execute(db);
  return rows[0]?.id ?? 0;
}
