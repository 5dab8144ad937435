import { type Endpoint, requireEnabled } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { emitTestEvent } from "@beatmarket/webhooks/events/outbox.ts";
import type { Queryable } from "../../database/connect.ts";
import type { EventType } from "./event-types.ts";
import { eventRules } from "./outbox.ts";

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
 * Queues an event for one endpoint, regardless of its subscriptions: an example whose beat and accounts do not exist.
 * Returns the delivery's id. Throws 409 for a disabled endpoint.
 */
export async function sendTestEvent(
  db: Queryable,
  endpoint: Pick<Endpoint, "id" | "state" | "isOrdered">,
  event: { type: EventType; data: object; at: Date },
): Promise<number> {
  requireEnabled(endpoint);
  return emitTestEvent(db, endpoint, { ...event, data: invented(event.data) }, eventRules);
}
