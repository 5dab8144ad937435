import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type Endpoint, requireEnabled } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { emitTestEvent } from "@beatmarket/webhooks/events/outbox.ts";
import {
  countReplayable as count,
  replayDeliveries as replay,
  reserveReplay as reserve,
  type Selection,
  selectionInWords,
} from "@beatmarket/webhooks/replay.ts";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { recordAudit } from "../audit/queries.ts";
import { type AuditedPrincipal, auditName, authorOf } from "./audit.ts";
import type { EventType } from "./event-types.ts";
import { eventRules } from "./outbox.ts";

/**
 * Queues deliveries of an endpoint again, and returns their number. Records the replay in the audit log before the
 * first batch. Throws 409 for a disabled endpoint.
 */
export async function replayDeliveries(
  db: Queryable,
  endpoint: Endpoint,
  selection: Selection,
  principal: AuditedPrincipal,
  now: Date,
): Promise<number> {
  requireEnabled(endpoint);
  await recordAudit(db, {
    userId: endpoint.userId,
    action: "webhook_endpoint.replayed",
    subject: `${auditName(endpoint)}: ${selectionInWords(selection)}`,
    author: authorOf(principal),
    at: now,
  });
  return replay(db, endpoint, selection, eventRules, now);
}

/**
 * Counts the deliveries that an account's owner will replay. Throws 429 above the limit. Not called for operators, who
 * have no limit.
 */
export const reserveReplay = (
  db: Queryable,
  endpoint: Pick<Endpoint, "id" | "userId">,
  count: number,
  now: Date,
): Promise<void> =>
  transact(db, async (transaction) => {
    await lockUser(transaction, endpoint.userId);
    await reserve(transaction, endpoint, count, now);
  });

/** Returns the number of deliveries that `replayDeliveries` would queue, at most `atMost`. */
export const countReplayable = (
  db: Queryable,
  endpointId: number,
  selection: Selection,
  atMost: number,
): Promise<number> => count(db, endpointId, selection, atMost, eventRules);

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
