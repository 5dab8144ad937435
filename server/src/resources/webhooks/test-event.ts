import { type Endpoint, requireEnabled } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { emitTestEvent } from "@beatmarket/webhooks/events/outbox.ts";
import type { Queryable } from "../../database/connect.ts";
import type { EventType } from "./event-types.ts";
import { eventRules } from "./outbox.ts";

/** The values of a test event. Real ids start at 1, so no beat, order or account has the id 0. */
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

/** No upload has this id, because ids of uploads are random. */
const inventedUploadId = "upl_0000000000000000000000";

const withInventedValues = (data: object): object =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      name === "id" && typeof value === "string" ? inventedUploadId : (inventedFields[name] ?? value),
    ]),
  );

/**
 * Queues an example event for one endpoint, independent of its subscriptions. The beat and accounts of the event do not
 * exist. Returns the id of the delivery. Throws 409 for a disabled endpoint.
 */
export async function sendTestEvent(
  db: Queryable,
  endpoint: Pick<Endpoint, "id" | "state" | "isOrdered">,
  event: { type: EventType; data: object; at: Date },
): Promise<number> {
  requireEnabled(endpoint);
  return emitTestEvent(db, endpoint, { ...event, data: withInventedValues(event.data) }, eventRules);
}
