import type { Delivery, DeliveryPage, DeliverySummary, findDelivery } from "@beatmarket/webhooks/deliveries.ts";
import type { Endpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { isTestEventId } from "@beatmarket/webhooks/events/event-ids.ts";
import type { FullReceipt, Receipt } from "@beatmarket/webhooks/inbox.ts";
import { toleranceSeconds } from "@beatmarket/webhooks/signature.ts";
import type { Static } from "typebox";
import { type EventType, isEventType } from "../../resources/webhooks/event-types.ts";
import { eventJson, eventVersion } from "../../resources/webhooks/outbox.ts";
import type {
  DeliveryDetail,
  DeliveryPageSchema,
  EndpointHealth,
  EndpointSchema,
  ReceiptDetail,
  ReceiptList,
} from "./schema.ts";

const timeOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;

export const endpointJson = (endpoint: Endpoint): Static<typeof EndpointSchema> => ({
  id: endpoint.id,
  kind: endpoint.kind === "listen" ? "http" : endpoint.kind,
  url: endpoint.url,
  access_key_id: endpoint.accessKeyId,
  description: endpoint.description,
  event_types: endpoint.eventTypes?.filter(isEventType) ?? null,
  ordered: endpoint.isOrdered,
  version: endpoint.version,
  state: endpoint.state,
  disabled_at: timeOrNull(endpoint.disabledAt),
  disabled_reason: endpoint.disabledReason,
  failing_since: timeOrNull(endpoint.failingSince),
  last_error: endpoint.lastError,
  last_success_at: timeOrNull(endpoint.lastSuccessAt),
  last_failure_at: timeOrNull(endpoint.lastFailureAt),
  previous_secret_until: timeOrNull(endpoint.previousSecretUntil),
  created_at: endpoint.createdAt.toISOString(),
  created_by: endpoint.createdBy,
});

/** The number of deliveries in the chart of an endpoint. */
const chartedDeliveries = 30;

export function endpointHealthJson(
  endpoint: Endpoint,
  summary: DeliverySummary = emptySummary,
): Static<typeof EndpointHealth> {
  const { recent, attempted, succeeded, ...undelivered } = summary;
  return { ...endpointJson(endpoint), recent: recent.slice(0, chartedDeliveries), attempted, succeeded, undelivered };
}

const emptySummary: DeliverySummary = { recent: [], attempted: 0, succeeded: 0, pending: 0, failed: 0, skipped: 0 };

const deliveryJson = (delivery: Delivery) => ({
  id: delivery.id,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  type: eventType(delivery.type),
  test: isTestEventId(delivery.eventId),
  state: delivery.state,
  attempts: delivery.attempts,
  total_attempts: delivery.totalAttempts,
  next_attempt_at: timeOrNull(delivery.nextAttemptAt),
  created_at: delivery.createdAt.toISOString(),
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  last_attempt_at: timeOrNull(delivery.lastAttemptAt),
});

export const deliveryPageJson = ({ deliveries, newer, older }: DeliveryPage): Static<typeof DeliveryPageSchema> => ({
  deliveries: deliveries.map(deliveryJson),
  newer,
  older,
});

export const deliveryDetailJson = (
  delivery: Awaited<ReturnType<typeof findDelivery>>,
): Static<typeof DeliveryDetail> => ({
  ...deliveryJson(delivery),
  payload: eventJson(delivery.payload, delivery.version),
  version: eventVersion(delivery.version).date,
  history: delivery.history.map((attempt) => ({ ...attempt, attempted_at: attempt.attempted_at.toISOString() })),
});

export const receiptJson = (receipt: Receipt): Static<typeof ReceiptList>["receipts"][number] => ({
  id: receipt.id,
  delivery_id: receipt.deliveryId,
  event_id: receipt.eventId,
  type: receipt.type,
  received_at: receipt.receivedAt.toISOString(),
  verified: receipt.isVerified,
});

export const receiptDetailJson = (receipt: FullReceipt): Static<typeof ReceiptDetail> => ({
  ...receiptJson(receipt),
  headers: Object.entries(receipt.headers)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase())),
  body: receipt.body,
  body_bytes: Buffer.byteLength(receipt.body),
  given_signature: receipt.headers["X-Webhook-Signature"] ?? "",
  computed_signature: receipt.computedSignature,
  secret_end: receipt.secretEnd,
  age_seconds: receipt.receivedAt.getTime() / 1000 - Number(receipt.headers["webhook-timestamp"]),
  tolerance_seconds: toleranceSeconds,
});

function eventType(text: string): EventType {
  if (!isEventType(text)) throw new Error(`The database has an event of the unknown type ${text}.`);
  return text;
}
