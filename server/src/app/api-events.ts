import type { TSchema } from "typebox";
import type { DocumentedEvent } from "../openapi/webhooks.ts";
import { BeatUpdated, PublishingFailure, ReferenceBeat } from "../resources/beats/schema.ts";
import { OrderFailure, OrderRefund, Purchase } from "../resources/orders/schema.ts";
import { UploadSchema } from "../resources/uploads/schema.ts";
import { ProfileSchema, UserUpdated } from "../resources/users/schema.ts";
import { type EventType, events, eventTypes } from "../resources/webhooks/events/event-types.ts";

/** The schema of each event's `data`, from the resource that emits it. */
const data: Record<EventType, TSchema> = {
  "beat.created": ReferenceBeat,
  "beat.updated": BeatUpdated,
  "beat.purchased": Purchase,
  "order.refunded": OrderRefund,
  "order.failed": OrderFailure,
  "upload.ready": UploadSchema,
  "upload.rejected": UploadSchema,
  "beat.publishing_failed": PublishingFailure,
  "user.registered": ProfileSchema,
  "user.updated": UserUpdated,
};

/** The events as the OpenAPI document describes them. */
export const apiEvents: readonly DocumentedEvent[] = eventTypes.map((type) => ({
  type,
  ...events[type],
  data: data[type],
}));
